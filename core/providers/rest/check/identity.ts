import type { Json, Path } from '../../../engine/schema/json.ts'
import { present } from '../../../engine/values/defined.ts'
import { allEntries, type Entries } from '../document/attributes.ts'
import { isKept, lastingIds, lookupOp, type RestResource, toldIds } from '../document/document.ts'
import { tellsExistence } from '../document/operation/operation.ts'
import { neededIn, pathOf, variablesOf } from '../document/shared/template.ts'
import type { IdPlace } from '../document/shared/words.ts'
import { checkRead } from './shared/operation.ts'
import { type Findings, found, problem } from './shared/problem.ts'

/** The identity of an object, and how the object is found by it. */
export const checkIdentity = (resource: RestResource): Findings => [
  checkKeys(resource),
  checkGenerated(resource),
  checkFollowing(resource),
  checkContainer(resource),
  checkSecretIds(resource),
  toldIds(resource).map((id) => found(['serverId', id], checkTold(resource, id))),
  checkIdPaths(resource),
  found(['lookup'], checkLookup(resource)),
]

const checkKeys = (resource: RestResource): Findings => {
  const entries = allEntries(resource)
  return resource.identity.keys.map((key) => {
    const entry = entries[key]
    if (entry === undefined) return problem(['identity', 'keys'], 'noAttribute', key, entries)
    return (entry.computed || entry.writeOnly || entry.sensitive) && problem(['identity', 'keys'], 'hiddenKey', key)
  })
}

const checkGenerated = ({ identity, serverId = {}, lookup, operations, wait }: RestResource): Findings => {
  const { generated, keys, ids } = identity
  if (generated === undefined) return []
  const { create } = operations
  const waits = [wait ?? [], create?.wait ?? []].flat().filter((each) => each !== 'none')
  const told = [create?.produces ?? {}, ...waits.map(({ produces = {} }) => produces)].flatMap(Object.keys)
  const isFoundById = Object.keys(serverId).length > 0 && 'list' in lookup && ids !== 'position'
  return found(
    ['identity', 'generated'],
    generated.filter((key) => !keys.includes(key)).map((key) => problem([], 'noKey', key)),
    !isFoundById && problem([], 'foundByIdAlone'),
    Object.keys(serverId)
      .filter((id) => !told.includes(id))
      .map((id) => problem([], 'idNotTold', id)),
  )
}

/** What changes with the name cannot find an object. */
const checkFollowing = (resource: RestResource): Findings => {
  const { identity, serverId = {} } = resource
  const { follows } = identity
  if (follows === undefined) return []
  return found(
    ['identity', 'follows'],
    follows.filter((id) => !Object.hasOwn(serverId, id)).map((id) => problem([], 'noServerId', id)),
    lastingIds(resource).length === 0 && problem([], 'noLastingId'),
  )
}

/** What is in an object is found by its keys, and proven by an id that no other object ever gets. */
const checkContainer = (resource: RestResource): Findings => {
  const { container, keys, ids, follows = [] } = resource.identity
  if (container === undefined) return []
  const { op, id } = container
  // An id that is made from the name is as good as the name.
  const known = [
    ...keys,
    ...follows,
    ...Object.keys(allEntries(resource)).filter((name) => allEntries(resource)[name]?.in === 'path'),
  ]
  const lacking = variablesOf(resource.operations[op]?.path ?? '').filter(
    ([name = '']) => Object.hasOwn(resource.serverId ?? {}, name) && !known.includes(String(name)),
  )
  return found(
    ['identity', 'container'],
    checkRead(resource, op, ['op']),
    typeof resource.serverId?.[id] !== 'string' && problem(['id'], 'noServerId', id),
    (ids !== 'stable' || !lastingIds(resource).includes(id)) && problem(['id'], 'proofNotStable', id),
    lacking.map(([name]) => problem(['op'], 'containerById', String(name))),
  )
}

/** A read that does not ask for a key answers the same object for each resource. */
const checkAsked = ({ identity, operations, lifecycle }: RestResource, op: string): Findings => {
  const { path = '', query = {}, body = null, headers = {} } = operations[op] ?? {}
  if (operations[op] === undefined || lifecycle?.single === true) return []
  const asked = variablesOf([path, query, body, headers]).map(([first, second]) =>
    String(first === 'refs' ? second : first),
  )
  return identity.keys.filter((key) => !asked.includes(key)).map((key) => problem(['retrieve'], 'keyNotAsked', key, op))
}

