import type { Json, Path } from '../../../../engine/schema/json.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import { allEntries, entriesIn, entriesOf, isSent, placeIn } from '../../document/attributes.ts'
import { isKept, type RestResource } from '../../document/document.ts'
import { keyOfElements } from '../../document/elements.ts'
import type { Operation } from '../../document/operation/operation.ts'
import type { Collection, ResourcePart } from '../../document/part.ts'
import { variablesOf } from '../../document/shared/template.ts'
import { type Findings, found, problem } from '../shared/problem.ts'

/**
 * What can be declared must be in a request: otherwise a plan shows a change that no request makes, and says "done"
 * afterwards.
 */
export const checkCarried = (resource: RestResource): Findings => [
  isKept(resource) ? [] : checkCreated(resource),
  resource.parts.map((part, index) =>
    found(['parts', index], checkUpdated(resource, part), part.collection && checkElements(resource, part.collection)),
  ),
  checkCalled(resource),
]

interface Carried {
  /** By its name, in any place of the request. */
  names(member: string): boolean
  /** By its name, or at its place in `{fields}`, or in the part of them that the body has: `{fields.recipe}`. */
  has(member: string, entry: AttributeEntry): boolean
}

/** The variables that hold members: each of them alone (`{desired.size}`), and all that are to be sent (`{fields}`). */
interface Variables {
  readonly each: readonly string[]
  readonly whole: readonly string[]
  /** Whether a member is a variable of its own: `{size}`. */
  readonly isBare: (member: string) => boolean
}

const ofAttributes: Variables = { each: ['desired', 'refs'], whole: ['fields'], isBare: () => true }

/** In a request that changes an object, `{size}` is the value that it has. */
const ofChanges: Variables = { ...ofAttributes, isBare: () => false }

/** `{key}` alone has the key of an element. */
const ofElements: Variables = {
  each: ['el', 'changed', 'key'],
  whole: ['fields', 'el', 'changed'],
  isBare: (member) => member === 'key',
}

const carries = (operation: Operation, template: Json | undefined, { each, whole, isBare }: Variables): Carried => {
  const body = template ?? operation.body
  const { path, query = {}, headers = {} } = operation
  const named = variablesOf([path, query, headers, body ?? null])
  const names = (member: string): boolean =>
    named.some(([first, second]) => (first === member && isBare(member)) || (isOneOf(each, first) && second === member))
  const has = (member: string, entry: AttributeEntry): boolean =>
    body === undefined ||
    names(member) ||
    named.some(([first, ...inner]) => isOneOf(whole, first) && isInside(placeIn(entry, member), inner))
  return { names, has }
}

const isOneOf = (variables: readonly string[], first: Path[number] | undefined): boolean =>
  variables.includes(String(first))

const isInside = (place: Path, outer: Path): boolean => outer.every((step, index) => (place[index] ?? step) === step)

/** Of the parts that a create takes. What is set by later writes is judged there. */
const checkCreated = (resource: RestResource): Findings => {
  const { operations, lifecycle, identity, parts } = resource
  const ops = ['create', ...(lifecycle?.create ?? []).map(({ op }) => op)]
  const creates = ops.flatMap((op) =>
    operations[op] === undefined ? [] : carries(operations[op], undefined, ofAttributes),
  )
  if (creates.length === 0) return []
  const scoping = scopesOf(resource)
  const isUnsent = ([name, entry]: readonly [string, AttributeEntry]): boolean =>
    !entry.computed &&
    !identity.generated?.includes(name) &&
    (entry.in === 'path'
      ? !scoping.has(name) && !creates.some((create) => create.names(name))
      : isSent(entry, 'create') && !creates.some((create) => create.has(name, entry)))
  return parts.map((part, index) =>
    part.onCreate === 'inline'
      ? Object.entries(entriesOf(part))
          .filter(isUnsent)
          .map(([name]) => problem(['parts', index, 'attributes', name], 'notInRequest', name, 'create'))
      : [],
  )
}

