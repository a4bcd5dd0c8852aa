import { toPointer, valueAt } from '../../../engine/json/pointer.ts'
import { isObject, type Json, type Path } from '../../../engine/schema/json.ts'
import type { AttributeEntry } from './attribute.ts'
import { type Entries, entriesOf, isSent } from './attributes.ts'
import { isCreateAgain, isFromList, isListed, type RestResource, readOp } from './document.ts'
import type { Operation } from './operation/operation.ts'
import { type Collection, type ResourcePart, sendOf } from './part.ts'
import { choiceMark, names, partsOf, pathOf, spreadMark, textsIn, variablesOf } from './shared/template.ts'

/** Which place, in what a part was read from, a request replaces. */

/** A body that is made of attributes alone. */
export const fieldsOnly = '{fields}'

/** What the body of a part's write is made from. */
export const templateOf = ({ write }: ResourcePart, { body }: Operation): Json => write?.body ?? body ?? fieldsOnly

/**
 * Where a request puts another value in the place of what the part was read from; `undefined` if it replaces nothing of it. A PUT
 * to what was read, and the request that creates it, replace all of it; a PUT to a place below that replaces what its path, or
 * else its body, says.
 */
export const replacedPlace = (
  resource: RestResource,
  part: ResourcePart,
  operation: Operation,
  template: Json = templateOf(part, operation),
): Path | undefined => {
  if (isFromList(part) || keepsOthers(resource, part, operation)) return undefined
  if (isCreateAgain(resource, operation)) return []
  if (operation.method !== 'PUT') return undefined
  const steps = stepsBelow(resource, part, operation) ?? (isListed(resource, part) ? [] : undefined)
  if (steps === undefined || steps.length === 0) return steps
  // One of several things below an object is an object of its own.
  if (steps.some((step) => step.includes('{'))) return undefined
  return spelledPlace(resource, part, steps) ?? placeOfBody(template, part)
}

/** A member of a body that a server may put in the place of what it has, and that place in what was read. */
export interface ReplacedMember {
  readonly at: Path
  readonly place: Path
}

/**
 * What a PATCH replaces whose body the document composes by itself: many servers merge the members of the object alone, so that
 * each object and each list that stands for such a member takes the place of all that was there. What `{fields}` has in the
 * place of the object, and a value that is all of an attribute, is sent with all that was read of it.
 */
export const replacedMembers = (
  resource: RestResource,
  part: ResourcePart,
  operation: Operation,
  template: Json = templateOf(part, operation),
): readonly ReplacedMember[] => {
  if (!isMergedOnTop(operation) || isFromList(part) || keepsOthers(resource, part, operation)) return []
  const base = patchedPlace(resource, part, operation)
  return base === undefined ? [] : formsOf(template).flatMap((form) => membersIn(form, inPart(part), base))
}

/** The formats of patches say by themselves what they keep. */
const isMergedOnTop = ({ method, contentType = '' }: Operation): boolean =>
  method === 'PATCH' && !/\b(merge|json)-patch\b/.test(contentType)

/** The same of one element: a PUT, and the request that also creates it, replace all of it, or the place in it that has the name of the path. */
export const replacedInElement = (
  collection: Collection,
  operation: Operation,
  create: Operation | undefined,
  template: Json,
): readonly ReplacedMember[] => {
  const steps = operation.path.split('/')
  const last = steps.findLastIndex((step) => variablesOf(step).some(([name]) => name === 'el' || name === 'key'))
  const below = last < 0 ? [] : steps.slice(last + 1)
  const base =
    (below.length > 0 ? placeNamed(below, Object.entries(collection.element).map(placeRead)) : undefined) ?? []
  if (isMergedOnTop(operation)) return formsOf(template).flatMap((form) => membersIn(form, inElement(collection), base))
  const isCreate = operation.method === 'POST' && operation === create
  return operation.method === 'PUT' || isCreate ? [{ at: [], place: base }] : []
}

/** What a PATCH of one element has of its attributes: it leaves the others alone. */
export const sentOfElement = (collection: Collection, operation: Operation, template: Json): readonly BodyValue[] =>
  isMergedOnTop(operation) ? formsOf(template).flatMap((form) => valuesIn(form, inElement(collection))) : []

/** What a PATCH is about: the object, or the place in it that has the name of its path. */
const patchedPlace = (resource: RestResource, part: ResourcePart, operation: Operation): Path | undefined => {
  const steps = stepsBelow(resource, part, operation) ?? (isListed(resource, part) ? [] : undefined)
  if (steps === undefined || steps.length === 0) return steps
  return spelledPlace(resource, part, steps)
}

/** A template, or what a choice may make of it. */
export const formsOf = (template: Json): readonly Json[] =>
  isObject(template) && Object.hasOwn(template, choiceMark)
    ? Object.entries(template).flatMap(([name, form]) => (name === choiceMark ? [] : formsOf(form)))
    : [template]

