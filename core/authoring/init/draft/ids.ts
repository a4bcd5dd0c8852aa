import type { Json } from '../../../schema/json.ts'
import { defined } from '../../../values/defined.ts'
import { successesOf } from '../../description/look-into.ts'
import { usualId } from '../find/identity.ts'
import { placeText } from '../find/names.ts'
import type { ResourceParts } from '../find/resource-parts.ts'
import { answered } from '../find/resources.ts'
import { questions } from '../words.ts'

export interface DraftedIds {
  /** Where reads have the ids; absent where the client chooses them. */
  readonly serverId?: Readonly<Record<string, Json>>
  /** Where the response to a create has them; absent where it has none. */
  readonly produces?: Readonly<Record<string, Json>>
  readonly comments: readonly string[]
}

const location: Json = { header: 'Location' }

/**
 * Ids that the server makes. A create returns them in its body, in `Location` only (RFC 9110, 15.3.2), or not at all: then the
 * new object is found like any other.
 */
export const draftIds = (parts: ResourceParts): DraftedIds => {
  const [id] = Object.entries(parts.ids)
  if (id === undefined) return { comments: [] }
  const [name, place] = id
  const source = sourceOf(parts)
  if (source === 'location' && parts.identity.idProperty === undefined) {
    const ids = { [name]: location }
    return { serverId: ids, produces: ids, comments: [questions.onlyLocation(name)] }
  }
  const whole = placeText([...(parts.schemas.answers['create'] ?? []), parts.identity.idProperty ?? usualId])
  const produced = source === 'body' ? whole : source === 'location' ? location : undefined
  return {
    serverId: { [name]: place },
    ...defined({ produces: produced === undefined ? undefined : { [name]: produced } }),
    comments: produced === undefined ? [questions.notProduced(name)] : [],
  }
}

/** What has the id of a new object. A body without a schema may have it. */
const sourceOf = ({ candidate: { create }, schemas, identity }: ResourceParts): 'body' | 'location' | 'nothing' => {
  const successes = successesOf(create.operation)
  const members = schemas.created?.properties()
  const isDescribed = members !== undefined && members.size > 0
  if (isDescribed && members.has(identity.idProperty ?? usualId)) return 'body'
  if (successes.some(({ headers }) => headers.includes('location'))) return 'location'
  const isEmpty = successes.length > 0 && successes.every(({ content }) => content === undefined)
  return isDescribed || (answered(create) === undefined && isEmpty) ? 'nothing' : 'body'
}
