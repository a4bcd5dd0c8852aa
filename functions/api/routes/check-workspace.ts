import * as z from 'zod'
import { openRecords, requestCheck } from '#core'
import { poll, waitUntil } from '../route/poll.ts'
import { route } from '../route/route.ts'
import { ofWorkspace, shapes, wait } from '../route/shapes.ts'

/**
 * Queued even when the caller waits: this function then needs neither the targets' secrets nor a way to them, and a check
 * that takes longer than an HTTP answer may is not lost.
 */
export const checkWorkspaceRoute = route({
  id: 'checkWorkspace',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/check',
  scope: 'check',
  summary: 'Check now',
  description:
    'Location names the list that will hold the run. With `wait` the run itself is answered if it ends within that time. While a check is queued or under way none is queued beside it: the answer names that one, with `queued` false.',
  params: ofWorkspace,
  query: z.strictObject({ wait: wait.exactOptional() }),
  headers: z.object({}),
  bodies: {},
  answers: {
    200: { description: 'The run, which may have failed.', content: { 'application/json': shapes.Run } },
    202: {
      description: 'Queued, or pending already.',
      content: { 'application/json': shapes.CheckRequested },
      headers: { location: 'Where the run will be listed.' },
    },
  },
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED', 'STORE_CONFLICT', 'QUEUE_UNAVAILABLE'],
  handle: async ({ params: { workspace }, query, actor, base, deadline }, deps) => {
    const { scheduledFor: requestedAt, queued } = await requestCheck({ workspace, actor }, deps)
    const runs = `${base}/v1/workspaces/${workspace}/runs`
    if (query.wait !== undefined) {
      const until = waitUntil(query.wait, deadline, deps)
      const records = await openRecords(deps.store, workspace)
      const run = await poll(() => records.scheduledRun(requestedAt), until, deps)
      if (run !== undefined) return { status: 200, headers: { location: `${runs}/${run.id}` }, body: run }
    }
    const location = `${runs}?scheduledFor=${encodeURIComponent(requestedAt)}`
    return { status: 202, headers: { location }, body: { workspace, requestedAt, queued } }
  },
})
