import * as z from 'zod'
import { described, name, objectChapter, optional } from '../../../schema/described.ts'
import { bodyRule } from './answers.ts'
import { place, places, scalar, several, status, where } from './words.ts'

/* What a write that only begins something is waited for with. */

const poll = z.union([
  name,
  z.strictObject({
    op: described(name, 'The operation.'),
    from: optional(
      z.record(name, place.min(1)),
      'Path variables that the answer before holds, at these places: that of the write, or the last one of the waiter before.',
      { order: 'uuid' },
    ),
  }),
  z.strictObject({ location: described(z.literal(true), 'Where the Location header points, on the same host.') }),
])

const waiter = objectChapter(
  'waiter',
  'Waiting',
  'How the end of what a write only begins is known. It is part of the command that is approved.',
  {
    poll: described(poll, 'What is asked: an operation that reads, or an address of the answer before.', 'retrieve', {
      op: 'order',
      from: { order: 'uuid' },
    }),
    when: described(
      several(status).default([202]),
      "Statuses of the write's answer that ask to wait. A state in it that is not in `ok` asks too; what the API's description declares does not count. A sequence begins with the first waiter that is asked for.",
    ),
    state: optional(
      place.min(1),
      'Where an answer tells the state. Without it, a success that is no 202 is the end.',
      'state',
    ),
    ok: optional(
      several(scalar),
      'States that end it well, without regard to case, `_`, `-` and spaces. What is in neither list is still under way.',
      ['OK'],
    ),
    error: optional(several(scalar), 'States that end it as a failure, compared in the same way.', ['ERRED']),
    failed: optional(several(bodyRule), 'What an answer holds that says that it failed, whatever its state.', [
      { place: 'error', exists: true },
    ]),
    gone: optional(
      z.union([
        z.literal('success'),
        z.strictObject({ where: described(where, 'Values by their places.', { archived: true }) }),
      ]),
      'The end is that a poll is answered with what means "not there" (`success`), or also with an object that holds these values. A delete takes the `wait` of the resource so where it polls the object, with `lifecycle.delete.gone`; an operation that it polls ends it like every other write.',
    ),
    forgotten: optional(
      z.enum(['done', 'unknown']),
      'What it means that an operation of its own (a job, a task) is not there when it is polled, because servers forget what is over: that it is `done`, or that its outcome is `unknown`, at once. When left out, it is asked for again until its time is over.',
    ),
    message: optional(places, 'Where an `error` has its reason: a place, or several.', 'error_message'),
    intervalSeconds: described(
      z.number().positive().default(5),
      'Seconds between two polls; a longer Retry-After counts.',
    ),
    backoff: described(
      z.number().min(1).max(10).default(1),
      'Each pause is so many times as long as the one before, up to five minutes.',
    ),
    timeoutSeconds: described(
      z.number().positive().default(1_800),
      'After so many seconds the outcome is *unknown*, and the command is not sent again.',
    ),
    produces: optional(z.record(name, place.min(1)), 'Server ids that the last answer holds.', {
      uuid: 'resource_uuid',
    }),
  },
)
export type WaiterEntry = z.infer<typeof waiter>

/** One after the other: an order, then what was ordered. */
export const wait = z.union([waiter, several(waiter)])

export const states = z.strictObject({
  at: described(place.min(1), 'Where the object tells its state.', 'state'),
  busy: optional(
    several(scalar),
    'States in which another change is under way (without regard to case, `_`, `-` and spaces): the values are on the move, the object is unchecked, and nothing is planned for it.',
    ['UPDATING'],
  ),
  error: optional(
    several(scalar),
    'States in which the object is unchecked too, with the words at `message`, unless it is to be deleted.',
    ['ERRED'],
  ),
  message: optional(places, 'Where the object has words for people.', 'error_message'),
})
