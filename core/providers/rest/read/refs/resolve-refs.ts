import { setAt, valueAt } from '../../../../engine/json/pointer.ts'
import type { Target } from '../../../../engine/provider/provider.ts'
import type { ResolvedReferences } from '../../../../engine/provider/references.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../../engine/schema/json.ts'
import type { UnknownResult } from '../../../../engine/schema/resource.ts'
import { isAfter, isMark } from '../../../../engine/schema/value.ts'
import { defined, present } from '../../../../engine/values/defined.ts'
import { mapMembers, pick, unlessEmpty } from '../../../../engine/values/members.ts'
import { spellValue } from '../../../../engine/values/spell-value.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import { allEntries, type Entries } from '../../document/attributes.ts'
import type { RestResource } from '../../document/document.ts'
import { namedInRequests, needs, refsIn, refVariables } from '../../document/references.ts'
import type { RefEntry } from '../../document/refs.ts'
import { fill, pathOf, scopeOf } from '../../document/shared/template.ts'
import type { ReadContext } from '../../request/context.ts'
import { encodeNames } from '../../request/encode.ts'
import { finderOf } from '../lists/finder.ts'
import { refFaults, unknowns } from '../shared/words.ts'
import { chooseDeclared, comingObject, declaredAs, isWithinComing } from './declared-ref.ts'
import { none, type Resolution, resolveRef } from './resolve-ref.ts'

/** The resolved value, and the object behind it. */
type Emitted<Value = Json> =
  | { readonly kind: 'value'; readonly value: Value; readonly object?: JsonObject }
  | { readonly kind: 'none'; readonly detail: string }
  | UnknownResult

/** How the references of one resource are resolved. */
interface Resolving extends ReadContext, Pick<Target, 'isEmitted'> {
  /** The objects behind the references that are resolved so far, by attribute: scopes use them. */
  readonly found: JsonObject
  /** The attributes of the resource, resolved so far: scopes use them too. */
  readonly own: JsonObject
  /** The inverse: each value becomes the name that finds the same object; without such a name it does not change. */
  readonly namesObjects?: true
}

/** Resolves the references of attributes to the form of the API, in an order in which each scope has its values. */
export const resolveRefs = async (
  context: ReadContext,
  target: Pick<Target, 'attributes' | 'leaving' | 'isRecorded' | 'isEmitted' | 'neighbours'>,
): Promise<ResolvedReferences> => {
  const found = target.isRecorded
    ? await resolveRecorded(context, target)
    : await resolveDesired({ ...context, neighbours: target.neighbours ?? [], ...pick(target, ['isEmitted']) }, target)
  if (found.kind === 'unresolved') return found
  return { ...found, refs: namedIn(context.resource, found.refs), refersBy: Object.keys(found.refs) }
}

/** The members of objects behind references that the document's requests name. */
const namedIn = (resource: RestResource, refs: JsonObject): JsonObject => {
  const named = refVariables(resource).flatMap(([, name, ...path]): [string, Path][] =>
    name !== undefined && refs[String(name)] !== undefined ? [[String(name), path]] : [],
  )
  return named.reduce<JsonObject>((kept, [name, path]) => {
    const value = valueAt(refs[name], path)
    return value === undefined ? kept : (setAt(kept, [name, ...path.map(String)], value) as JsonObject)
  }, {})
}

/**
 * Recorded values are not changed. The object behind one is read only if a request names it; it is found by its emitted
 * value.
 */
const resolveRecorded = async (
  context: ReadContext,
  { attributes }: Pick<Target, 'attributes'>,
): Promise<ResolvedReferences> => {
  const entries = allEntries(context.resource)
  const named = new Set(refVariables(context.resource).map(([, name]) => String(name)))
  const refs: Record<string, Json> = {}
  for (const name of named) {
    const [entry, value] = [entries[name]?.ref, attributes[name]]
    if (entry === undefined || (typeof value !== 'string' && typeof value !== 'number')) continue
    const found = await resolveEmitted(context, entry, value, attributes)
    if (found.kind === 'unknown') return { kind: 'unresolved', result: withName(name, found) }
    if (found.kind === 'none') {
      return { kind: 'unresolved', result: withName(name, unknowns.recordedIdLost(spellValue(value))) }
    }
    refs[name] = found.object
  }
  return { kind: 'resolved', attributes, refs }
}

