import { AppError } from '../../../engine/errors/errors.ts'
import type { Absence, CommandDraft, PlannedRequest, Waiter } from '../../../engine/schema/command.ts'
import type { Json } from '../../../engine/schema/json.ts'
import { defined } from '../../../engine/values/defined.ts'
import { mapMembers } from '../../../engine/values/members.ts'
import { pollsObject } from '../document/document.ts'
import type { Operation } from '../document/operation/operation.ts'
import type { WaiterEntry } from '../document/operation/wait.ts'
import { pointerOf, ruleOf } from '../document/shared/template.ts'
import { absencesOf, plannedRead } from '../request/ask.ts'
import { within } from '../request/build-body.ts'
import type { TypeContext } from '../request/context.ts'
import { successRule } from '../request/whole-answer.ts'
import type { WriteContext } from './values/command-context.ts'

/** A write with its waiters. The scope of the context names the object as it is once the write is done. */
export const withWait = (context: WriteContext, draft: CommandDraft, operation: Operation): CommandDraft => {
  const entries = waitersOf(context, draft, operation)
  if (entries.length === 0) return draft
  const wait = entries.map((entry, index) => {
    const before = entries[index - 1]
    const answered = before === undefined ? operation : pollOf(context, before)
    return waiterOf(context, entry, { answered: answered?.answer ?? '', written: operation.answer ?? '' })
  })
  return { ...draft, wait }
}

/** The waiter of the operation, else the one of the resource. */
const waitersOf = (
  { resource }: TypeContext,
  { action }: CommandDraft,
  { wait }: Operation,
): readonly WaiterEntry[] => {
  if (wait !== undefined) return wait === 'none' ? [] : [wait].flat()
  const all = [resource.wait ?? []].flat()
  return action === 'delete' ? all.map((entry) => ofDelete(resource, entry)) : all
}

/**
 * For a delete, a poll of the object that answers absent means success. A separate operation ends as for any other write, and
 * the target of a Location may be deleted with the object.
 */
const ofDelete = (resource: TypeContext['resource'], entry: WaiterEntry): WaiterEntry => {
  if (entry.gone !== undefined || entry.forgotten !== undefined) return entry
  if (pollsObject(resource, entry)) return { ...entry, gone: goneOf(resource) }
  return typeof entry.poll === 'object' && 'location' in entry.poll ? { ...entry, forgotten: 'done' } : entry
}

const goneOf = ({ lifecycle }: TypeContext['resource']): NonNullable<WaiterEntry['gone']> =>
  lifecycle?.delete?.gone ?? 'success'

const pollOf = ({ resource }: TypeContext, { poll }: WaiterEntry): Operation | undefined => {
  const op = typeof poll === 'string' ? poll : 'op' in poll ? poll.op : undefined
  return op === undefined ? undefined : resource.operations[op]
}

/** Places of the object in the answer before, and in that of the write. */
type AnswerPlaces = Readonly<Record<'answered' | 'written', string>>

const waiterOf = (context: WriteContext, entry: WaiterEntry, { answered, written }: AnswerPlaces): Waiter => {
  const { poll, when, state, ok = [], error = [], failed, gone, forgotten, message, produces, ...times } = entry
  const operation = pollOf(context, entry)
  const polled = operation?.answer ?? ''
  const from = typeof poll === 'object' && 'from' in poll ? poll.from : undefined
  const messages = [message ?? []].flat().map((place) => pointerOf(place, polled))
  return {
    request: pollRequest(context, operation, Object.keys(from ?? {})),
    ...defined({
      location: typeof poll === 'object' && 'location' in poll ? true : undefined,
      takes: from && mapMembers(from, (place) => pointerOf(place, answered)),
    }),
    when: { statuses: when, ...defined({ state: state === undefined ? undefined : pointerOf(state, written) }) },
    ...defined({ state: state === undefined ? undefined : pointerOf(state, polled) }),
    ok,
    error,
    ...defined({
      failed: failed?.map((rule) => ruleOf(rule, polled)),
      gone: gone === undefined ? undefined : goneAt(gone, polled),
      forgotten,
    }),
    absent: absentOf(context, operation),
    ...defined({ message: messages.length === 0 ? undefined : messages }),
    ...times,
    ...defined({ produces: produces && producedAt(produces, polled) }),
    ...(operation && successRule(operation)),
  }
}

const goneAt = (gone: NonNullable<WaiterEntry['gone']>, polled: string): NonNullable<Waiter['gone']> =>
  gone === 'success'
    ? {}
    : { where: Object.fromEntries(Object.entries(gone.where).map(([at, value]) => [pointerOf(at, polled), value])) }

const producedAt = (produces: Readonly<Record<string, string>>, polled: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(produces).map(([id, place]) => [`/ids/${id}`, pointerOf(place, polled)]))

const absentOf = ({ settings }: TypeContext, operation: Operation | undefined): readonly Absence[] =>
  absencesOf(operation, operation?.absent ?? settings.reads.absent).filter((each) => each !== null)

/** Without an operation it is a GET of the URL in Location. All requests of a provider sign in the same way. */
const pollRequest = (
  context: WriteContext,
  operation: Operation | undefined,
  from: readonly string[],
): PlannedRequest => {
  const taken = from.map((name): [string, Json] => [name, { $after: context.change.address, pointer: `/wait/${name}` }])
  const scope = within(context.scope, Object.fromEntries(taken))
  const built = plannedRead(context, operation ?? { method: 'GET', path: '/' }, scope)
  if (built.ok) return built.request
  throw new AppError('INTERNAL', { detail: `${context.change.address}: waiting: ${built.variable} ${built.detail}` })
}
