import { defined, present } from '../../../../engine/values/defined.ts'
import type { Schema } from '../../description/description.ts'
import { schemaAt } from '../../description/look-into.ts'
import { reasons } from '../words.ts'
import { envelopeOf, itemsPath } from './envelope.ts'
import { chooseIdentity, type Identity, usualId } from './identity.ts'
import { attributeName, freeName, placeText } from './names.ts'
import { answered, type Candidate, parametersIn } from './resources.ts'

type Envelopes = Readonly<Record<string, readonly string[] | undefined>>

export interface Schemas {
  readonly request: Schema
  readonly change?: Schema
  readonly created?: Schema
  readonly read?: Schema
  readonly item?: Schema
  /** Members around the object, from outside in, by operation; empty if there is no envelope. */
  readonly answers: Envelopes
  readonly bodies: Envelopes
  readonly items?: readonly string[]
}

export interface ResourceParts {
  readonly candidate: Candidate
  readonly schemas: Schemas
  readonly identity: Identity
  /** Variables of the document by path parameter. */
  readonly variables: ReadonlyMap<string, string>
  readonly parents: readonly string[]
  readonly own?: string
  /** Empty for settings: they exist exactly once. */
  readonly keys: readonly string[]
  /** Path variables that the server makes, and their places in an object. */
  readonly ids: Readonly<Record<string, string>>
}

export const resourceParts = (candidate: Candidate): ResourceParts | { readonly reason: string } => {
  const schemas = schemasOf(candidate)
  if (schemas === undefined) return { reason: reasons.noRequest(candidate.create.operation.method) }
  const identity = chooseIdentity(candidate, schemas)
  if ('reason' in identity) return identity
  const isServers = identity.chosenBy === 'server'
  if (isServers && candidate.list === undefined) return { reason: reasons.noList }
  const { variables, parents } = variablesOf(candidate, identity)
  const { key } = candidate
  const variable = key === undefined ? undefined : variables.get(key)
  const property = identity.property === undefined ? undefined : attributeName(identity.property)
  const own = isServers ? property : variable
  const keys = [...new Set([...parents, ...present(own)])]
  if (keys.length === 0 && candidate.kind !== 'single') return { reason: reasons.noKey }
  const id = isServers ? variable : undefined
  const ids = id === undefined ? {} : { [id]: placeText([identity.idProperty ?? usualId]) }
  return { candidate, schemas, identity, variables, parents, ...defined({ own }), keys, ids }
}

const schemasOf = ({ words, create, update, retrieve, list }: Candidate): Schemas | undefined => {
  const [taken, changed] = [create.operation.body?.schema, update?.operation.body?.schema]
  if (taken === undefined) return undefined
  const bodies = { create: envelopeOf(taken, words), update: envelopeOf(changed, words) }
  const answers = { create: envelopeOf(answered(create), words), retrieve: envelopeOf(answered(retrieve), words) }
  const items = itemsPath(answered(list), words)
  return {
    request: schemaAt(taken, bodies.create) ?? taken,
    ...defined({
      change: schemaAt(changed, bodies.update),
      created: schemaAt(answered(create), answers.create),
      read: schemaAt(answered(retrieve), answers.retrieve),
      item: schemaAt(answered(list), items ?? [])?.items(),
    }),
    answers,
    bodies,
    ...defined({ items }),
  }
}

const variablesOf = (
  { path, kind, key }: Candidate,
  { property, chosenBy }: Identity,
): Pick<ResourceParts, 'variables' | 'parents'> => {
  // The object's own key keeps its name, whatever the keys of its parents are called.
  const own = property === undefined ? undefined : attributeName(property)
  const taken = new Set(own === undefined ? [] : [own])
  const around = new Set(parametersIn(path).filter((name) => kind !== 'keyed' || name !== key))
  const variables = new Map([...around].map((name) => [name, freeName(name, taken)]))
  const parents = [...variables.values()]
  if (key !== undefined && !variables.has(key))
    variables.set(key, chosenBy === 'client' && own !== undefined ? own : freeName(key, new Set(taken)))
  return { variables, parents }
}
