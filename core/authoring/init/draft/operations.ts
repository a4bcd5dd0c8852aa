import type { Json } from '../../../schema/json.ts'
import { insideOf } from '../find/envelope.ts'
import { saysLeftOut } from '../find/left-out.ts'
import { guessPages, totalPlace } from '../find/pages.ts'
import type { Envelopes } from '../find/resource-parts.ts'
import type { Candidate, Endpoint } from '../find/resources.ts'
import { answered, isForm } from '../find/resources.ts'
import { entry, placeText } from './attribute.ts'
import { type Entry, map, openMap } from './yaml.ts'

export interface OperationFacts {
  /** Path with the variables of the document in the place of the description's parameters. */
  readonly pathOf: (path: string) => string
  /** Members that hold the object, by operation. */
  readonly answers: Envelopes
  readonly bodies: Envelopes
  /** Members that hold the items of the list. */
  readonly items?: readonly string[]
  /** Server ids that the create answers. */
  readonly produces?: Readonly<Record<string, Json>>
  /** How the provider's lists come, for those that come otherwise. */
  readonly pagination: Json
}

const names = ['list', 'retrieve', 'create', 'update', 'delete'] as const

/** `operations` of a resource. */
export const draftOperations = (candidate: Candidate, facts: OperationFacts): Entry => {
  const entries = names.flatMap((name): Entry[] => {
    const endpoint = candidate[name]
    return endpoint === undefined ? [] : [operationEntry(name, endpoint, facts)]
  })
  return { key: 'operations', node: openMap(entries) }
}

const operationEntry = (name: (typeof names)[number], endpoint: Endpoint, facts: OperationFacts): Entry => {
  const { operation, path } = endpoint
  const isWrite = name === 'create' || name === 'update'
  const success = operation.answers
    .map(({ status }) => status)
    .filter((status) => /^2\d\d$/.test(status))
    .map(Number)
  // Only what is read as an object has a place; a create answers its ids from the whole.
  const answer = (name === 'retrieve' ? facts.answers[name] : undefined) ?? []
  const around = (isWrite ? facts.bodies[name] : undefined) ?? []
  const body = around.reduceRight<Json>((inner, member) => ({ [member]: inner }), '{fields}')
  const pages = name === 'list' ? guessPages(operation) : undefined
  const differs = pages !== undefined && JSON.stringify(pages.pagination) !== JSON.stringify(facts.pagination)
  const empty = name === 'list' ? emptyEntries(endpoint, facts.items ?? []) : undefined
  const headers = isWrite ? mediaTypeEntries(operation.body?.mediaType ?? 'application/json') : []
  const { produces } = facts
  return {
    key: name,
    comments: [
      ...demandedComments(endpoint),
      ...(success.includes(202) && isWrite ? ['decide: 202 says that it is not done yet; see `wait`'] : []),
      ...(differs ? pages.comments : []),
      ...(empty?.comments ?? []),
    ],
    node: map([
      entry('method', operation.method),
      entry('path', facts.pathOf(path)),
      ...headers,
      ...(around.length === 0 ? [] : [entry('body', body)]),
      ...(success.length === 0 ? [] : [entry('success', success)]),
      ...(answer.length === 0 ? [] : [entry('answer', placeText(answer))]),
      ...(name === 'create' && produces !== undefined ? [entry('produces', produces)] : []),
      ...(differs ? [entry('pagination', pages.pagination)] : []),
      ...(empty?.entries ?? []),
    ]),
  }
}

/** What an answer holds whose list is left out because nothing is in it, where the description says that it may be. */
const emptyEntries = (
  endpoint: Endpoint,
  items: readonly string[],
): { readonly entries: readonly Entry[]; readonly comments: readonly string[] } => {
  const answer = answered(endpoint)
  const member = items.at(-1)
  const isLeftOut = member !== undefined && saysLeftOut(insideOf(answer, items.slice(0, -1)), member)
  if (!isLeftOut) return { entries: [], comments: [] }
  const total = totalPlace(answer)
  const rule = `decide: "${member}" may be left out, the description says; which answer means none? (emptyWhen)`
  return total === undefined
    ? { entries: [], comments: [rule] }
    : { entries: [entry('emptyWhen', [{ place: total, is: [0] }])], comments: [] }
}

const mediaTypeEntries = (mediaType: string): readonly Entry[] => {
  if (isForm(mediaType)) return [entry('contentType', 'application/x-www-form-urlencoded')]
  return /^application\/(json|\*)|^\*\/\*|^text\/json/.test(mediaType)
    ? []
    : [entry('headers', { 'Content-Type': mediaType })]
}

const demandedComments = ({ operation }: Endpoint): readonly string[] =>
  operation.parameters
    .filter(({ in: place, required, schema }) => place === 'query' && required && schema.default === undefined)
    .map(({ name }) => `decide: the query parameter "${name}" is demanded`)
