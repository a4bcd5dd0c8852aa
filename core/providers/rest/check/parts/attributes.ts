import type { Problem } from '../../../../engine/schema/issue.ts'
import type { Path } from '../../../../engine/schema/json.ts'
import { present } from '../../../../engine/values/defined.ts'
import { hasType } from '../../../../engine/values/has-type.ts'
import { applyNormalisers } from '../../../../engine/values/normalise/normalisers.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import { allEntries, type Entries, entriesIn, entriesOf, sameValue } from '../../document/attributes.ts'
import { referenceOf } from '../../document/defaults.ts'
import type { RestDocument, RestResource } from '../../document/document.ts'
import { isRead } from '../../document/operation/operation.ts'
import { keyOf, leadsBack, needs } from '../../document/references.ts'
import type { RefEntry } from '../../document/refs.ts'
import { neededIn, spell, variablesOf } from '../../document/shared/template.ts'
import { checkEndpoint } from '../shared/operation.ts'
import type { partSentences } from '../shared/parts/words.ts'
import { type Findings, found, problem } from '../shared/problem.ts'

/** An attribute at any depth of a resource. */
interface PlacedEntry {
  readonly entry: AttributeEntry
  /** `rules.*` is an element of rules. */
  readonly name: string
  readonly path: Path
  /** Of the attribute of the resource that it is in. */
  readonly top: Path
  readonly isInElement?: boolean
}

const placedEntries = ({ parts }: Pick<RestResource, 'parts'>): readonly PlacedEntry[] =>
  parts.flatMap((part, index) =>
    Object.entries(entriesOf(part)).flatMap(([name, entry]) => {
      const isCollection = part.collection?.field === name
      const top: Path = isCollection ? ['parts', index, 'collection'] : ['parts', index, 'attributes', name]
      return placedIn({ entry, name, path: top, top }, isCollection)
    }),
  )

/** A collection writes the attributes of its elements one level higher than a set does. */
const placedIn = (placed: PlacedEntry, isCollection = false): readonly PlacedEntry[] => {
  const { entry, name, path, top, isInElement = false } = placed
  const inside = isCollection ? path : [...path, 'attributes']
  const members = Object.entries(entry.attributes ?? {}).map(([member, inner]) => ({
    entry: inner,
    name: member,
    path: [...inside, member],
    top,
    isInElement,
  }))
  const elements = present(entry.element).map((inner) => ({
    entry: inner,
    name: `${name}.*`,
    path: [...path, 'element'],
    top,
    isInElement: true,
  }))
  return [
    placed,
    ...members.flatMap((each) => placedIn(each)),
    ...elements.flatMap((each) => placedIn(each, isCollection)),
  ]
}

/** Rules between attributes, and between attributes and the types that they name. */
export const checkAttributes = (document: RestDocument, resource: RestResource): Findings => {
  const inParts = resource.parts.flatMap((part) => Object.keys(entriesOf(part)))
  const names = [...inParts, ...Object.keys(resource.withoutApi ?? {})]
  const entries = allEntries(resource)
  return [
    names
      .filter((name, index) => names.indexOf(name) !== index)
      .map((name) => problem(['parts'], 'declaredTwice', name)),
    resource.parts.map(({ attributes = {} }, index) =>
      Object.entries(attributes).map(([name, entry]) =>
        found(['parts', index, 'attributes', name], checkAttribute(entry, name, entries)),
      ),
    ),
    placedEntries(resource).map(({ entry, name, path }) =>
      found(
        path,
        checkType(entry, name),
        path.at(-1) !== 'collection' && checkElementKey(entry, name),
        checkRef(document, entries, entry),
        checkRefersTo(document, entry),
        checkPlace(document, entries, entry),
        checkCreatedIn(document, entry),
        checkIgnore(entry),
        checkForm(entry),
        checkDefault(entry, name),
      ),
    ),
    checkOrder(entries),
  ]
}

/** A rule about a member that no element has would never hold. */
const checkIgnore = ({ ignore = [], element }: AttributeEntry): Findings =>
  ignore.map((rule, index) =>
    Object.keys(rule)
      .filter((member) => element !== undefined && !mayHave(element, member))
      .map((member) => problem(['ignore', index, member], 'notInElement', member, 'element.attributes')),
  )

/** The empty place is all of the object around it. */
const checkForm = ({ type, path, send, encoding }: AttributeEntry): Findings => [
  (path === '' || send === '') && !['object', 'map', 'any'].includes(type) && problem([], 'noObject', type),
  encoding !== undefined && type !== 'string' && problem(['encoding'], 'encodedValue', type),
]