const checkLookup = (resource: RestResource): Findings => {
  const { lookup, operations, discover, serverId = {}, identity } = resource
  const lists = ['list' in lookup ? lookup.list.op : undefined, discover?.op]
  const reading = present(lookupOp(resource), 'follow' in lookup && lookup.follow, discover?.op)
  const read = reading.map((op) => {
    const answersNone = operations[op] !== undefined && tellsExistence(operations[op])
    return [checkRead(resource, op, []), answersNone && lists.includes(op) && problem([], 'answersNoList', op)]
  })
  const besides = [...('list' in lookup ? (lookup.list.also ?? []) : []), ...(discover?.also ?? [])]
  read.push(...besides.map(({ op }) => [checkRead(resource, op, ['list', 'also']), false as const]))
  if (!('list' in lookup)) return [read, checkAsked(resource, lookupOp(resource))]
  const { match, at = {}, ids = {}, follow } = lookup
  const entries = allEntries(resource)
  // A path that holds a member of what a key refers to holds the key. What no answer shows may be in the query or the body.
  const { path = '', query = {}, body = null } = operations[lookup.list.op] ?? {}
  const namesOf = (template: Json) =>
    neededIn(template).map(({ variable: [first, second] }) => String(first === 'refs' ? second : first))
  const asked = namesOf([query, lookup.list.query ?? {}, body]).filter((name) => entries[name]?.in === 'path')
  const inUrl = [...namesOf(path), ...asked]
  return [
    read,
    follow === undefined && (lookup.at !== undefined || lookup.ids !== undefined) && problem([], 'noFollow'),
    Object.keys(at).map((key) => !match.includes(key) && problem(['at', key], 'notMatched', key)),
    Object.keys(ids).map((id) => !Object.hasOwn(serverId, id) && problem(['ids', id], 'noServerId', id)),
    identity.keys
      .filter((key) => !match.includes(key) && !inUrl.includes(key))
      .map((key) => problem(['match'], 'neitherMatchedNorInPath', key)),
    match.map((key) => entries[key] === undefined && problem(['match'], 'noAttribute', key, entries)),
  ]
}

/** An id stands in URLs, in plans and in the state in clear: no place of it may hold, or lie in, what is sensitive. */
const checkSecretIds = (resource: RestResource): Findings => {
  const secrets = sensitivePaths(allEntries(resource))
  return idPlaces(resource).map(({ path, place }) => {
    const secret = typeof place === 'string' && secrets.find((each) => overlaps(each, pathOf(place)))
    return secret && problem(path, 'secretId', String(place), secret.join('.'))
  })
}

/** The path of an attribute is its place in the answer, the path of a member its place in its object. */
const sensitivePaths = (entries: Entries, around: Path = []): readonly Path[] =>
  Object.entries(entries).flatMap(([name, entry]) => {
    const path = [...around, ...pathOf(entry.path ?? name)]
    if (entry.sensitive === true || entry.writeOnly === true) return [path]
    return sensitivePaths(entry.attributes ?? {}, path)
  })

const overlaps = (left: Path, right: Path): boolean =>
  left.slice(0, right.length).every((step, n) => String(step) === String(right[n]))

interface PlacedId {
  readonly path: Path
  readonly id: string
  readonly place: IdPlace
}

const idPlaces = ({ serverId, lookup, operations }: RestResource): readonly PlacedId[] => [
  ...placed(serverId, ['serverId']),
  ...placed('ids' in lookup ? lookup.ids : {}, ['lookup', 'ids']),
  ...Object.entries(operations).flatMap(([name, { produces, wait = 'none' }]) => [
    ...placed(produces, ['operations', name, 'produces']),
    ...[wait].flat().flatMap((each) => placed(each === 'none' ? {} : each.produces, ['operations', name, 'wait'])),
  ]),
]

const placed = (places: Readonly<Record<string, IdPlace>> = {}, path: Path): readonly PlacedId[] =>
  Object.entries(places).map(([id, place]) => ({ path: [...path, id], id, place }))

/** An id that only a header tells: an answer must tell it, and nothing may depend on a list that shows it. */
const checkTold = (resource: RestResource, id: string): Findings => {
  const { identity, lookup, operations } = resource
  const isLed = 'list' in lookup && lookup.follow !== undefined && lookup.ids?.[id] === undefined
  const create = isKept(resource) ? undefined : operations['create']
  const isAnswered = 'retrieve' in lookup || create === undefined || create.produces?.[id] !== undefined
  return [
    identity.ids !== 'stable' && problem([], 'toldIdNotStable', id),
    isLed && problem([], 'toldIdNotListed', id),
    !isAnswered && problem([], 'toldIdNotProduced', id),
  ]
}

const checkIdPaths = (resource: RestResource): Findings =>
  idPlaces(resource).map(({ path, id, place }) => {
    if (typeof place === 'string' || place.path === undefined) return false
    const segments = place.path.split('/').slice(1)
    const isOne = segments.filter((each) => each === `{${id}}`).length === 1 && variablesOf(place.path).length === 1
    return (!isOne || segments.includes('')) && problem([...path, 'path'], 'noIdSegment', id)
  })
