import type { Json } from '../../../schema/json.ts'
import { defined } from '../../../values/defined.ts'
import { usualId } from '../find/identity.ts'
import { idsOf, type ResourceParts } from '../find/resource-parts.ts'
import { answered, type Candidate, successesOf } from '../find/resources.ts'
import { placeText } from './attribute.ts'

export interface DraftedIds {
  /** Where reads tell the ids; absent where the client chooses them. */
  readonly serverId?: Readonly<Record<string, Json>>
  /** Where the create tells them; absent where it does not. */
  readonly produces?: Readonly<Record<string, Json>>
  readonly comments: readonly string[]
}

const location: Json = { header: 'Location' }

/**
 * Ids that the server makes. A create tells them in its body, in `Location` only (RFC 9110, 15.3.2), or not at all: then the
 * new object is found like any other.
 */
export const draftIds = (candidate: Candidate, parts: ResourceParts): DraftedIds => {
  const [id] = Object.entries(idsOf(candidate, parts))
  if (id === undefined) return { comments: [] }
  const [name, place] = id
  const told = toldBy(candidate, parts)
  if (told === 'location' && parts.identity.idProperty === undefined) {
    return {
      serverId: { [name]: location },
      produces: { [name]: location },
      comments: [`decide: only Location seems to tell {${name}}; is there a member of an answer that is it?`],
    }
  }
  const around = parts.schemas.answers['create'] ?? []
  const whole = placeText([...around, parts.identity.idProperty ?? usualId])
  return {
    serverId: { [name]: place },
    ...defined({
      produces: told === 'body' ? { [name]: whole } : told === 'location' ? { [name]: location } : undefined,
    }),
    comments:
      told === 'nothing' ? [`decide: a create does not tell {${name}}: a new object is looked for by its keys`] : [],
  }
}

/** What tells the id of a new object. What is not described of a body may be in it. */
const toldBy = ({ create }: Candidate, { schemas, identity }: ResourceParts): 'body' | 'location' | 'nothing' => {
  const successes = successesOf(create)
  const schema = answered(create)
  const isTold = schemas.created !== undefined && schemas.created.properties().size > 0
  if (isTold && schemas.created.properties().has(identity.idProperty ?? usualId)) return 'body'
  if (successes.some(({ headers }) => headers.includes('location'))) return 'location'
  if (
    isTold ||
    (schema === undefined && successes.length > 0 && successes.every(({ content }) => content === undefined))
  )
    return 'nothing'
  return 'body'
}
