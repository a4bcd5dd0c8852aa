import { fromPointer, valueAt } from '../../../engine/json/pointer.ts'
import { isArray, isObject, type Json, type Path } from '../../../engine/schema/json.ts'
import type { AttributeEntry } from './attribute.ts'
import { entriesOf, isSent } from './attributes.ts'
import {
  type BodyValue,
  elementVariables,
  envelopeOf,
  fieldsOf,
  formsOf,
  inElement,
  inPart,
  isSame,
  type PlacesOfVariable,
  rootOf,
  rootOfAll,
  valuesIn,
} from './body-values.ts'
import { isCreateAgain, isFromList, isListed, type RestResource, readOp } from './document.ts'
import type { Operation } from './operation/operation.ts'
import { type Collection, type ResourcePart, sendOf } from './part.ts'
import { choiceMark, names, partsOf, pathOf, spreadMark, variablesOf } from './shared/template.ts'

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
  const base = placeInElement(collection, operation)
  if (isMergedOnTop(operation)) return formsOf(template).flatMap((form) => membersIn(form, inElement(collection), base))
  const isCreate = operation.method === 'POST' && operation === create
  return operation.method === 'PUT' || isCreate ? [{ at: [], place: base }] : []
}

/** The place in an element that has the name of the path. */
const placeInElement = ({ element }: Collection, { path }: Operation): Path => {
  const steps = path.split('/')
  const last = steps.findLastIndex((step) => variablesOf(step).some(([name]) => name === 'el' || name === 'key'))
  const below = last < 0 ? [] : steps.slice(last + 1)
  return (below.length > 0 ? placeNamed(below, Object.entries(element).map(placeRead)) : undefined) ?? []
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

const membersIn = (template: Json, placesOf: PlacesOfVariable, base: Path): readonly ReplacedMember[] => {
  const values = valuesAt(template, placesOf, base)
  const outer = envelopeOf(values)
  const own = valueAt(template, outer)
  return Object.entries(isObject(own) ? own : {}).flatMap(([name, inner]) => {
    const at = [...outer, name]
    const isWhole = values.some((value) => isSame(value.at, at))
    if (name === spreadMark || isWhole || isDone(inner) || !holdsMore(inner)) return []
    return [{ at, place: [...base, ...(placeOfAll(values, at) ?? [name])] }]
  })
}

/**
 * What a body has by itself of the object that a request is about: constants of the document, and values that no change asks for.
 * In each way of sending they take the place of what was read.
 */
export const ownMembers = (
  resource: RestResource,
  part: ResourcePart,
  operation: Operation,
  template: Json,
): readonly ReplacedMember[] => {
  const base = isCreateAgain(resource, operation) ? [] : patchedPlace(resource, part, operation)
  if (base === undefined || isFromList(part)) return []
  // What is asked for of other parts is a change that the plan shows, too.
  return formsOf(template).flatMap((form) =>
    ownIn(form, inPart(part), base).filter(({ at }) => !isAsked(valueAt(form, at) ?? null)),
  )
}

const isAsked = (template: Json): boolean =>
  typeof template === 'string' &&
  partsOf(template).every((part) => 'variable' in part && part.variable[0] === 'desired')

/** The same of a body of one element. */
export const ownOfElement = (collection: Collection, operation: Operation, template: Json): readonly ReplacedMember[] =>
  formsOf(template).flatMap((form) => ownIn(form, inElement(collection), placeInElement(collection, operation)))

const ownIn = (template: Json, placesOf: PlacesOfVariable, base: Path): readonly ReplacedMember[] => {
  if (isArray(template)) return template.flatMap((each, index) => ownOfPatch(each, [index], placesOf, base))
  const values = valuesAt(template, placesOf, base)
  const outer = envelopeOf(values)
  const within = (inner: Json, at: Path, place: Path): readonly ReplacedMember[] =>
    Object.entries(isObject(inner) ? inner : {}).flatMap(([name, deeper]) => {
      const [here, there] = [[...at, name], placeOfAll(values, [...at, name]) ?? [...place, name]]
      if (name === spreadMark || isDone(deeper)) return []
      if (isObject(deeper) && !Object.hasOwn(deeper, choiceMark)) return within(deeper, here, there)
      return valuesIn(deeper, placesOf).length > 0 ? [] : [{ at: here, place: [...base, ...there] }]
    })
  return within(valueAt(template, outer) ?? null, outer, [])
}

/** What one operation of a JSON Patch replaces or removes by itself. https://www.rfc-editor.org/rfc/rfc6902 */
const ownOfPatch = (template: Json, at: Path, placesOf: PlacesOfVariable, base: Path): readonly ReplacedMember[] => {
  const { op, path, value = null } = isObject(template) ? template : {}
  if (typeof path !== 'string' || path.includes('{') || valuesIn(value, placesOf).length > 0) return []
  const place = [...base, ...fromPointer(path)]
  if (op === 'remove') return [{ at, place }]
  const isInserted = op === 'add' && /^\d+$/.test(String(place.at(-1)))
  return (op === 'add' || op === 'replace') && !isInserted ? [{ at: [...at, 'value'], place }] : []
}

/** The values of a body that are inside of a place of what was read. */
const valuesAt = (template: Json, placesOf: PlacesOfVariable, base: Path): readonly BodyValue[] =>
  valuesIn(template, placesOf).flatMap(({ at, read }) =>
    isSame(read.slice(0, base.length), base) ? [{ at, read: read.slice(base.length) }] : [],
  )

/** Where what a body has at a place stands in what was read, if its values tell. */
const placeOfAll = (values: readonly BodyValue[], at: Path): Path | undefined => {
  const inside = values.filter((value) => isSame(value.at.slice(0, at.length), at))
  const place = rootOfAll(inside.map((value) => ({ ...value, at: value.at.slice(at.length) })))
  return place === undefined || place.length === 0 ? undefined : place
}

/** What is done to elements is no list of them. */
const isDone = (template: Json): boolean =>
  ['changes', 'upserts', 'removes'].some((variable) => names(template, variable))

/** An object, a list, or a variable that may have one. */
const holdsMore = (template: Json): boolean =>
  typeof template === 'object'
    ? template !== null
    : variablesOf(template).some(
        (path) => path.length === 1 && ['fields', ...elementVariables].includes(String(path[0])),
      )

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

/** Where `{fields}` stand in what was read, if that is one place for all of them. */
const rootOfFields = (part: ResourcePart): Path | undefined => {
  const isChosen = Object.values(entriesOf(part)).some((entry) => isSent(entry, 'update') && entry.select !== undefined)
  const fields = fieldsOf(entriesOf(part))
  return isChosen ? undefined : fields.length === 0 ? [] : rootOfAll(fields)
}
