import * as z from 'zod'
import { defined, hasEnded, openRecords, requestApply } from '#core'
import { applyAnswer } from '../route/apply-answer.ts'
import { poll, waitUntil } from '../route/poll.ts'
import { route } from '../route/route.ts'
import { applyRequest, ofWorkspace, shapes, wait } from '../route/shapes.ts'

const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'is not 1 to 255 visible ASCII characters')
  .meta({ description: 'A retry with the same key and body answers the first apply instead of making another.' })

export const requestApplyRoute = route({
  id: 'requestApply',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/apply',
  scope: 'apply',
  summary: 'Apply the approved commands of a check',
  description:
    'Bound to the digest of the commands: the target is read and planned again, and nothing is sent unless the same commands come out. With `wait` the outcome is answered if it is there in time: 200, or the problem that stopped it.',
  params: ofWorkspace,
  query: z.strictObject({ wait: wait.exactOptional() }),
  headers: z.object({ 'idempotency-key': idempotencyKey.exactOptional() }),
  bodies: { 'application/json': applyRequest },
  maxBodyBytes: 1_000_000,
  answers: {
    200: {
      description: 'Ended: succeeded, or not converged.',
      content: { 'application/json': shapes.Apply },
      headers: { location: 'The apply.' },
    },
    202: {
      description: 'Stored, and on its way.',
      content: { 'application/json': shapes.Apply },
      headers: { location: 'The apply.' },
    },
  },
  errors: [
    'WORKSPACE_NOT_FOUND',
    'WORKSPACE_REMOVED',
    'PLAN_NOT_FOUND',
    'STALE_PLAN',
    'TARGET_UNREAD',
    'APPROVAL_DIFFERS',
    'TARGET_CHANGED',
    'TARGET_UNKNOWN',
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
  handle: async ({ params: { workspace }, query, headers, body, actor, base, deadline, requestId }, deps) => {
    const records = await openRecords(deps.store, workspace)
    const key = headers['idempotency-key']
    const apply = await requestApply({ ...body, workspace, actor, ...defined({ idempotencyKey: key }) }, deps)
    const location = `${base}/v1/workspaces/${workspace}/applies/${apply.id}`
    if (query.wait !== undefined) {
      const look = async () => {
        const current = await records.apply(apply.id)
        return hasEnded(current) ? current : undefined
      }
      const ended = await poll(look, waitUntil(query.wait, deadline, deps), deps)
      if (ended !== undefined) return applyAnswer(ended, { location, requestId })
    }
    return { status: 202, headers: { location }, body: apply }
  },
})
