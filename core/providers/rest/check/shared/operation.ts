import { canonicalJson } from '../../../../engine/json/canonical.ts'
import { toPointer } from '../../../../engine/json/pointer.ts'
import { isStraight } from '../../../../engine/schema/base-url.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../../../engine/schema/json.ts'
import { namesStatus } from '../../../../engine/transport/answer/absence.ts'
import {
  overridingHeader,
  overridingMember,
  overridingParameter,
} from '../../../../engine/values/texts/method-override.ts'
import { allEntries } from '../../document/attributes.ts'
import { lookupOp, type RestDocument, type RestResource } from '../../document/document.ts'
import { isRead, type Operation } from '../../document/operation/operation.ts'
import type { Pagination } from '../../document/operation/pages.ts'
import type { BodyRuleEntry, ErrorsEntry } from '../../document/shared/answers.ts'
import { partsOf, spreadMark, textsIn, variablesOf } from '../../document/shared/template.ts'
import { checkHeaders } from './headers.ts'
import { type Findings, found, problem } from './problem.ts'
import { isGivenByWait, isGivenByWrite } from './variables.ts'

/** The places where a read names an operation. */
export const checkRead = ({ operations }: RestResource, op: string, path: Path): Findings => {
  const operation = operations[op]
  if (operation === undefined) return problem(path, 'noOperation', op, operations)
  return !isRead(operation) && problem(path, 'mayWrite', op)
}

/** The places where a write names an operation. */
export const checkWrite = ({ operations }: RestResource, op: string, path: Path): Findings => {
  const operation = operations[op]
  if (operation === undefined) return problem(path, 'noOperation', op, operations)
  return isRead(operation) && problem(path, 'onlyReads', op)
}

/** Ids in an answer: each must be an id of the resource. */
export const checkProduced = ({ serverId = {} }: RestResource, ids: object, path: Path): Findings =>
  Object.keys(ids)
    .filter((id) => !Object.hasOwn(serverId, id))
    .map((id) => problem([...path, id], 'noServerId', id))

