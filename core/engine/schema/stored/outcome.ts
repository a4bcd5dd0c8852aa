import * as z from 'zod'
import { optional } from '../described.ts'

const count = z.number().int().nonnegative()

const outcomeStatus = z.enum(['logged', 'succeeded', 'failed', 'skipped', 'found_done', 'unknown', 'blocked'])

export const commandOutcomeShape = z.object({
  command: z.string().meta({ description: 'Id of the command; of a `blocked` change, which has none, the address.' }),
  status: outcomeStatus,
  httpStatus: z.number().int().exactOptional(),
  detail: z.string().exactOptional(),
  running: optional(
    z.literal(true),
    'Of an `unknown` one: the target accepted it, and was still at work on it when the time for waiting was over.',
  ),
  because: optional(z.string(), 'Of a `skipped` one: the command that failed, and that it waits for, directly or not.'),
})
export type CommandOutcome = z.infer<typeof commandOutcomeShape>

/**
 * Whether commands that depend on this one must not be sent. True for `unknown` too, because the command may not have
 * been executed.
 */
export const isFailure = (outcome: CommandOutcome): boolean =>
  outcome.status === 'failed' || outcome.status === 'skipped' || outcome.status === 'unknown'

const isRefusal = (httpStatus: number | undefined): boolean =>
  httpStatus === undefined || (httpStatus >= 400 && httpStatus < 500)

/** Whether it does not tell if the command was done: a gateway, or a server that fails later, may answer after the work. */
export const isUncertain = ({ status, httpStatus }: CommandOutcome): boolean =>
  status === 'unknown' || (status === 'failed' && !isRefusal(httpStatus))

/**
 * A resource that differs from the configuration when it is read again after an apply, or from the plan of the undo that was about
 * it. Contains paths and reasons, no value.
 */
export const leftShape = z.object({
  address: z.string(),
  kind: z.enum(['differs', 'unchecked']),
  touched: z.boolean().meta({ description: 'Whether this apply had commands for it.' }),
  paths: z
    .array(z.string())
    .meta({ description: 'Attributes that differ, or could not be read; empty for the whole resource.' }),
  detail: optional(z.string(), 'Why it could not be read, or what else is wrong.'),
})
export type Left = z.infer<typeof leftShape>

/** What became of one resource of the approved part of a plan. A resource has exactly one result. */
export const resourceResultShape = z.object({
  address: z.string(),
  commands: count.meta({ description: 'Number of its approved commands; 0: its change is blocked.' }),
  result: z.enum(['applied', 'failed', 'skipped', 'remaining']).meta({
    description:
      '`applied`: all its commands are done. `failed`: one of them failed, or has no response. `skipped`: it waits for a resource that failed. `remaining`: not sent, for any other reason.',
  }),
  because: optional(z.string(), 'Of a `skipped` one: the resource that failed.'),
  verdict: optional(
    z.enum(['in_sync', 'as_before', 'differs', 'unknown']),
    'What a new read after the apply says, whatever the responses said. `as_before`: an undo brought it back, and the configuration still asks for something else. `differs`: it is not as configured, or of what an undo was about, not as its plan shows it. `unknown`: it could not be read, or not all of it. Absent: nothing was read again.',
  ),
  unobserved: optional(
    z.array(z.string()),
    'Attributes that no read shows, so that the verdict says nothing about them. Absent: none.',
  ),
  lost: optional(
    z.array(z.string()),
    'Of an undo: places that the undone commands lost and that it does not bring back, as far as they are known; the verdict says nothing about them. Absent: none.',
  ),
  besides: optional(
    z.array(z.string()),
    'Attributes that no command was about, and that a new read shows otherwise than the plan saw them: the target, or somebody else, changed them. Absent: none.',
  ),
})
export type ResourceResult = z.infer<typeof resourceResultShape>

export const resultCountsShape = z.object({ applied: count, failed: count, skipped: count, remaining: count })
export type ResultCounts = z.infer<typeof resultCountsShape>

const sendingShape = z.object({
  command: z.string().meta({ description: 'Id of the command.' }),
  description: z.string(),
  since: z.iso.datetime().meta({ description: 'When its latest attempt began, or its preparation.' }),
  attempt: optional(z.number().int().positive(), 'Number of the attempt; absent: none has begun yet.'),
  accepted: optional(z.literal(true), 'The target accepted it, and is still at work on it.'),
})
export type ApplySending = z.infer<typeof sendingShape>

/** Of an apply that runs. */
export const progressShape = z.object({
  sending: z.array(sendingShape).meta({ description: 'Commands that are sent, and have no outcome yet.' }),
  waiting: optional(count, 'The number of approved commands that neither have an outcome nor are being sent.'),
})