const membersIn = (template: Json, placesOf: PlacesOfVariable, base: Path): readonly ReplacedMember[] => {
  const values = valuesIn(template, placesOf).flatMap(({ at, read }) =>
    isSame(read.slice(0, base.length), base) ? [{ at, read: read.slice(base.length) }] : [],
  )
  const outer = envelopeOf(values)
  const own = valueAt(template, outer)
  return Object.entries(isObject(own) ? own : {}).flatMap(([name, inner]) => {
    const at = [...outer, name]
    const inside = values.filter((value) => isSame(value.at.slice(0, at.length), at))
    const isWhole = inside.some((value) => value.at.length === at.length)
    // What is done to elements is no list of them.
    const isDone = ['changes', 'upserts', 'removes'].some((variable) => names(inner, variable))
    if (name === spreadMark || isWhole || isDone || !holdsMore(inner)) return []
    const place = rootOfAll(inside.map((value) => ({ ...value, at: value.at.slice(at.length) })))
    return [{ at, place: [...base, ...(place === undefined || place.length === 0 ? [name] : place)] }]
  })
}

/** An object, a list, or a variable that may have one. */
const holdsMore = (template: Json): boolean =>
  typeof template === 'object'
    ? template !== null
    : variablesOf(template).some(
        (path) => path.length === 1 && ['fields', ...elementVariables].includes(String(path[0])),
      )

/** Where the object stands in a body: each of its values has there the place that it has in what was read. */
const envelopeOf = (values: readonly BodyValue[]): Path => {
  const [first = [], ...others] = values.map(({ at, read }) => at.slice(0, Math.max(0, at.length - read.length)))
  const isOne = others.every((other) => isSame(other, first)) && first.every((step) => typeof step === 'string')
  return isOne && values.every(({ at, read }) => isSame([...first, ...read], at)) ? first : []
}

/** Whether nothing tells what a PUT below the object replaces: what it resets cannot be named. */
export const replacesUnknown = (resource: RestResource, part: ResourcePart, operation: Operation): boolean => {
  if (operation.method !== 'PUT' || keepsOthers(resource, part, operation)) return false
  const steps = stepsBelow(resource, part, operation) ?? []
  const isOne = steps.length > 0 && !steps.some((step) => step.includes('{'))
  return isOne && replacedPlace(resource, part, operation) === undefined
}

/** Whether a server keeps what a body of this operation does not have: `keeps` is about the operations of its own write. */
export const keepsOthers = ({ operations }: RestResource, { write }: ResourcePart, operation: Operation): boolean =>
  write?.keeps === true &&
  [write.op, write.create, write.remove].some((op) => op !== undefined && operations[op] === operation)

/**
 * The place whose whole value is the `{fields}` of a request: what was read there, with what differs. `undefined` if they are
 * attributes alone.
 */
export const wholePlace = (resource: RestResource, part: ResourcePart, operation: Operation): Path | undefined => {
  const { write } = part
  const { method, contentType } = operation
  // The fields of a form have no place for all that JSON can hold.
  const isJson = contentType === undefined || /\bjson\b/.test(contentType)
  if (write === undefined || write.keeps === true || !isJson || method === 'PATCH') return undefined
  if (sendOf(write, method) !== 'full') return undefined
  const root = rootOfFields(part)
  const steps = stepsBelow(resource, part, operation)
  if (steps === undefined || steps.length === 0) return root?.length === 0 ? root : undefined
  const replaced = replacedPlace(resource, part, operation)
  const isInside = replaced !== undefined && root !== undefined && isSame(replaced, root.slice(0, replaced.length))
  return isInside ? root : undefined
}

/** The steps of a path below that of the object, none for the object itself; `undefined` if the path is another one. */
const stepsBelow = (resource: RestResource, part: ResourcePart, { path }: Operation): readonly string[] | undefined => {
  const read = resource.operations[readOp(part)]?.path ?? ''
  if (path === read) return []
  if (!path.startsWith(`${read}/`) || isFromList(part)) return undefined
  // What a list shows is one step below the list.
  return path
    .slice(read.length + 1)
    .split('/')
    .slice(isListed(resource, part) ? 1 : 0)
}

/** The place around attributes of the part, or of its whole answer, that has the name of the path. */
const spelledPlace = (resource: RestResource, part: ResourcePart, steps: readonly string[]): Path | undefined => {
  const answer = pathOf(resource.operations[readOp(part)]?.answer ?? '')
  const isNamed = (place: Path): boolean => plainName(place.slice(-steps.length)) === plainName(steps)
  if (answer.length > 0 && isNamed(answer)) return []
  return placeNamed(steps, Object.entries(entriesOf(part)).map(placeRead))
}

const placeRead = ([name, entry]: readonly [string, AttributeEntry]): Path => pathOf(entry.path ?? name)

/** Of these places and those around them, the one whose last steps are these. */
const placeNamed = (steps: readonly string[], places: readonly Path[]): Path | undefined =>
  places
    .flatMap((place) => place.map((_, index) => place.slice(0, index + 1)))
    .find((place) => plainName(place.slice(-steps.length)) === plainName(steps))

/** `/ip-config` is `ipConfig` in an answer. */
const plainName = (steps: Path): string =>
  steps.map((step) => String(step).toLowerCase().replaceAll(/[-_ ]/g, '')).join('/')

