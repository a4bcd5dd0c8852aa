import { setAt, valueAt } from '../../../json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../schema/json.ts'
import { isAfter, isMark } from '../../../schema/value.ts'
import { spellValue } from '../../../values/spell-value.ts'
import type { ReadDeps, ResolvedReferences, Target } from '../../provider.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { allEntries, type Entries } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import { needs, refsIn, refVariables } from '../document/references.ts'
import type { RefEntry } from '../document/refs.ts'
import { fill, pathOf, scopeOf } from '../document/template.ts'
import type { Unknown } from '../request/ask.ts'
import type { TypeContext } from '../request/context.ts'
import { comingObject, declaredAs, isWithinComing, meantBy } from './declared-ref.ts'
import { finderOf } from './finder.ts'
import { type Resolution, resolveRef } from './resolve-ref.ts'
import { unknowns } from './words.ts'

/** What a value became, and the object behind it. */
type Emitted =
  | { readonly kind: 'value'; readonly value: Json; readonly object?: JsonObject }
  | { readonly kind: 'none'; readonly detail: string }
  | Unknown

/** Resolves what attributes refer to: each as the API wants it, in an order in which no scope lacks what it is made of. */
export const resolveRefs = async (
  context: TypeContext,
  target: Pick<Target, 'attributes' | 'leaving' | 'isRecorded' | 'neighbours'>,
  deps: ReadDeps,
): Promise<ResolvedReferences> => {
  const found = target.isRecorded
    ? await resolveRecorded(context, target, deps)
    : await resolveDesired({ ...context, neighbours: target.neighbours ?? [] }, target, deps)
  if (found.kind === 'unresolved') return found
  return { ...found, refs: namedIn(context.resource, found.refs), refersBy: Object.keys(found.refs) }
}

/** Of the objects behind references what the document's requests name. */
const namedIn = (resource: RestResource, refs: JsonObject): JsonObject => {
  const named = refVariables(resource).flatMap(([, name, ...path]): [string, Path][] =>
    name !== undefined && refs[String(name)] !== undefined ? [[String(name), path]] : [],
  )
  return named.reduce<JsonObject>((kept, [name, path]) => {
    const value = valueAt(refs[name], path)
    return value === undefined ? kept : (setAt(kept, [name, ...path.map(String)], value) as JsonObject)
  }, {})
}

/** What is recorded stays as it is. An object behind it is asked for only where a request names it, and is known by what it emits. */
const resolveRecorded = async (
  context: TypeContext,
  { attributes }: Pick<Target, 'attributes'>,
  deps: ReadDeps,
): Promise<ResolvedReferences> => {
  const entries = allEntries(context.resource)
  const named = new Set(refVariables(context.resource).map(([, name]) => String(name)))
  const refs: Record<string, Json> = {}
  for (const name of named) {
    const [entry, value] = [entries[name]?.ref, attributes[name]]
    if (entry === undefined || (typeof value !== 'string' && typeof value !== 'number')) continue
    const finder = finderOf(context, entry)
    const found = finder && (await resolveRef(context, finder, { value, filters: {} }, deps, 'id'))
    const isIt = found?.kind === 'found' && String(valueAt(found.object, pathOf(entry.emit)) ?? '') === String(value)
    if (found?.kind === 'unknown') return { kind: 'unresolved', result: withName(name, found) }
    if (found?.kind !== 'found' || !isIt) {
      return { kind: 'unresolved', result: withName(name, unknowns.recordedIdLost(spellValue(value))) }
    }
    refs[name] = found.object
  }
  return { kind: 'resolved', attributes, refs }
}

const resolveDesired = async (
  context: TypeContext,
  { attributes, leaving }: Pick<Target, 'attributes' | 'leaving'>,
  deps: ReadDeps,
): Promise<ResolvedReferences> => {
  const entries = allEntries(context.resource)
  const { keys } = context.resource.identity
  const resolved: Record<string, Json> = { ...attributes }
  const refs: Record<string, Json> = {}
  for (const name of orderOf(entries)) {
    const [entry, value] = [entries[name], attributes[name]]
    if (entry === undefined || value === undefined) continue
    const emitted = await emit(context, entry, value, refs, deps)
    if (emitted.kind === 'unknown') return { kind: 'unresolved', result: withName(name, emitted) }
    if (emitted.kind === 'none') {
      // Within something that does not exist there is nothing to delete.
      if (leaving && keys.includes(name)) return { kind: 'unresolved', result: { kind: 'absent' } }
      if (leaving) continue
      return { kind: 'unresolved', result: withName(name, unknowns.unresolved(emitted.detail)) }
    }
    resolved[name] = emitted.value
    if (emitted.object !== undefined) refs[name] = emitted.object
  }
  return { kind: 'resolved', attributes: resolved, refs }
}

const withName = (name: string, unknown: Unknown): Unknown => ({ ...unknown, detail: `${name}: ${unknown.detail}` })

