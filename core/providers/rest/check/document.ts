import type { Path } from '../../../schema/json.ts'
import type { Problem } from '../../provider.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { allEntries, entriesOf } from '../document/attributes.ts'
import type { RestDocument, RestResource } from '../document/document.ts'
import { tellsExistence } from '../document/operation.ts'
import { problem } from '../document/problem.ts'
import { checkSignIn } from '../document/sign-in.ts'
import { variablesOf } from '../document/template.ts'
import { checkLife } from './life.ts'
import { checkRead } from './operation.ts'
import { checkPart } from './part.ts'
import { checkActions } from './part-write.ts'
import { checkAnswers } from './reach.ts'
import { checkReferences } from './references.ts'
import { checkRefs, checkResolvers } from './refs.ts'
import { checkSecretIds } from './secret-ids.ts'
import { checkSettings } from './settings.ts'
import { checkTemplates } from './templates.ts'
import { checkToldIds, isGivenByWrite } from './variables.ts'
import { checkWaits, isGivenByWait } from './wait.ts'

/** What the keys of a document demand of each other. Needs no server and no description of one. */
export const checkDocument = (document: RestDocument): readonly Problem[] => [
  ...checkSettings(document),
  ...checkSignIn(document),
  ...checkResolvers(document),
  ...Object.entries(document.resources).flatMap(([name, resource]) =>
    checkResource(document, resource).map((problem) => ({ ...problem, path: ['resources', name, ...problem.path] })),
  ),
]

const checkResource = (document: RestDocument, resource: RestResource): readonly Problem[] => [
  ...checkOperations(document, resource),
  ...checkIdentity(resource),
  ...checkGenerated(resource),
  ...checkSecretIds(resource),
  ...checkToldIds(resource),
  ...checkLookup(resource),
  ...checkLife(resource),
  ...checkActions(resource),
  ...checkWaits(resource),
  ...checkRefs(document, resource),
  ...checkTemplates(document, resource),
  ...resource.parts.flatMap((part, index) =>
    checkPart(resource, part).map((found) => ({ ...found, path: ['parts', index, ...found.path] })),
  ),
  ...checkNames(resource),
  ...checkReferences(document, resource),
]

