import { holdsRule } from '../../command/answer-errors.ts'
import type { Request } from '../../schema/command.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { isArray, isObject, toPointer, valueAt } from '../../schema/json.ts'
import type { ReadDeps } from '../provider.ts'
import { type Answer, ask, badBody, buildRead, kindOf, type Unknown, unresolved } from './ask.ts'
import type { TypeContext } from './context.ts'
import type { Absences, BodyRuleEntry } from './document-answers.ts'
import type { Listing, Operation } from './document-operation.ts'
import type { Pagination } from './document-pages.ts'
import { doubtAbout, firstPage, nextPage, type Page } from './pages.ts'
import { placeOf, type Scope } from './template.ts'

export type Items =
  | { readonly kind: 'items'; readonly items: readonly JsonObject[] }
  | { readonly kind: 'absent' }
  | Unknown

/** How a list is read, beginning with its first page. */
interface Reading {
  readonly context: TypeContext
  readonly listing: Listing
  readonly operation: Operation
  readonly pagination: Pagination
  readonly absent: Absences
  readonly first: Request
}

/**
 * All items of a list, over all pages; a list that may not be whole is unknown. Where answers are kept, equal questions
 * get one list, which is the same array for all.
 */
export const listItems = async (
  context: TypeContext,
  listing: Listing,
  operation: Operation,
  scope: Scope,
  deps: ReadDeps,
): Promise<Items> => {
  const pagination = operation.pagination ?? context.settings.pagination
  const absent = operation.absent ?? listing.absent
  const pageQuery = 'query' in pagination ? pagination.query : {}
  const built = buildRead(context, operation, scope, { ...listing.query, ...pageQuery })
  if (!built.ok) return unresolved(built)
  const first = firstPage(pagination, built.request)
  const read = () => readPages({ context, listing, operation, pagination, absent, first }, deps)
  const key = JSON.stringify([first, listing, operation.answer, absent, pagination])
  return deps.transport.remember?.(key, read) ?? read()
}

const readPages = async (reading: Reading, deps: ReadDeps): Promise<Items> => {
  const { context, listing, operation, pagination, absent, first } = reading
  const items: JsonObject[] = []
  const seen = new Set<string>()
  let request = first
  let before: Page | undefined
  for (let number = 1; ; number += 1) {
    const answer = await ask(context, operation, request, number === 1 ? absent : endOf(pagination), deps)
    if (answer.kind === 'absent') return number === 1 ? answer : { kind: 'items', items }
    if (answer.kind === 'unknown') return answer
    const found = itemsOf(listing, operation, absent, answer)
    if (!isArray(found)) return badBody(request, found.wrong)
    items.push(...found)
    const page = { number, request, response: answer.response, items: found, collected: items.length }
    const doubt = before && doubtAbout(pagination, before, page)
    if (doubt !== undefined) return badBody(request, doubt)
    before = page
    const next = nextPage(pagination, page, seen)
    if (next.kind === 'end') return { kind: 'items', items }
    if (next.kind === 'unknown') return next
    request = next.request
  }
}

/** Statuses that end a list on a later page. */
const endOf = (pagination: Pagination): readonly number[] => ('end' in pagination ? pagination.end : [])

const itemsOf = (
  { items, keyed }: Listing,
  { answer = '', emptyWhen }: Operation,
  absent: Absences,
  { response }: Extract<Answer, { readonly kind: 'answer' }>,
): readonly JsonObject[] | { readonly wrong: string } => {
  const answered = valueAt(response.body, [...placeOf(answer), ...placeOf(items)])
  if (answered === null && absent.includes(null)) return []
  // Some leave an empty list out; what else left it out is told by nothing but what such an answer holds.
  if (answered === undefined && emptyWhen !== undefined && holdsAllRules(emptyWhen, response.body)) return []
  const found = keyed === undefined ? answered : membersOf(answered, keyed)
  if (!isArray(found))
    return { wrong: `${kindOf(answered)} where ${keyed === undefined ? 'a list' : 'an object'} was expected` }
  return found.every(isObject) ? found : { wrong: 'a list whose elements are not all objects' }
}

const holdsAllRules = (rules: readonly BodyRuleEntry[], body: Json): boolean =>
  rules.every(({ place, ...rule }) => holdsRule({ pointer: toPointer(placeOf(place)), ...rule }, body))

/** A member that is no object stays what it is, for the caller to refuse. */
const membersOf = (answered: Json | undefined, keyed: string): Json | undefined =>
  isObject(answered)
    ? Object.entries(answered).map(([name, item]) => (isObject(item) ? { ...item, [keyed]: name } : item))
    : undefined
