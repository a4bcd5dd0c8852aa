import type { Diff } from '../../../engine/schema/diff.ts'
import { isArray, isObject, type Json } from '../../../engine/schema/json.ts'
import { defined } from '../../../engine/values/defined.ts'
import type { Expressions } from '../read/configuration.ts'
import { inferBlock } from '../read/infer-block.ts'
import { type ResourceHead, readResource } from '../read/read-resource.ts'
import type { BlockFacts, Schemas } from '../read/schemas.ts'
import type { UnreadEntry } from '../read/shapes.ts'
import { elementsOf, isMap, memberOf, type Value } from '../read/value.ts'
import { orProblem, resourceAddress, shown, whyUnread } from '../read/why-unread.ts'
import { annotate, diffSides, standing } from './annotate.ts'
import { blockFacts, type Facts } from './facts.ts'
import { hideOnBoth } from './hide-on-both.ts'
import { readPaths } from './paths.ts'
import type { ViewChange, ViewImport } from './plan-view.ts'
import { explainUnknown, type ValueSource } from './sources.ts'
import { type Seal, toJson } from './to-json.ts'

/** What all entries of a document are read with. */
export interface Reading {
  readonly schemas: Schemas
  readonly expressions: Expressions
  readonly seal: Seal
}

/** Neither for what is never shown. Both where an entry is shown, though not all of it is understood. */
export interface ReadChange {
  readonly change?: ViewChange
  readonly sides?: ChangeValues
  readonly problem?: UnreadEntry
}

/** One entry of the changes, the drift or the deferred changes. */
export const readChange = (entry: Value, reading: Reading): ReadChange => {
  const address = resourceAddress(entry)
  const detail = whyUnread(entry) ?? whyNoChange(entry)
  if (detail !== undefined) return { problem: { address, detail } }
  const head = readResource(entry)
  // A data source that goes is only forgotten.
  if (head === undefined || (head.mode === 'data' && head.action === 'delete')) return {}
  return orProblem(address, () => {
    const sides = sidesOf(head, reading)
    const change = toChange(head, sides, reading.seal)
    const problem = { address, detail: unknownActions(head) }
    return { change, sides, ...defined({ problem: head.action === 'unknown' ? problem : undefined }) }
  })
}

const whyNoChange = (entry: Value): string | undefined => {
  const change = memberOf(entry, 'change')
  if (memberOf(entry, 'mode') === 'ephemeral') return undefined
  if (!isMap(change)) return 'it does not say what changes'
  const isSide = (side: string): boolean => {
    const value = change.get(side) ?? null
    return value === null || isMap(value) || change.get(`${side}_sensitive`) === true
  }
  return isSide('before') && isSide('after') ? undefined : 'its value before or after is not an object'
}

const unknownActions = ({ change }: ResourceHead): string => {
  const actions = elementsOf(memberOf(change, 'actions')).map(shown)
  return actions.length === 0 ? 'it names no actions' : `its actions ${actions.join(', ')} are unknown`
}

interface ChangeValues {
  readonly facts: Facts
  readonly before: Json | undefined
  readonly after: Json | undefined
  readonly sources: readonly ValueSource[]
}

const sidesOf = (head: ResourceHead, { schemas, expressions, seal }: Reading): ChangeValues => {
  const part = (name: string): Value | undefined => memberOf(head.change, name) ?? undefined
  const written = expressions(head)
  const values = [part('before'), part('after')].map((value) => value ?? null)
  const markers = ['after_unknown', 'before_sensitive', 'after_sensitive'].map((name) => part(name) ?? null)
  const block = withoutUnset(schemas(head), head.action === 'delete' ? undefined : written)
  const facts = blockFacts(block ?? inferBlock({ values, markers, expressions: written }), { values, markers }, !!block)
  const [old, next] = hideOnBoth(
    { value: part('before'), sensitive: part('before_sensitive') },
    { value: part('after'), unknown: part('after_unknown'), sensitive: part('after_sensitive') },
  )
  const [before, after] = [toJson(old, facts, seal), toJson(next, facts, seal)]
  const { value, sources } = explainUnknown(after, written)
  return { facts, before, after: value, sources }
}

/** A write-only attribute is shown where the configuration sets it, or where there is no configuration to tell. */
const withoutUnset = (block: BlockFacts | undefined, written: Value | undefined): BlockFacts | undefined => {
  if (block === undefined || !isMap(written)) return block
  const attributes = [...block.attributes].filter(([name, { writeOnly }]) => !writeOnly || written.has(name))
  return { ...block, attributes: new Map(attributes) }
}

const toChange = (head: ResourceHead, { facts, before, after, sources }: ChangeValues, seal: Seal): ViewChange => {
  const { provider: _, change, moduleAddress, index: __, importing, ...named } = head
  const replacePaths = readPaths(memberOf(change, 'replace_paths'), [before, after])
  return {
    ...named,
    ...defined({ module: moduleAddress, importing: importing && shownImport(importing, seal) }),
    replacePaths,
    // What is forgotten stays as it is.
    diff: annotate(wholeDiff(facts, before, named.action === 'forget' ? before : after), facts, replacePaths),
    sources,
  }
}

/** What does not change, and yet is shown, is shown whole. */
const wholeDiff = (facts: Facts, before: Json | undefined, after: Json | undefined): Diff => {
  const diff = diffSides(facts, before, after)
  return diff.action === 'same' && before !== undefined ? standing(facts, before) : diff
}

const shownImport = (importing: NonNullable<ResourceHead['importing']>, seal: Seal): ViewImport => {
  const identity = toJson({ value: importing.identity }, { type: 'map' }, seal)
  return {
    ...defined({ id: importing.id, identity: isObject(identity) && !isArray(identity) ? identity : undefined }),
    generated: importing.generated,
  }
}