/** A default is written as people write a value. Names are of several types, and a reference is found by its key. */
const checkDefault = (entry: AttributeEntry, name: string): Findings => {
  const { type, values, names, ref, default: written = null, normalise } = entry
  const value = applyNormalisers(written, normalise)
  if (value === null || names !== undefined || ref !== undefined) return []
  if (!hasType(value, type)) return problem(['default'], 'wrongDefault', name, type)
  const isOther = values !== undefined && !values.some((allowed) => sameValue(entry, allowed, value))
  return isOther && problem(['default'], 'otherDefault', name, values.map(spell))
}

/** A fact that its type cannot have would have no effect. */
const checkType = (entry: AttributeEntry, name: string): Findings => {
  const { type, element } = entry
  const isList = type === 'list' || type === 'set'
  const only = (fact: Parameters<(typeof partSentences)['wrongType']>[0], fits: boolean): Findings =>
    entry[fact] !== undefined && !fits && problem([fact], 'wrongType', fact, name, type)
  return [
    only('attributes', type === 'object'),
    only('sendOnly', type === 'object'),
    only('element', isList || type === 'map'),
    only('manage', type === 'set' || type === 'map'),
    only('omit', type === 'map' && element !== undefined),
    only('pairs', type === 'map'),
    only('as', entry.as !== 'comma' || isList),
  ]
}

const checkElementKey = ({ type, key, element }: AttributeEntry, name: string): Findings => {
  if (key === undefined) return []
  if (type !== 'set' && type !== 'list') return problem(['key'], 'wrongType', 'key', name, type)
  return key
    .filter((member) => element?.attributes?.[member] === undefined)
    .map((member) => problem(['key'], 'notInElement', member, 'element.attributes'))
}

const mayHave = ({ type, attributes }: AttributeEntry, member: string): boolean =>
  attributes === undefined ? ['any', 'map', 'object'].includes(type) : attributes[member] !== undefined

const checkAttribute = (entry: AttributeEntry, name: string, entries: Entries): Findings => {
  const { witness, unlessSent = [] } = entry
  return [
    witness !== undefined && entries[witness] === undefined && problem(['witness'], 'noAttribute', witness, entries),
    witness !== undefined && !entry.writeOnly && problem(['witness'], 'needlessWitness', name),
    unlessSent.map((other) => entries[other] === undefined && problem(['unlessSent'], 'noAttribute', other, entries)),
    entriesIn(entry)
      .slice(1)
      .some(({ createOnly, appliesWhen }) => createOnly === true || appliesWhen !== undefined) &&
      problem([], 'notInside', name),
    entry.createOnly &&
      (entry.required || entry.computed || entry.in === 'path') &&
      problem(['createOnly'], 'usedLater', name),
    entry.whenUndeclared === 'default' && entry.default === undefined && problem(['whenUndeclared'], 'noDefault'),
  ]
}

/** The target of a reference must have what the reference names. */
const checkRefersTo = ({ resources }: RestDocument, { refersTo }: AttributeEntry): Findings => {
  if (refersTo === undefined) return []
  const { type, attribute } = refersTo
  const target = Object.hasOwn(resources, type) ? resources[type] : undefined
  if (target === undefined) return problem(['refersTo', 'type'], 'noType', type, Object.keys(resources))
  const names = [...Object.keys(allEntries(target)), ...Object.keys(target.serverId ?? {})]
  if (attribute === undefined)
    return keyOf(target, {}) === undefined && problem(['refersTo'], 'noSingleKey', type, names)
  if (names.includes(attribute)) return []
  return problem(['refersTo', 'attribute'], 'noMember', type, attribute, names)
}

/** What is in an object by its path must say all that the read of that object needs. The proving id needs no read. */
const checkPlace = ({ provider, resources }: RestDocument, entries: Entries, entry: AttributeEntry): Findings => {
  const { type = '', attribute = '' } = (entry.in === 'path' ? referenceOf(entry, resources) : undefined) ?? {}
  const other = Object.hasOwn(resources, type) ? resources[type] : undefined
  const container = other?.identity.container
  if (other === undefined || container === undefined || attribute === container.id) return []
  const known = [attribute, 'with', ...Object.keys(entries), ...Object.keys(provider.params ?? {})]
  const missing = neededIn(other.operations[container.op]?.path ?? '')
    .map(({ variable: [name] }) => String(name))
    .filter((name) => !known.includes(name))
  return missing.map((name) =>
    problem([entry.ref === undefined ? 'refersTo' : 'ref'], 'containerByOther', type, name, container.id),
  )
}

