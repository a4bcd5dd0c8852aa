import type { Json } from '../../../schema/json.ts'
import { defined } from '../../../values/defined.ts'
import type { Schema } from '../../description/description.ts'
import { freeName, placeText } from '../draft/attribute.ts'
import { envelopeOf, insideOf, itemsPath } from './envelope.ts'
import { type Identity, usualId } from './identity.ts'
import { attributeName } from './names.ts'
import { answered, type Candidate, parametersIn } from './resources.ts'

/*
 * What is known of a resource before it is written: its schemas, its names and its keys.
 */

/** What the operations of a candidate take and answer, envelopes taken off. */
export interface Schemas {
  readonly request: Schema
  readonly change?: Schema
  readonly created?: Schema
  readonly read?: Schema
  readonly item?: Schema
  /** Members that hold the object, from outside in, by operation; none where there is no envelope. */
  readonly answers: Envelopes
  readonly bodies: Envelopes
  readonly items?: readonly string[]
}

export type Envelopes = Readonly<Record<string, readonly string[] | undefined>>

export const schemasOf = (candidate: Candidate): Schemas | undefined => {
  const { words, create, update, retrieve, list } = candidate
  const taken = create.operation.body?.schema
  if (taken === undefined) return undefined
  const bodies = { create: envelopeOf(taken, words), update: envelopeOf(update?.operation.body?.schema, words) }
  const answers = { create: envelopeOf(answered(create), words), retrieve: envelopeOf(answered(retrieve), words) }
  const items = itemsPath(answered(list), words)
  const change = insideOf(update?.operation.body?.schema, bodies.update)
  const created = insideOf(answered(create), answers.create)
  const read = insideOf(answered(retrieve), answers.retrieve)
  const item = insideOf(answered(list), items ?? [])?.items()
  return {
    request: insideOf(taken, bodies.create) ?? taken,
    ...defined({ change, created, read, item }),
    answers,
    bodies,
    ...defined({ items }),
  }
}

/** Names of variables and attributes, each once. */
export interface Naming {
  /** Path parameter -> variable. */
  readonly variables: ReadonlyMap<string, string>
  readonly parents: readonly string[]
  readonly taken: Set<string>
}

export const namingOf = (candidate: Candidate, identity: Identity): Naming => {
  // What tells one object from another keeps its name, whatever the objects around it are told by.
  const own = identity.property === undefined ? undefined : attributeName(identity.property)
  const taken = new Set(own === undefined ? [] : [own])
  const variables = new Map<string, string>()
  const parents = parametersIn(candidate.path).filter((name) => candidate.kind !== 'keyed' || name !== candidate.key)
  for (const name of parents) if (!variables.has(name)) variables.set(name, freeName(name, taken))
  const { key } = candidate
  if (key !== undefined && !variables.has(key)) {
    variables.set(key, identity.chosenBy === 'client' && own !== undefined ? own : freeName(key, new Set(taken)))
  }
  return { variables, parents: [...new Set(parents)].map((name) => variables.get(name) ?? name), taken }
}

export interface ResourceParts {
  readonly schemas: Schemas
  readonly identity: Identity
  readonly naming: Naming
  readonly keys: readonly string[]
  readonly pagination: Json
}

export const keyName = (candidate: Candidate, identity: Identity, naming: Naming): string | undefined => {
  const { key } = candidate
  if (key === undefined) return undefined
  if (identity.chosenBy === 'server')
    return identity.property === undefined ? undefined : attributeName(identity.property)
  return naming.variables.get(key)
}

export const keysOf = (candidate: Candidate, identity: Identity, naming: Naming): readonly string[] => {
  const own = keyName(candidate, identity, naming)
  return [...new Set([...naming.parents, ...(own === undefined ? [] : [own])])]
}

/** Path variables that the server fills, and where an object tells them. */
export const idsOf = (
  { key }: Candidate,
  { identity, naming }: Pick<ResourceParts, 'identity' | 'naming'>,
): Readonly<Record<string, string>> => {
  if (identity.chosenBy === 'client' || key === undefined) return {}
  return { [naming.variables.get(key) ?? key]: placeText([identity.idProperty ?? usualId]) }
}