/** Where the body stands in the answer: each of its values is at one place in it, and at another one in what was read. */
const placeOfBody = (template: Json, part: ResourcePart): Path | undefined => {
  const root = rootOfAll(valuesIn(template, inPart(part)).filter((value) => rootOf(value) !== undefined))
  return root !== undefined && root.length > 0 ? root : undefined
}

/** The one place in what was read where all of these values stand. */
const rootOfAll = (values: readonly BodyValue[]): Path | undefined => {
  const [first, ...others] = values.map(rootOf)
  return first !== undefined && others.every((root) => root !== undefined && isSame(root, first)) ? first : undefined
}

export interface BodyValue {
  readonly at: Path
  readonly read: Path
}

/** The values that a variable has: their places in it, and in what was read. */
type PlacesOfVariable = (variable: readonly string[]) => readonly BodyValue[]

/** The values of a body: their places in it, and in what was read. */
const valuesIn = (template: Json, placesOf: PlacesOfVariable): readonly BodyValue[] =>
  textsIn(template).flatMap(({ at: steps, text }): readonly BodyValue[] => {
    const [only, ...others] = partsOf(text)
    if (only === undefined || others.length > 0 || !('variable' in only)) return []
    const at = steps.filter((step) => step !== spreadMark)
    return placesOf(only.variable.map(String)).map((value) => ({ ...value, at: [...at, ...value.at] }))
  })

const inPart =
  (part: ResourcePart): PlacesOfVariable =>
  ([first, name, ...deeper]) => {
    const entries = entriesOf(part)
    const placeOf = (own: string): Path => pathOf(entries[own]?.path ?? own)
    if (first === 'fields') return fieldsOf(entries)
    if (first === 'all') return [{ at: [], read: placeOf(part.collection?.field ?? '') }]
    const isAttribute = first === 'desired' && name !== undefined && Object.hasOwn(entries, name)
    return isAttribute ? [{ at: [], read: [...placeOf(name), ...deeper] }] : []
  }

const inElement =
  ({ element }: Collection): PlacesOfVariable =>
  ([first = '', name, ...deeper]) => {
    if (!elementVariables.includes(first)) return []
    if (name === undefined) return fieldsOf(element)
    if (element[name] !== undefined) return [{ at: [], read: [...pathOf(element[name].path ?? name), ...deeper] }]
    const place = [name, ...deeper]
    return [{ at: [], read: placeShown(element, place) ?? place }]
  }

/** What a body has of one element. */
const elementVariables: readonly string[] = ['el', 'changed', 'key']

/** The attributes that requests have. */
const fieldsOf = (entries: Entries): readonly BodyValue[] =>
  Object.entries(entries).flatMap(([name, entry]) => (isSent(entry, 'update') ? [inBody(entry, name)] : []))

const inBody = (entry: AttributeEntry, name: string): BodyValue => ({
  at: pathOf(entry.send ?? name),
  read: pathOf(entry.path ?? name),
})

/** Where answers show what a body has at a place inside of it, if that is one place for all attributes that are there. */
export const placeShown = (entries: Entries, at: Path): Path | undefined => {
  if (Object.values(entries).some((entry) => isSent(entry, 'update') && entry.select !== undefined)) return undefined
  const roots = fieldsOf(entries)
    .filter((value) => isAround(value, at))
    .map(({ at: place, read }): Path => {
      if (place.length <= at.length) return [...read, ...at.slice(place.length)]
      return rootOf({ at: place.slice(at.length), read }) ?? []
    })
  const [root] = roots
  return root !== undefined && root.length > 0 && roots.every((each) => isSame(each, root)) ? root : undefined
}

/** Where answers show, inside of that place, what a body has elsewhere. */
export const sentElsewhere = (entries: Entries, at: Path): readonly Path[] => {
  const shown = placeShown(entries, at) ?? []
  return fieldsOf(entries).flatMap((value) => {
    const isInside = value.read.length > shown.length && isSame(value.read.slice(0, shown.length), shown)
    return isInside && !isAround(value, at) ? [value.read] : []
  })
}

/** Whether a value of a body is at a place, around it or inside of it. */
const isAround = ({ at: own }: BodyValue, at: Path): boolean => {
  const shared = Math.min(at.length, own.length)
  return isSame(at.slice(0, shared), own.slice(0, shared))
}

/** Where `{fields}` stand in what was read, if that is one place for all of them. */
const rootOfFields = (part: ResourcePart): Path | undefined => {
  const isChosen = Object.values(entriesOf(part)).some((entry) => isSent(entry, 'update') && entry.select !== undefined)
  const fields = fieldsOf(entriesOf(part))
  return isChosen ? undefined : fields.length === 0 ? [] : rootOfAll(fields)
}

const rootOf = ({ at, read }: BodyValue): Path | undefined => {
  const root = read.slice(0, Math.max(0, read.length - at.length))
  return isSame([...root, ...at], read) ? root : undefined
}

const isSame = (one: Path, other: Path): boolean => toPointer(one) === toPointer(other)