/** Attributes that say where others are searched: a request carries what is found there. */
const scopesOf = (resource: RestResource): ReadonlySet<string> => {
  const scopes = Object.values(allEntries(resource))
    .flatMap(entriesIn)
    .map(({ ref }) => ref?.scope ?? {})
  return new Set(
    variablesOf(scopes).map(([first, second]) => String(isOneOf(ofAttributes.each, first) ? second : first)),
  )
}

const checkUpdated = (resource: RestResource, part: ResourcePart): Findings => {
  const { write } = part
  const operation = write && resource.operations[write.op]
  if (operation === undefined) return []
  const request = carries(operation, write?.body, ofChanges)
  // A call that another one undoes says it by itself: a PUT switches on, a DELETE switches off.
  const isSwitch = (entry: AttributeEntry): boolean => write?.remove !== undefined && entry.type === 'boolean'
  // Without an id, another key is another object.
  const isFixed = (name: string): boolean => resource.serverId === undefined && resource.identity.keys.includes(name)
  return changeable(resource, part)
    .filter(([name, entry]) => !isSwitch(entry) && !isFixed(name) && !request.has(name, entry))
    .map(([name, entry]) => {
      const isFormer = sendsFormer(operation, write?.body, name, entry)
      return problem(['attributes', name], isFormer ? 'sendsFormer' : 'notInRequest', name, write?.op ?? '')
    })
}

const sendsFormer = (operation: Operation, body: Json | undefined, name: string, entry: AttributeEntry): boolean =>
  !carries(operation, body, ofChanges).has(name, entry) && carries(operation, body, ofAttributes).has(name, entry)

/** A call may say by itself what it sets; one that has the attribute must not have its former value. */
const checkCalled = (resource: RestResource): Findings => {
  const entries = allEntries(resource)
  return Object.entries(resource.actions ?? {}).map(([call, { op, on, when = {}, alongside, body }]) => {
    const operation = resource.operations[op]
    if (operation === undefined || alongside) return []
    const isFormer = (name: string): boolean =>
      when[name] === undefined && entries[name] !== undefined && sendsFormer(operation, body, name, entries[name])
    return on.filter(isFormer).map((name) => problem(['actions', call], 'sendsFormer', name, op))
  })
}

/** The attributes of a part that its write must be able to change: no call sets them. */
export const changeable = ({ actions = {} }: RestResource, { attributes = {} }: ResourcePart) => {
  const called = Object.values(actions).flatMap(({ on, alongside }) => (alongside ? [] : on))
  return Object.entries(attributes).filter(([name, entry]) => isChanged(entry) && !called.includes(name))
}

const isChanged = (entry: AttributeEntry): boolean => !entry.immutable && isSent(entry, 'update')

/** Calls for one element each: what an element may have is in the call that adds it, and in the one that changes it. */
const checkElements = ({ operations }: RestResource, collection: Collection): Findings => {
  const { write, element } = collection
  const key = keyOfElements(collection) ?? []
  if (write === undefined || !('each' in write)) return []
  const check = (op: string | undefined, isMeant: (name: string, entry: AttributeEntry) => boolean): Findings => {
    const operation = operations[op ?? '']
    if (op === undefined || operation === undefined) return []
    const request = carries(operation, undefined, ofElements)
    const isInKey = (name: string): boolean => key.includes(name) && request.names('key')
    return Object.entries(element)
      .filter(([name, entry]) => isMeant(name, entry) && !isInKey(name) && !request.has(name, entry))
      .map(([name]) => problem(['collection', 'element', name], 'notInRequest', name, op))
  }
  return [
    check(write.each.create, (_, entry) => isSent(entry, 'create')),
    // An element with another key is another element.
    check(write.each.update, (name, entry) => isChanged(entry) && !key.includes(name)),
  ]
}