/** Every variable of a path must have a value when the operation is used. */
export const checkOperations = (document: RestDocument, resource: RestResource): Findings =>
  Object.entries(resource.operations).map(([name, operation]) =>
    found(
      ['operations', name],
      variablesOf(operation.path)
        .filter((variable) => !isGiven(document, resource, name, variable.map(String)))
        .map((variable) => problem(['path'], 'noValueInPath', variable.join('.'), name)),
      checkAnswers(operation),
      checkEndpoint(document.provider, operation),
      checkSealedBox(resource, operation),
      found(['headers'], checkHeaders(document.provider, operation.headers)),
      /[?#]/.test(operation.path) && problem(['path'], 'queryInPath'),
      isRead(operation) && checkOverrides(document.provider, operation),
      isRead(operation) && checkTwin(document, operation),
      checkProduced(resource, operation.produces ?? {}, ['produces']),
    ),
  )

/** A read that a server takes for another method. */
const checkOverrides = ({ headers = {} }: RestDocument['provider'], operation: Operation): Findings => {
  const [own, everywhere] = [operation.headers, headers].map(overridingHeader)
  const parameter = overridingParameter(Object.entries(operation.query ?? {}))
  const inBody = isObject(operation.body) ? overridingMember(Object.entries(operation.body)) : undefined
  return [
    own !== undefined && problem(['headers', own], 'overridesMethod', own),
    everywhere !== undefined && problem([], 'overridesMethod', everywhere),
    parameter !== undefined && problem(['query', parameter], 'overridesMethod', parameter),
    inBody !== undefined && problem(['body', inBody], 'overridesMethod', inBody),
  ]
}

/**
 * A read that is the request of a write: whatever it is called, a server does what it is asked. Two requests to one place are told
 * apart only by a text of a header, a parameter or a body that both have, and that is another one in each.
 */
const checkTwin = ({ resources }: RestDocument, read: Operation): Findings => {
  // The text of a query cannot ask for a mutation.
  if (read.graphql) return []
  const twins = Object.values(resources).flatMap(({ operations }) =>
    Object.entries(operations).filter(([, other]) => !isRead(other) && placeOf(other) === placeOf(read)),
  )
  const twin = twins.find(([, write]) => !isToldApart(read, write))
  return twin !== undefined && problem(['method'], 'readsByAWrite', twin[0])
}

/** However a server that is not strict takes a path, and whatever its variables are called. */
const placeOf = ({ method, path, graphql }: Operation): string => {
  const plain = path.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  const lax = plain
    .replaceAll(/[\s\p{Cc}]+|;[^/]*/gu, '')
    .replaceAll(/\/+/g, '/')
    .replace(/\/$/, '')
    .toLowerCase()
  const parts = partsOf(lax).map((part) => ('text' in part ? part.text : null))
  return canonicalJson([method, graphql ?? null, parts])
}

/** An API of GETs alone may do something where a parameter says so; whoever reads does not send it. */
const isToldApart = (read: Operation, write: Operation): boolean => {
  const { method, query = {} } = read
  const isMore = Object.entries(write.query ?? {}).some(([name, value]) => value !== '' && !Object.hasOwn(query, name))
  if (isMore && (method === 'GET' || method === 'HEAD')) return true
  if (isOtherCall(read.body, write.body)) return true
  const others = fixedTexts(write)
  return [...fixedTexts(read)].some(([at, text]) => (others.get(at) ?? text) !== text)
}

/** Bodies that name what is called by a member: each has one that the other cannot have. */
const isOtherCall = (read: Json | undefined, write: Json | undefined): boolean => {
  const [own, other] = [read, write].map((body) => (isObject(body ?? null) ? Object.keys(body as JsonObject) : []))
  if (own === undefined || other === undefined || [...own, ...other].includes(spreadMark)) return false
  return own.some((name) => !other.includes(name)) && other.some((name) => !own.includes(name))
}

/** The texts of a request that are the same for all objects, by their places. */
const fixedTexts = ({ headers = {}, query = {}, body = null }: Operation): ReadonlyMap<string, string> => {
  const named = Object.entries(headers).map(([name, value]): [string, Json] => [name.toLowerCase(), value])
  const sent: Json = { headers: Object.fromEntries(named), query, body }
  return new Map(
    textsIn(sent).flatMap(({ at, text }) =>
      (at.length > 1 || text !== 'none') && partsOf(text).every((part) => 'text' in part)
        ? [[toPointer(at), text.trim().toLowerCase()]]
        : [],
    ),
  )
}

/** The key is read by a plain GET, which the request that needs it signs in. */
const checkSealedBox = ({ operations }: RestResource, operation: Operation): Findings => {
  const { sealedBox } = operation
  if (sealedBox === undefined) return []
  const read = operations[sealedBox.op]
  return found(
    ['sealedBox'],
    read === undefined && problem(['op'], 'noOperation', sealedBox.op, operations),
    read !== undefined && read.method !== 'GET' && problem(['op'], 'keyByOther', sealedBox.op, read.method),
    isRead(operation) && problem([], 'sealedRead'),
  )
}

const isGiven = (
  { provider }: RestDocument,
  resource: RestResource,
  operation: string,
  [first = '', second = '']: readonly string[],
): boolean => {
  const entries = allEntries(resource)
  if (first === 'with') return Object.hasOwn(provider.with ?? {}, second)
  if (first === 'me' && provider.me !== undefined) return Object.hasOwn(provider.me.as, second)
  if (first === 'refs') return entries[second]?.ref !== undefined
  return (
    resource.identity.keys.includes(first) ||
    entries[first]?.in === 'path' ||
    Object.hasOwn(provider.params ?? {}, first) ||
    (!isBeforeFound(resource, operation) && Object.hasOwn(resource.serverId ?? {}, first)) ||
    isGivenByWrite(resource, operation, [first, second]) ||
    isGivenByWait(resource, operation, first)
  )
}

const isBeforeFound = (resource: RestResource, operation: string): boolean =>
  operation === 'create' ||
  resource.lifecycle?.create?.some(({ op }) => op === operation) === true ||
  operation === lookupOp(resource) ||
  operation === resource.discover?.op

/** Where a GraphQL operation goes. */
export const checkEndpoint = (provider: RestDocument['provider'], operation: Operation | undefined): Findings =>
  operation?.graphql === true && provider.graphql === undefined && problem(['graphql'], 'noGraphql')

/** Rules for the pages and answers of an operation, and for its request. */
const checkAnswers = (operation: Operation): Findings => {
  const { method, path, body, absent = [], unknown = {}, errors, pagination, emptyWhen } = operation
  const isBare = method === 'GET' || method === 'HEAD'
  const asksInBody = pagination !== undefined && 'in' in pagination && pagination.in === 'body'
  return [
    Object.keys(unknown)
      .filter((status) => namesStatus(absent, Number(status)))
      .map((status) => problem(['unknown', status], 'absentAndUnknown', status)),
    errors && found(['errors'], checkErrors(errors)),
    emptyWhen && checkEmptyWhen(emptyWhen, ['emptyWhen']),
    pagination && found(['pagination'], checkPages(pagination)),
    asksInBody && (isBare || !isRead(operation)) && problem(['pagination', 'in'], 'noBodyToAskIn', method),
    isBare && body !== undefined && body !== 'none' && problem(['body'], 'bodyOfGet', method),
    operation.conditional !== undefined && method !== 'GET' && problem(['conditional'], 'conditionOfOther', method),
    !isStraight(path) && problem(['path'], 'lostSegment'),
  ]
}

export const checkErrors = ({ when = [] }: ErrorsEntry): Findings =>
  when.map((rule, index) => [
    checkRule(rule, ['when', index]),
    rule.means < 400 && problem(['when', index, 'means'], 'noFailure', rule.means),
  ])

/** A rule without conditions would match every answer. */
export const checkRule = ({ exists, is, has, not }: BodyRuleEntry, path: Path): Findings =>
  [exists, is, has, not].every((each) => each === undefined) && problem(path, 'emptyRule')

/** A rule that only names absent members would match a failure too. */
export const checkEmptyWhen = (rules: readonly BodyRuleEntry[], path: Path): Findings => [
  rules.map((rule, index) => checkRule(rule, [...path, index])),
  rules.every(
    ({ exists, ...others }) =>
      exists !== true && [others.is, others.has, others.not].every((each) => each === undefined),
  ) && problem(path, 'anyAnswerIsEmpty'),
]

export const checkPages = (pagination: Pagination): Findings => {
  if (pagination.style === 'page' || pagination.style === 'offset') {
    const { shortEnds, size, total } = pagination
    return [
      shortEnds && size === undefined && problem(['shortEnds'], 'shortWithoutSize'),
      'pages' in pagination && (total ?? false) !== false && problem(['total'], 'countedTwice'),
    ]
  }
  if (pagination.style === 'link')
    return pagination.shortEnds === true && pagination.size === undefined && problem(['shortEnds'], 'shortWithoutSize')
  if (pagination.style !== 'cursor') return []
  const { next, last, param, in: where } = pagination
  return [
    (next === undefined) === (last === undefined) && problem([], 'noCursor'),
    param === undefined && last !== undefined && problem(['last'], 'cursorNotSent'),
    param === undefined && where === 'body' && problem(['in'], 'cursorWithoutPlace'),
  ]
}