/** An object that its container cannot be read from later may have been made again in another one. */
const checkCreatedIn = ({ resources }: RestDocument, entry: AttributeEntry): Findings => {
  const { type = '' } = (entry.createOnly === true ? referenceOf(entry, resources) : undefined) ?? {}
  const other = Object.hasOwn(resources, type) ? resources[type] : undefined
  return other?.identity.container !== undefined && problem(['createOnly'], 'createdIn', type)
}

/** A reference must have a way to find its object. */
const checkRef = (
  { provider, resources, resolvers = {} }: RestDocument,
  entries: Entries,
  { ref, type }: AttributeEntry,
): Findings => {
  if (ref === undefined) return []
  const alone = [...Object.keys(entries), ...Object.keys(provider.params ?? {})]
  const target = ref.type === undefined ? undefined : resources[ref.type]
  return found(
    ['ref'],
    type !== 'string' && type !== 'number' && problem([], 'refOfWhole', type),
    (ref.type === undefined) === (ref.resolver === undefined) && problem([], 'typeAndResolver'),
    ref.type !== undefined && target === undefined && problem(['type'], 'noType', ref.type),
    ref.resolver !== undefined &&
      resolvers[ref.resolver] === undefined &&
      problem(['resolver'], 'noResolver', ref.resolver),
    target && checkKey(target, ref),
    variablesOf(ref.scope ?? {})
      .filter(([first, second]) =>
        first === 'refs'
          ? !Object.hasOwn(entries, String(second))
          : !['with', 'me'].includes(String(first)) && !alone.includes(String(first)),
      )
      .map((variable) => problem(['scope'], 'scopeOfNothing', variable.join('.'))),
  )
}

const checkKey = (target: RestResource, ref: RefEntry): Findings => {
  const key = keyOf(target, ref)
  if (key === undefined) return problem([], 'severalKeys', ref.type ?? '')
  return allEntries(target)[key] === undefined && problem(['by'], 'noKeyAttribute', ref.type ?? '', key)
}

/** Scopes must not depend on each other in a circle. */
const checkOrder = (entries: Entries): Findings => {
  const reaches = (from: string, to: string, seen: ReadonlySet<string>): boolean =>
    needs(entries[from] ?? { type: 'any' }).some(
      (next) => next !== from && (next === to || (!seen.has(next) && reaches(next, to, new Set([...seen, next])))),
    )
  return Object.keys(entries)
    .filter((name) => reaches(name, name, new Set()))
    .map((name) => problem(['parts'], 'circularScope', name))
}

export const checkResolvers = ({ provider, resolvers = {} }: RestDocument): Findings =>
  Object.entries(resolvers).map(([name, { list, retrieve }]) =>
    found(
      ['resolvers', name],
      !list && !retrieve && problem([], 'resolverAsksNothing'),
      retrieve?.path.includes('{value}') === false && problem(['retrieve', 'path'], 'everyValueFindsSame'),
      found(['list'], checkEndpoint(provider, list)),
      found(['retrieve'], checkEndpoint(provider, retrieve)),
      list && !isRead(list) && problem(['list'], 'resolverWrites'),
      retrieve && !isRead(retrieve) && problem(['retrieve'], 'resolverWrites'),
    ),
  )

/**
 * References whose emitted value leads to no object: a configuration with names works, but one with the values of the API, as
 * an import writes it, does not. Each is reported at the attribute of the resource.
 */
export const findOneWayRefs = (document: RestDocument): readonly Problem[] =>
  found(
    ['resources'],
    Object.entries(document.resources).map(([type, resource]) =>
      placedEntries(resource).map(({ entry: { ref }, top }) => {
        const target = document.resources[ref?.type ?? '']
        if (ref?.type === undefined || target === undefined || leadsBack(target, ref)) return false
        return problem([type, ...top], 'oneWayReference', ref.type, ref.emit)
      }),
    ),
  )

/** Members of elements that have a choice of values and a default, where nothing says what an element without them means. */
export const findOpenDefaults = (document: RestDocument): readonly Problem[] =>
  found(
    ['resources'],
    Object.entries(document.resources).map(([type, resource]) =>
      placedEntries(resource).map(({ entry, path, isInElement }) => {
        const { values, default: fallback, access, whenUndeclared, computed, immutable } = entry
        const isOpen = [access, whenUndeclared, computed, immutable].every((fact) => fact === undefined)
        if (!isInElement || values === undefined || fallback === undefined || !isOpen) return false
        return problem([type, ...path, 'default'], 'openDefault', fallback)
      }),
    ),
  )
