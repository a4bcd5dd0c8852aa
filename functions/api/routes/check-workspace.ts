import * as z from 'zod'
import { openRecords, optional, requestCheck, workspaceId } from '#core'
import { exampleRun } from '../route/examples.ts'
import { poll } from '../route/poll.ts'
import { route } from '../route/route.ts'
import { json, named, ofWorkspace, shapes, wait } from '../route/shapes.ts'

const checkRequested = z.object({
  workspace: workspaceId,
  requestedAt: z.iso.datetime().meta({ description: '`scheduledFor` of the run.' }),
  queued: z
    .boolean()
    .meta({ description: 'False: a check is already pending since `requestedAt`, and the answer is about that one.' }),
})

/**
 * Checks are queued even when the caller waits: so this function needs neither secrets of targets nor network access to
 * them, and a check that takes longer than an HTTP response is not lost.
 */
export const checkWorkspaceRoute = route({
  id: 'checkWorkspace',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/check',
  scope: 'check',
  summary: 'Check a workspace now',
  description:
    'Location names the list that will contain the run. With `wait` the response is the run itself, if it ends within that time. While a check is pending no other one is queued: the response names the pending one, with `queued` false.',
  params: ofWorkspace,
  query: z.strictObject({
    wait: wait.exactOptional(),
    refresh: optional(
      z.literal('false'),
      'Plans the recorded values without reading anything live. The run is in no list, is never in sync, and cannot be approved.',
    ),
  }),
  answers: {
    200: json('The run, which may have failed.', shapes.Run, { example: exampleRun }),
    202: json('Queued, or already pending.', named('CheckRequested', checkRequested), {
      headers: { location: 'The list that will contain the run.' },
      example: { workspace: exampleRun.workspace, requestedAt: '2026-11-21T06:05:00.000Z', queued: true },
    }),
  },
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED', 'STORE_CONFLICT', 'QUEUE_UNAVAILABLE'],
  handle: async ({ params: { workspace }, query, actor, base, deadline }, deps) => {
    const { scheduledFor: requestedAt, queued } = await requestCheck(
      { workspace, actor, refresh: query.refresh === undefined },
      deps,
    )
    const runs = `${base}/v1/workspaces/${workspace}/runs`
    if (query.wait !== undefined) {
      const records = await openRecords(deps.store, workspace)
      const run = await poll(() => records.scheduledRun(requestedAt), query.wait, { deadline, clock: deps.clock })
      if (run !== undefined) return { status: 200, headers: { location: `${runs}/${run.id}` }, body: run }
    }
    const location = `${runs}?scheduledFor=${encodeURIComponent(requestedAt)}`
    return { status: 202, headers: { location }, body: { workspace, requestedAt, queued } }
  },
})
