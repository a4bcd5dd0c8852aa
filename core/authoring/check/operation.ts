import type { Operation } from '../../providers/rest/document/operation.ts'
import type { Path } from '../../schema/json.ts'
import type { Answer, Content, DescribedOperation, Schema } from '../description/description.ts'
import type { FindOperation } from '../description/find-operation.ts'
import { sentMediaType } from '../document/document-view.ts'
import { type Comparison, disagree, nothing, together } from './finding.ts'

/** An operation of the document and what the description says of it. */
export interface Call {
  readonly name: string
  readonly operation: Operation
  readonly described: DescribedOperation
  readonly at: Path
  /** For people: `create (POST /things)`. */
  readonly text: string
}

export type MatchedCall = { readonly call?: Call; readonly comparison: Comparison }

/** Looks an operation up; what is wrong with its path or method is told. */
export const matchCall = (find: FindOperation, name: string, operation: Operation, at: Path): MatchedCall => {
  const { method, path } = operation
  const found = find(method, path)
  if (found.kind === 'no-path') {
    const fix =
      found.nearest === undefined ? 'correct the path, or the base path in baseUrl' : `the nearest is ${found.nearest}`
    return { comparison: disagree([...at, 'path'], `the description has no path ${path}`, fix) }
  }
  if (found.kind === 'no-method') {
    const there = found.methods.length === 0 ? 'no method at all' : found.methods.join(', ')
    const message = `the description has no ${method} of ${found.path}`
    return { comparison: disagree([...at, 'method'], message, `it has ${there}`, found.pointer) }
  }
  const { operation: described } = found
  const call = { name, operation, described, at, text: `${name} (${method} ${path})` }
  const slash = found.slash
    ? disagree(
        [...at, 'path'],
        `the description writes ${found.path}`,
        'servers tell a final / from none: write it the same way',
        described.pointer,
      )
    : nothing
  return { call, comparison: together([slash, compareSuccess(call), compareHeaders(call), compareBodyKind(call)]) }
}

const isSuccess = ({ status }: Answer): boolean => /^2/.test(status)

const statusFits = (described: string, status: number): boolean =>
  described === 'default' || described === String(status) || described === `${String(status)[0]}XX`

const compareSuccess = ({ operation, described, at, text }: Call): Comparison => {
  const { success } = operation
  if (success === undefined || described.answers.length === 0) return nothing
  const fitting = described.answers.filter((one) => isSuccess(one) || one.status === 'default')
  const alien = success.filter((status) => !fitting.some((one) => statusFits(one.status, status)))
  const passed = fitting.filter(({ status }) => /^\d+$/.test(status) && !success.includes(Number(status)))
  const listed = fitting.map(({ status }) => status).join(', ') || 'no success at all'
  return together([
    alien.length === 0
      ? nothing
      : disagree(
          [...at, 'success'],
          `${text} does not answer ${alien.join(', ')} in the description`,
          `it has: ${listed}`,
          `${described.pointer}/responses`,
        ),
    passed.length === 0
      ? nothing
      : disagree(
          [...at, 'success'],
          `${text} may answer ${passed.map(({ status }) => status).join(', ')} in the description, which is a failure here`,
          'add it to success, if it is one',
          `${described.pointer}/responses`,
        ),
  ])
}

const sentAlways: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])

const compareHeaders = ({ operation, described, at, text }: Call): Comparison => {
  const given = new Set(Object.keys(operation.headers ?? {}).map((name) => name.toLowerCase()))
  const demanded = described.parameters.filter(
    ({ in: place, required, name }) =>
      place === 'header' && required && !sentAlways.has(name.toLowerCase()) && !given.has(name.toLowerCase()),
  )
  return together(
    demanded.map(({ name }) =>
      disagree(at, `${text} demands the header ${name}`, 'give it under headers', described.pointer),
    ),
  )
}

const bodies: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

const suits = (sent: string, { isJson, mediaType }: Content): boolean =>
  isJson
    ? /json/i.test(sent)
    : mediaType.split(';')[0]?.trim().toLowerCase() === sent.split(';')[0]?.trim().toLowerCase()

const compareBodyKind = ({ operation, described, at, text }: Call): Comparison => {
  const { body } = described
  if (body === undefined) return nothing
  const sent = sentMediaType(operation)
  if (bodies.has(operation.method) && operation.body !== 'none' && !suits(sent, body)) {
    return disagree(
      at,
      `${text} takes ${body.mediaType}; ${sent} is what is sent`,
      'say its contentType, or use another operation',
      body.pointer,
    )
  }
  return operation.body === 'none' && body.required
    ? disagree([...at, 'body'], `${text} demands a body`, 'say what it is', body.pointer)
    : nothing
}

/** Query parameters that are sent beside those that are known; `at` is where they stand. */
export const compareQuery = (call: Call, names: readonly string[], at: Path): Comparison => {
  const known = call.described.parameters.filter((one) => one.in === 'query').map(({ name }) => name)
  // Deep objects: `filter` is written `filter[name]`.
  const alien = names.filter((name) => !known.includes(name) && !known.includes(name.replace(/\[.*$/, '')))
  const hint = known.length === 0 ? 'it has none' : `it has: ${known.join(', ')}`
  return together(
    alien.map((name) =>
      disagree(
        [...at, name],
        `${call.text} has no query parameter "${name}"`,
        `servers ignore what they do not know; ${hint}`,
        call.described.pointer,
      ),
    ),
  )
}

/** Query parameters without which the operation is refused. */
export const compareDemanded = (call: Call, names: readonly string[]): Comparison => {
  const demanded = call.described.parameters.filter(
    (one) => one.in === 'query' && one.required && one.schema.default === undefined && !names.includes(one.name),
  )
  return together(
    demanded.map(({ name }) =>
      disagree(
        call.at,
        `${call.text} demands the query parameter "${name}"`,
        'give it under query',
        call.described.pointer,
      ),
    ),
  )
}

/** What a success answers in JSON; 200 and 201 before others. */
export const answerOf = ({ operation, described }: Call): Schema | undefined => {
  const fitting = described.answers.filter((one) => {
    if (!isSuccess(one) && one.status !== 'default') return false
    return operation.success === undefined || operation.success.some((status) => statusFits(one.status, status))
  })
  const ordered = fitting.toSorted((left, right) => rank(left) - rank(right))
  return ordered.find(({ content }) => content?.isJson && content.schema !== undefined)?.content?.schema
}

const rank = ({ status }: Answer): number =>
  status === 'default' ? 9 : status === '200' ? 0 : status === '201' ? 1 : 2
