import type { Path } from '../../../engine/schema/json.ts'
import type { Operation } from '../../../providers/rest/document/operation/operation.ts'
import type { Content, DescribedOperation } from '../description/description.ts'
import type { FindOperation } from '../description/find-operation.ts'
import { sentMediaType } from '../document/document-view.ts'
import { type Findings, finding } from './finding.ts'
import { say } from './words.ts'

export interface ComparedCall {
  readonly name: string
  readonly operation: Operation
  readonly described: DescribedOperation
  readonly at: Path
  /** For people: `create (POST /things)`. */
  readonly text: string
}

export function* matchCall(
  find: FindOperation,
  name: string,
  operation: Operation,
  at: Path,
): Findings<ComparedCall | undefined> {
  const { method, path } = operation
  const found = find(method, path)
  if (found.kind === 'no-path') {
    yield finding([...at, 'path'], say('noPath', path, found.nearest))
    return undefined
  }
  if (found.kind === 'no-method') {
    yield finding([...at, 'method'], say('noMethod', method, found.path, found.methods), found.pointer)
    return undefined
  }
  const described = found.operation
  const call = { name, operation, described, at, text: `${name} (${method} ${path})` }
  if (found.slash) yield finding([...at, 'path'], say('otherSlash', found.path), described.pointer)
  yield* compareSuccess(call)
  yield* compareHeaders(call)
  yield* compareBodyKind(call)
  return call
}

function* compareSuccess({ operation: { success }, described, at, text }: ComparedCall): Findings {
  const fitting = described.answers.map(({ status }) => status).filter((status) => /^2|^default$/.test(status))
  if (success === undefined || described.answers.length === 0) return
  const isDescribed = (status: number): boolean =>
    ['default', String(status), `${String(status)[0]}XX`].some((form) => fitting.includes(form))
  const unknown = success.filter((status) => !isDescribed(status))
  const missed = fitting.filter((status) => /^\d+$/.test(status) && !success.includes(Number(status)))
  const path = [...at, 'success']
  const pointer = `${described.pointer}/responses`
  if (unknown.length > 0) yield finding(path, say('unknownSuccess', text, unknown, fitting), pointer)
  if (missed.length > 0) yield finding(path, say('missedSuccess', text, missed), pointer)
}

const sentAlways: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])

function* compareHeaders({ operation, described, at, text }: ComparedCall): Findings {
  const given = new Set(Object.keys(operation.headers ?? {}).map((name) => name.toLowerCase()))
  for (const { in: place, required, name } of described.parameters) {
    const isSent = sentAlways.has(name.toLowerCase()) || given.has(name.toLowerCase())
    if (place === 'header' && required && !isSent)
      yield finding(at, say('headerRequired', text, name), described.pointer)
  }
}

const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

const bare = (mediaType: string): string => mediaType.replace(/;.*$/, '').trim().toLowerCase()

const suits = (sent: string, { isJson, mediaType }: Content): boolean =>
  isJson ? /json/i.test(sent) : bare(mediaType) === bare(sent)

function* compareBodyKind({ operation, described: { body }, at, text }: ComparedCall): Findings {
  const sent = sentMediaType(operation)
  if (body === undefined) return
  if (operation.body === 'none') {
    if (body.required) yield finding([...at, 'body'], say('bodyRequired', text), body.pointer)
  } else if (withBody.has(operation.method) && !suits(sent, body))
    yield finding(at, say('otherMediaType', text, body.mediaType, sent), body.pointer)
}

export function* compareQuery(call: ComparedCall, names: readonly string[], at: Path): Findings {
  const known = call.described.parameters.filter((one) => one.in === 'query').map(({ name }) => name)
  // A deep object: `filter[name]` is the parameter `filter`.
  const unknown = names.filter((name) => !known.includes(name) && !known.includes(name.replace(/\[.*$/, '')))
  for (const name of unknown)
    yield finding([...at, name], say('unknownQuery', call.text, name, known), call.described.pointer)
}

export function* compareRequiredQuery({ described, text, at }: ComparedCall, names: readonly string[]): Findings {
  for (const { in: place, required, name, schema } of described.parameters)
    if (place === 'query' && required && schema.default === undefined && !names.includes(name))
      yield finding(at, say('queryRequired', text, name), described.pointer)
}
