import { entry, ours, remote, user } from './error-entry.ts'

/** What is about workspaces as they are kept: their names, schedules and queues. */
export const keeping = {
  WORKSPACE_NOT_FOUND: entry<{ workspace: string }>({
    ...user,
    status: 404,
    message: ({ workspace }) => `there is no workspace "${workspace}"`,
    hint: 'list them with `plumbline workspace list`, or push one',
  }),
  WORKSPACE_REMOVED: entry<{ workspace: string; at: string; by: string; reason: string }>({
    ...user,
    status: 410,
    message: ({ workspace, at, by, reason }) => `the workspace "${workspace}" was removed ${at} by ${by}: ${reason}`,
    hint: 'its ledger and runs are kept; `plumbline workspace push --reuse` begins another one under this name',
  }),
  WORKSPACE_MISMATCH: entry<{ expected: string; found: string }>({
    ...user,
    status: 422,
    message: ({ expected, found }) => `the configuration says workspace "${found}", the request "${expected}"`,
    hint: 'use the same name in both',
  }),
  WORKSPACE_CLAIMED: entry<{ workspace: string; here: string; there: string; at: string; by: string }>({
    ...user,
    status: 409,
    message: ({ workspace, here, there, at, by }) =>
      `the workspace "${workspace}" belongs to ${there} (stored ${at} by ${by}); ${here} is another place, and nothing was read or changed`,
    hint: 'rename `workspace:` in one of the two; or hand it over: `plumbline workspace push --claim` in the folder that shall have it',
  }),
  SCHEDULE_INVALID: entry<{ detail: string }>({
    ...ours,
    message: ({ detail }) => `the schedule that is stored has no meaning: ${detail}`,
    hint: 'store the configuration again with `plumbline workspace push`',
  }),
  QUEUE_UNAVAILABLE: entry<{ queue: string; detail: string }>({
    ...remote,
    status: 503,
    message: ({ queue, detail }) => `the queue of ${queue} did not take it: ${detail}`,
    hint: 'nothing was begun; try again in a few seconds, an apply with the same Idempotency-Key',
  }),
  CHECK_LOST: entry<{ workspace: string; requestedAt: string }>({
    ...remote,
    message: ({ workspace, requestedAt }) =>
      `the check of the workspace "${workspace}" that was asked for at ${requestedAt} has left no run, and none is to be expected`,
    hint: 'ask again; where it happens again, look at the log of the check function and at its dead letters',
  }),
  APPLY_STRANDED: entry<{ apply: string; resent: number }>({
    ...ours,
    message: ({ apply, resent }) => `apply ${apply} was queued again ${resent} times, and no worker came to its end`,
    hint: 'look at the log of the apply function and at its dead letters; then check again and approve what is left',
  }),
} as const
