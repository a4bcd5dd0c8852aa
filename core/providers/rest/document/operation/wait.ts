import * as z from 'zod'
import { described, name, objectChapter, optional } from '../../../../engine/schema/described.ts'
import { bodyRule } from '../shared/answers.ts'
import { place, places, scalar, several, status, where } from '../shared/words.ts'

/** How to wait for a write that only starts something. */

const poll = z.union([
  name,
  z.strictObject({
    op: described(name, 'The operation.'),
    from: optional(
      z.record(name, place.min(1)),
      'Path variables, with their places in the previous answer: the answer of the write, or the last answer of the waiter before.',
      { order: 'uuid' },
    ),
  }),
  z.strictObject({ location: described(z.literal(true), 'Poll the URL of the Location header, on the same host.') }),
])

const waiter = objectChapter(
  'waiter',
  'Waiting',
  'How to recognise the end of an operation that a write starts. It is part of the approved command.',
  {
    poll: described(poll, 'What to poll: an operation that reads, or a URL from the previous answer.', 'retrieve', {
      op: 'order',
      from: { order: 'uuid' },
    }),
    when: described(
      several(status).default([202]),
      "Statuses of the write's answer that mean that waiting is needed. A state in this answer that is not in `ok` means it too. Only the answer itself counts, not the statuses of the API description. A sequence begins with the first waiter that is needed.",
    ),
    state: optional(
      place.min(1),
      'Where an answer has the state. Without it, a success other than 202 is the end.',
      'state',
    ),
    ok: optional(
      several(scalar),
      'States that mean success; case, `_`, `-` and spaces are ignored. Any state in neither list means that the operation is still in progress.',
      ['OK'],
    ),
    error: optional(several(scalar), 'States that mean failure, compared in the same way.', ['ERRED']),
    failed: optional(several(bodyRule), 'Rules for an answer that means failure, whatever the state is.', [
      { place: 'error', exists: true },
    ]),
    gone: optional(
      z.union([
        z.literal('success'),
        z.strictObject({ where: described(where, 'Values by their places.', { archived: true }) }),
      ]),
      'Waiting ends when a poll answers "not there" (`success`), or also when it answers an object with these values. If `wait` of the resource polls the object, a delete uses it in this way, with the values of `lifecycle.delete.gone`. If it polls an operation of its own, a delete ends like any other write.',
    ),
    forgotten: optional(
      z.enum(['done', 'unknown']),
      'What it means if the polled operation (a job, a task) does not exist, because servers forget finished operations: it is `done`, or its outcome is `unknown`, at once. When left out, it is polled again until the time-out.',
    ),
    message: optional(
      places,
      'Where an answer with an `error` state has the reason: a place, or several.',
      'error_message',
    ),
    intervalSeconds: described(
      z.number().positive().default(5),
      'Seconds between two polls; a longer Retry-After is used instead.',
    ),
    backoff: described(
      z.number().min(1).max(10).default(1),
      'Each pause is longer than the one before by this factor, up to five minutes.',
    ),
    timeoutSeconds: described(
      z.number().positive().default(1_800),
      'After this number of seconds the outcome is *unknown*, and the command is not sent again.',
    ),
    produces: optional(z.record(name, place.min(1)), 'Server ids, with their places in the last answer.', {
      uuid: 'resource_uuid',
    }),
  },
)
export type WaiterEntry = z.infer<typeof waiter>

/** One after the other: an order, then what was ordered. */
export const wait = z.union([waiter, several(waiter)])

export const states = z.strictObject({
  at: described(place.min(1), 'Where the object has its state.', 'state'),
  busy: optional(
    several(scalar),
    'States in which another change is in progress (case, `_`, `-` and spaces are ignored): the values are changing, so the object is unchecked and nothing is planned for it.',
    ['UPDATING'],
  ),
  error: optional(
    several(scalar),
    'States in which the object is unchecked too, with the text at `message`, unless it is to be deleted.',
    ['ERRED'],
  ),
  message: optional(places, 'Where the object has a message for people.', 'error_message'),
})