/** Attributes that hold references, after those that their scopes are made of. */
const orderOf = (entries: Entries): readonly string[] => {
  const left = new Map(Object.entries(entries).filter(([, entry]) => refsIn(entry).length > 0))
  const order: string[] = []
  while (left.size > 0) {
    const [next] = [...left].find(([name, entry]) => !needs(entry).some((each) => each !== name && left.has(each))) ?? [
      ...left.keys(),
    ]
    if (next === undefined) break
    left.delete(next)
    order.push(next)
  }
  return order
}

const emit = async (
  context: TypeContext,
  entry: AttributeEntry,
  value: Json,
  refs: JsonObject,
  deps: ReadDeps,
): Promise<Emitted> => {
  if (isAfter(value) && entry.ref !== undefined) {
    const object = comingObject(context, entry.ref, value.$after)
    return { kind: 'value', value, object }
  }
  if (value === null || isMark(value)) return { kind: 'value', value }
  if (entry.ref !== undefined) return emitOne(context, entry.ref, value, refs, deps)
  if (isArray(value) && entry.element !== undefined) {
    return emitEach(
      context,
      value.map((child, index) => [String(index), entry.element, child]),
      refs,
      deps,
      (children) => Object.values(children),
    )
  }
  if (!isObject(value)) return { kind: 'value', value }
  const members = Object.entries(value).map(
    ([name, child]) => [name, entry.attributes?.[name] ?? entry.element, child] as const,
  )
  return emitEach(context, members, refs, deps, (children) => children)
}

/** One after the other: equal questions are asked once, and a member may narrow its neighbours. */
const emitEach = async (
  context: TypeContext,
  members: readonly (readonly [string, AttributeEntry | undefined, Json])[],
  outer: JsonObject,
  deps: ReadDeps,
  join: (children: JsonObject) => Json,
): Promise<Emitted> => {
  const children: Record<string, Json> = {}
  let refs = outer
  const ordered = members.toSorted(([, left], [, right]) => scopesOf(left) - scopesOf(right))
  for (const [name, entry, child] of ordered) {
    const emitted =
      entry === undefined ? { kind: 'value' as const, value: child } : await emit(context, entry, child, refs, deps)
    if (emitted.kind !== 'value') return emitted
    children[name] = emitted.value
    if (emitted.object !== undefined) refs = { ...refs, [name]: emitted.object }
  }
  return { kind: 'value', value: join(Object.fromEntries(members.map(([name]) => [name, children[name] ?? null]))) }
}

const scopesOf = (entry: AttributeEntry | undefined): number => (entry === undefined ? 0 : needs(entry).length)

const emitOne = async (
  context: TypeContext,
  entry: RefEntry,
  value: Json,
  refs: JsonObject,
  deps: ReadDeps,
): Promise<Emitted> => {
  const finder = finderOf(context, entry)
  if (finder === undefined || (typeof value !== 'string' && typeof value !== 'number')) {
    return { kind: 'none', detail: `"${spellValue(value)}" is no name, id or URL` }
  }
  const which = `which ${finder.label} is "${value}"?`
  const filters = filtersOf(context, entry, refs)
  const declared = declaredAs(context, entry, value, filters)
  const missing = Object.keys(filters).find((name) => filters[name] === undefined || isMark(filters[name]))
  if (missing !== undefined && !(declared.kind === 'one' && isWithinComing(filters))) {
    const detail = declared.kind === 'unclear' ? declared.detail : `its scope ${missing} is not known`
    return unknowns.unresolved(`${which} ${detail}`)
  }
  const question = { value, filters: filters as JsonObject }
  const searched = missing === undefined ? await resolveRef(context, finder, question, deps) : nothing
  const found = meantBy(context, entry, declared, searched)
  if (found.kind === 'declared') return { kind: 'value', value: found.value, object: found.object }
  if (found.kind === 'unknown') return { ...found, detail: `${which} ${found.detail}` }
  if (found.kind === 'none') {
    const within = Object.entries(question.filters).map(([name, filter]) => ` with ${name} ${String(filter)}`)
    return { kind: 'none', detail: `${which} there is none${within.join('')}` }
  }
  const emitted = valueAt(found.object, pathOf(entry.emit))
  if (emitted === undefined || emitted === null) return unknowns.nothingToEmit(which, entry.emit)
  return { kind: 'value', value: emitted, object: found.object }
}

const nothing: Resolution = { kind: 'none' }

/** A filter that has no value would make the search wider than it is meant. */
const filtersOf = (
  { params, inputs }: TypeContext,
  { scope = {} }: RefEntry,
  refs: JsonObject,
): Readonly<Record<string, Json | undefined>> => {
  const variables = scopeOf({ ...params, refs, with: inputs })
  return Object.fromEntries(Object.entries(scope).map(([name, template]) => [name, fill(template, variables)]))
}