/** Every variable of a path must have a value when the operation is used. */
const checkOperations = ({ provider }: RestDocument, resource: RestResource): readonly Problem[] =>
  Object.entries(resource.operations).flatMap(([name, operation]) => {
    const usable = usableIn(resource, name)
    const known = new Set([...usable, ...Object.keys(provider.params ?? {})])
    const given = Object.keys(provider.with ?? {})
    const wrong = variablesOf(operation.path).filter(([first, ...rest]) =>
      first === 'with'
        ? !given.includes(String(rest[0]))
        : !known.has(String(first)) &&
          !isGivenByWrite(resource, name, [String(first), ...rest]) &&
          !isGivenByWait(resource, name, String(first)) &&
          !isGivenByRef(resource, String(first), String(rest[0])),
    )
    const path: Path = ['operations', name]
    return [
      ...wrong.map((variable) =>
        problem(
          [...path, 'path'],
          `the path variable {${variable.join('.')}} has no value when ${name} is called`,
          'use an identity key, a serverId (not before the object is found), a provider.params name or {with.<name>}',
        ),
      ),
      ...checkAnswers(operation).map((found) => ({ ...found, path: [...path, ...found.path] })),
      ...(/[?#]/.test(operation.path)
        ? [problem([...path, 'path'], 'a path has no ? and no #', 'put the query under query')]
        : []),
      ...Object.keys(operation.produces ?? {})
        .filter((id) => !Object.hasOwn(resource.serverId ?? {}, id))
        .map((id) => problem([...path, 'produces', id], `"${id}" is no serverId`, 'declare it under serverId')),
    ]
  })

const isGivenByRef = (resource: RestResource, first: string, name: string): boolean =>
  first === 'refs' && allEntries(resource)[name]?.ref !== undefined

const usableIn = (resource: RestResource, operation: string): readonly string[] => {
  const entries = allEntries(resource)
  const keys = [...resource.identity.keys, ...Object.keys(entries).filter((name) => entries[name]?.in === 'path')]
  return isBeforeFound(resource, operation) ? keys : [...keys, ...Object.keys(resource.serverId ?? {})]
}

const lookupOperation = ({ lookup }: RestResource): string =>
  'list' in lookup ? lookup.list.op : lookup.retrieve === true ? 'retrieve' : lookup.retrieve

const isBeforeFound = (resource: RestResource, operation: string): boolean =>
  operation === 'create' || operation === lookupOperation(resource) || operation === resource.discover?.op

const checkIdentity = (resource: RestResource): readonly Problem[] => {
  const entries = allEntries(resource)
  const missing = resource.identity.keys.filter((key) => entries[key] === undefined)
  const hidden = resource.identity.keys.filter(
    (key) => entries[key]?.computed || entries[key]?.writeOnly || entries[key]?.sensitive,
  )
  return [
    ...missing.map((key) => problem(['identity', 'keys'], `"${key}" is no attribute`, 'declare it in a part')),
    ...hidden.map((key) =>
      problem(
        ['identity', 'keys'],
        `"${key}" cannot identify: it is computed, write-only or sensitive`,
        'choose a plain attribute',
      ),
    ),
  ]
}

const checkGenerated = ({ identity, serverId = {}, lookup, operations, wait }: RestResource): readonly Problem[] => {
  const path: Path = ['identity', 'generated']
  const { generated, keys, ids } = identity
  if (generated === undefined) return []
  const { create } = operations
  const waits = [wait ?? [], create?.wait ?? []].flat().flatMap((each) => (each === 'none' ? [] : [each]))
  const told = [create?.produces ?? {}, ...waits.map(({ produces = {} }) => produces)].flatMap(Object.keys)
  const untold = Object.keys(serverId).filter((id) => !told.includes(id))
  return [
    ...generated
      .filter((key) => !keys.includes(key))
      .map((key) => problem(path, `"${key}" is no identity key`, 'add it to identity.keys')),
    ...(Object.keys(serverId).length === 0 || !('list' in lookup) || ids === 'position'
      ? [problem(path, 'an object without such a key is found by an id alone', 'add serverId and lookup.list')]
      : []),
    ...untold.map((id) =>
      problem(path, `no answer of the create tells the "${id}" by which it would be found`, 'add produces to create'),
    ),
  ]
}

const checkLookup = (resource: RestResource): readonly Problem[] => {
  const { lookup, operations, discover } = resource
  const path: Path = ['lookup']
  const follow = 'follow' in lookup && lookup.follow !== undefined ? [lookup.follow] : []
  const reading = [lookupOperation(resource), ...follow, ...(discover === undefined ? [] : [discover.op])]
  const listed = ['list' in lookup ? lookup.list.op : undefined, discover?.op]
  const problems = reading.flatMap((op) => [
    ...checkRead(resource, op, path),
    ...(listed.includes(op) && operations[op] !== undefined && tellsExistence(operations[op])
      ? [problem(path, `"${op}" answers no list`, 'use an operation that lists')]
      : []),
  ])
  if (!('list' in lookup)) return problems
  const entries = allEntries(resource)
  const inUrl = variablesOf(operations[lookup.list.op]?.path ?? '').map(([first]) => first)
  const left = resource.identity.keys.filter((key) => !lookup.match.includes(key) && !inUrl.includes(key))
  const { serverId = {} } = resource
  return [
    ...problems,
    ...(lookup.follow === undefined && (lookup.at !== undefined || lookup.ids !== undefined)
      ? [problem(path, 'items of another collection only lead to the object', 'say which operation reads it: follow')]
      : []),
    ...Object.keys(lookup.at ?? {})
      .filter((key) => !lookup.match.includes(key))
      .map((key) => problem([...path, 'at', key], `"${key}" is not matched`, 'add it to match')),
    ...Object.keys(lookup.ids ?? {})
      .filter((id) => !Object.hasOwn(serverId, id))
      .map((id) => problem([...path, 'ids', id], `"${id}" is no serverId`, 'declare it under serverId')),
    ...left.map((key) =>
      problem(
        [...path, 'match'],
        `the identity key "${key}" is neither matched nor in the path of the list`,
        'add it to match',
      ),
    ),
    ...lookup.match
      .filter((key) => entries[key] === undefined)
      .map((key) => problem([...path, 'match'], `"${key}" is no attribute`, 'declare it in a part')),
  ]
}

/** Names that attributes refer to, and names given twice. */
const checkNames = (resource: RestResource): readonly Problem[] => {
  const names = resource.parts.flatMap((part) => Object.keys(entriesOf(part)))
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  const entries = allEntries(resource)
  return [
    ...twice.map((name) => problem(['parts'], `the attribute "${name}" is declared twice`, 'keep it in one part')),
    ...resource.parts.flatMap((part, index) =>
      Object.entries(part.attributes ?? {}).flatMap(([name, entry]) =>
        checkAttribute(entry, name, entries).map((found) => ({
          ...found,
          path: ['parts', index, 'attributes', name, ...found.path],
        })),
      ),
    ),
  ]
}

const checkAttribute = (
  entry: AttributeEntry,
  name: string,
  entries: Readonly<Record<string, AttributeEntry>>,
): readonly Problem[] => {
  const { witness, unlessSent = [], key, element, type } = entry
  return [
    ...(witness !== undefined && entries[witness] === undefined
      ? [problem(['witness'], `"${witness}" is no attribute`, 'declare it in a part')]
      : []),
    ...(witness !== undefined && !entry.writeOnly
      ? [problem(['witness'], `"${name}" can be read and needs no witness`, 'remove witness, or say writeOnly: true')]
      : []),
    ...unlessSent
      .filter((other) => entries[other] === undefined)
      .map((other) => problem(['unlessSent'], `"${other}" is no attribute`, 'declare it in a part')),
    ...(key ?? [])
      .filter((member) => element?.attributes?.[member] === undefined)
      .map((member) =>
        problem(['key'], `the key member "${member}" is not in element`, 'declare it under element.attributes'),
      ),
    ...(entry.attributes !== undefined && type !== 'object'
      ? [problem(['attributes'], `only an object has attributes, "${name}" is a ${type}`, 'say type: object')]
      : []),
    ...(element !== undefined && !['map', 'list', 'set'].includes(type)
      ? [problem(['element'], `only a map, list or set has an element, "${name}" is a ${type}`, 'say its type')]
      : []),
    ...(entry.omit !== undefined && (type !== 'map' || element === undefined)
      ? [
          problem(
            ['omit'],
            `only a map with an element omits keys, "${name}" is a ${type}`,
            'say type: map and its element',
          ),
        ]
      : []),
    ...checkEncoding(entry, name),
    ...(entry.whenUndeclared === 'default' && entry.default === undefined
      ? [problem(['whenUndeclared'], 'there is no default to mean', 'add default')]
      : []),
    ...(entry.as === 'comma' && !['list', 'set'].includes(type)
      ? [problem(['as'], `only a list or set is written with commas, "${name}" is a ${type}`, 'say its type')]
      : []),
  ]
}

/** A secret is put in where it is sent, as it is; what it is encoded to would have to be known before. */
const checkEncoding = (entry: AttributeEntry, name: string, isSecret = false): readonly Problem[] => {
  const { encoding, type, sensitive, writeOnly, element, attributes = {} } = entry
  const hides = isSecret || sensitive === true || writeOnly === true
  const inner = [...Object.entries(attributes), ...(element === undefined ? [] : [[name, element] as const])]
  return [
    ...(encoding !== undefined && (type !== 'string' || hides)
      ? [
          problem(
            ['encoding'],
            `only a text that is no secret has an encoding: "${name}"`,
            'give it as the API wants it, and leave encoding out',
          ),
        ]
      : []),
    ...inner.flatMap(([member, child]) => checkEncoding(child, member, hides)),
  ]
}