/** The object for which a value was emitted; one that does not have it any more is another one. */
export const resolveEmitted = async (
  context: ReadContext,
  entry: RefEntry,
  value: string | number,
  own: JsonObject,
): Promise<Resolution> => {
  const finder = finderOf(context, entry)
  if (finder === undefined) return none
  const scoped = filtersOf({ ...context, found: {}, own }, entry)
  const found = await resolveRef(context, finder, { value, filters: knownIn(scoped) }, 'id')
  if (found.kind !== 'found') return found
  return String(valueAt(found.object, pathOf(entry.emit)) ?? '') === String(value) ? found : none
}

const resolveDesired = async (
  context: ReadContext & Pick<Target, 'isEmitted'>,
  { attributes, leaving }: Pick<Target, 'attributes' | 'leaving'>,
): Promise<ResolvedReferences> => {
  const entries = allEntries(context.resource)
  const { keys } = context.resource.identity
  const resolved: Record<string, Json> = { ...attributes }
  const refs: Record<string, JsonObject> = {}
  const open: Record<string, UnknownResult> = {}
  const needed = new Set([...keys, ...namedInRequests(context.resource)])
  for (const name of orderOf(entries)) {
    const [entry, value] = [entries[name], attributes[name]]
    if (entry === undefined || value === undefined) continue
    const emitted = await emit({ ...context, found: refs, own: resolved }, entry, value)
    // All else can be compared without it.
    if (emitted.kind === 'unknown' && entry.immutable !== true && !needed.has(name)) {
      delete resolved[name]
      open[name] = emitted
      continue
    }
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
  return { kind: 'resolved', attributes: resolved, refs, ...defined({ open: unlessEmpty(open) }) }
}

const withName = (name: string, unknown: UnknownResult): UnknownResult => ({
  ...unknown,
  detail: `${name}: ${unknown.detail}`,
})

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

/** The written attributes with names instead of ids; `attributes`: the same attributes as the API shows them. */
export const nameRefs = async (
  context: ReadContext,
  written: JsonObject,
  attributes: JsonObject,
): Promise<JsonObject> => {
  const entries = allEntries(context.resource)
  const named: Record<string, Json> = { ...written }
  const found: Record<string, JsonObject> = {}
  for (const name of orderOf(entries)) {
    const [entry, value] = [entries[name], written[name]]
    if (entry === undefined) continue
    const resolving: Resolving = { ...context, found, own: attributes, neighbours: [], namesObjects: true }
    const emitted = value === undefined ? undefined : await emit(resolving, entry, value)
    if (emitted?.kind === 'value') named[name] = emitted.value
    const shown = await emit(resolving, entry, attributes[name] ?? null)
    if (shown.kind === 'value' && shown.object !== undefined) found[name] = shown.object
  }
  return named
}

const emit = async (context: Resolving, entry: AttributeEntry, value: Json): Promise<Emitted> => {
  if (isAfter(value) && entry.ref !== undefined) {
    return { kind: 'value', value, object: comingObject(context, entry.ref, value.$after) }
  }
  if (value === null || isMark(value) || isNamed(entry, value)) return { kind: 'value', value }
  if (context.namesObjects && entry.ref !== undefined) return nameOne(context, entry.ref, value)
  if (entry.ref !== undefined) return emitOne(context, entry.ref, value)
  if (!isArray(value) && !isObject(value)) return { kind: 'value', value }
  const emitted = await emitEach(context, entry, Object.fromEntries(Object.entries(value)))
  return isArray(value) && emitted.kind === 'value' ? { ...emitted, value: Object.values(emitted.value) } : emitted
}

/** A word of the document stands for a value of the API, and for no object. */
const isNamed = ({ ref, names = {} }: AttributeEntry, value: Json): boolean =>
  ref !== undefined && typeof value === 'string' && Object.hasOwn(names, value)

/** One after the other: equal questions are asked once, and a member may narrow its neighbours. */
const emitEach = async (
  context: Resolving,
  { attributes = {}, element }: AttributeEntry,
  members: JsonObject,
): Promise<Emitted<JsonObject>> => {
  const emitted: Record<string, Json> = { ...members }
  let { found } = context
  const entries = Object.keys(members).flatMap((name) =>
    present(attributes[name] ?? element).map((entry) => ({ name, entry })),
  )
  for (const { name, entry } of entries.toSorted(
    (left, right) => needs(left.entry).length - needs(right.entry).length,
  )) {
    const one = await emit({ ...context, found }, entry, members[name] ?? null)
    if (one.kind !== 'value') return one
    emitted[name] = one.value
    if (one.object !== undefined) found = { ...found, [name]: one.object }
  }
  return { kind: 'value', value: emitted }
}

const emitOne = async (context: Resolving, entry: RefEntry, value: Json): Promise<Emitted> => {
  const finder = finderOf(context, entry)
  if (finder === undefined || (typeof value !== 'string' && typeof value !== 'number')) {
    return { kind: 'none', detail: refFaults.noName(spellValue(value)) }
  }
  const which = refFaults.which(finder.label, value)
  const filters = filtersOf(context, entry)
  const declared = declaredAs(context, entry, value, filters)
  const missing = Object.keys(filters).find((name) => filters[name] === undefined || isMark(filters[name]))
  if (missing !== undefined && !(declared.kind === 'one' && isWithinComing(filters))) {
    const detail = declared.kind === 'unclear' ? declared.detail : refFaults.noScope(missing)
    return unknowns.unresolved(`${which} ${detail}`)
  }
  const question = { value, filters: filters as Readonly<Record<string, string>> }
  const searched = missing === undefined ? await resolveRef(context, finder, question) : none
  const found = chooseDeclared(context, entry, declared, searched)
  if (found.kind === 'declared') return { kind: 'value', value: found.value, object: found.object }
  if (found.kind === 'unknown') return { ...found, detail: `${which} ${found.detail}` }
  if (found.kind === 'none' && context.isEmitted && !finder.findsEmitted)
    return unknowns.recordedIdLost(spellValue(value))
  if (found.kind === 'none') return { kind: 'none', detail: `${which} ${refFaults.none(question.filters)}` }
  const emitted = valueAt(found.object, pathOf(entry.emit))
  if (emitted === undefined || emitted === null) return unknowns.nothingToEmit(which, entry.emit)
  return { kind: 'value', value: emitted, object: found.object }
}

/** A name is used only if it leads to the same object again. */
const nameOne = async (context: Resolving, entry: RefEntry, value: Json): Promise<Emitted> => {
  const emitted = await emitOne(context, entry, value)
  const finder = finderOf(context, entry)
  if (emitted.kind !== 'value' || emitted.object === undefined || finder === undefined) return { kind: 'value', value }
  const { object } = emitted
  const name = finder.nameIn(object)
  // In what is written, `${` begins a reference.
  const isName = typeof name === 'number' || (typeof name === 'string' && !name.includes('${'))
  if (!isName) return { kind: 'value', value, object }
  const again = await emitOne(context, entry, name)
  const isIt = again.kind === 'value' && String(again.value) === String(emitted.value)
  return { kind: 'value', value: isIt ? name : value, object }
}

const knownIn = (filters: Readonly<Record<string, Json | undefined>>): Readonly<Record<string, string>> =>
  mapMembers(filters, (value) => (value === undefined || isMark(value) ? undefined : String(value)))

/** A filter without a value would widen the search. */
const filtersOf = (
  { params, inputs, found, own, me, resource }: Resolving,
  { scope = {} }: RefEntry,
): Readonly<Record<string, Json | undefined>> => {
  const variables = scopeOf({
    ...encodeNames(allEntries(resource), own),
    ...params,
    refs: found,
    with: inputs,
    ...defined({ me }),
  })
  return Object.fromEntries(Object.entries(scope).map(([name, template]) => [name, fill(template, variables)]))
}
