import * as z from 'zod'
import {
  type Apply,
  applyMode,
  basisShape,
  defined,
  digestText,
  hasEnded,
  openRecords,
  optional,
  reasonText,
  requestApply,
} from '#core'
import { isAllowed } from '../../rights.ts'
import { endedApply, queuedApply } from '../route/examples.ts'
import { poll } from '../route/poll.ts'
import { storedProblem } from '../route/problem.ts'
import { type Answer, route } from '../route/route.ts'
import { json, named, ofWorkspace, selectionMembers, shapes, wait } from '../route/shapes.ts'

const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'is not 1 to 255 visible ASCII characters')
  .meta({ description: 'A retry with the same key and body returns the first apply instead of creating another one.' })

const applyRequest = z.strictObject({
  mode: applyMode.meta({
    description: '`check` writes every command to the ledger and sends none; `execute` sends them.',
  }),
  digest: digestText.meta({
    description:
      'Digest of the approved commands, as the run shows it; with `targets` or `exclude`, of the selected commands only.',
  }),
  ...selectionMembers,
  runId: optional(z.string().min(1).max(200), 'The run that planned the commands; the newest one when absent.'),
  basis: optional(
    basisShape,
    'What a saved plan was made from, as `basis` of the run shows it: if a part of it has moved, nothing is sent and the problem names all that moved.',
  ),
  reason: reasonText,
})

/** A failed apply answers with its error, so that callers who wait see the same as those who do not. */
export const applyAnswer = (apply: Apply, location: string, requestId: string): Answer => {
  const headers = { location }
  return apply.error === undefined
    ? { status: 200, headers, body: apply }
    : storedProblem(apply.error, { apply, request: requestId, headers })
}

/** What a caller with `apply` alone may approve. */
const undoable = ['reversible', 'lossy'] as const

const located = { location: 'The apply.' }

export const requestApplyRoute = route({
  id: 'requestApply',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/apply',
  scope: 'apply',
  summary: 'Apply the approved commands of a check',
  description:
    'The approval names the digest of the commands. The target is read and planned again, and commands are sent only if they are the same. Commands that cannot be undone for certain (grade `irreversible` or `unknown`) need the scope `irreversible`, too. With `wait` the response is the outcome, if it is known in time: 200, or the problem that stopped the apply.',
  params: ofWorkspace,
  query: z.strictObject({ wait: wait.exactOptional() }),
  headers: z.object({ 'idempotency-key': idempotencyKey.exactOptional() }),
  bodies: {
    'application/json': {
      shape: named('ApplyRequest', applyRequest),
      example: { mode: 'execute', digest: queuedApply.digest, reason: queuedApply.reason },
    },
  },
  maxBodyBytes: 1_000_000,
  answers: {
    200: json('Ended: succeeded, or not converged.', shapes.Apply, { example: endedApply, headers: located }),
    202: json('Queued.', shapes.Apply, { example: queuedApply, headers: located }),
  },
  errors: [
    'WORKSPACE_NOT_FOUND',
    'WORKSPACE_REMOVED',
    'PLAN_NOT_FOUND',
    'STALE_PLAN',
    'SAVED_PLAN_STALE',
    'RUN_NOT_FOUND',
    'TARGET_UNREAD',
    'APPROVAL_DIFFERS',
    'APPROVAL_USED',
    'TARGET_CHANGED',
    'TARGET_UNKNOWN',
    'TARGET_EXCLUDED',
    'POLICY_REFUSED',
    'LOCKED',
    'LOCK_LOST',
    'IDEMPOTENCY_REUSED',
    'SECRET_UNRESOLVED',
    'REQUEST_FAILED',
    'ALL_BLOCKED',
    'APPLY_FAILED',
    'QUEUE_UNAVAILABLE',
  ],
  handle: async ({ params: { workspace }, query, headers, body, actor, rights, base, deadline, requestId }, deps) => {
    const records = await openRecords(deps.store, workspace)
    const idempotencyKey = headers['idempotency-key']
    const grades = isAllowed(rights, 'irreversible', workspace) ? undefined : undoable
    const apply = await requestApply({ ...body, workspace, actor, ...defined({ idempotencyKey, grades }) }, deps)
    const location = `${base}/v1/workspaces/${workspace}/applies/${apply.id}`
    if (query.wait !== undefined) {
      const look = async () => {
        const current = await records.apply(apply.id)
        return hasEnded(current) ? current : undefined
      }
      const ended = await poll(look, query.wait, { deadline, clock: deps.clock })
      if (ended !== undefined) return applyAnswer(ended, location, requestId)
    }
    return { status: 202, headers: { location }, body: apply }
  },
})
