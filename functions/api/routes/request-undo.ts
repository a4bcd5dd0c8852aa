import * as z from 'zod'
import { openRecords, requestUndo, workspaceId } from '#core'
import { exampleRun } from '../route/examples.ts'
import { poll } from '../route/poll.ts'
import { route } from '../route/route.ts'
import { json, named, ofApply, shapes, wait } from '../route/shapes.ts'

const undoRequested = z.object({
  workspace: workspaceId,
  requestedAt: z.iso.datetime().meta({ description: '`scheduledFor` of the run.' }),
})

export const requestUndoRoute = route({
  id: 'requestUndo',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/applies/{applyId}/undo',
  scope: 'check',
  summary: 'Plan the undo of an apply',
  description:
    'Reads the objects of the apply and plans its stored inverses, the last command first. Sends none of them: the plan is stored as a run that is in no list, and an apply of its digest sends it. A change that cannot be undone is blocked, with the reason. With `wait` the response is the run itself, if it ends within that time.',
  params: ofApply,
  query: z.strictObject({ wait: wait.exactOptional() }),
  answers: {
    200: json('The run, which may have failed.', shapes.Run, { example: exampleRun }),
    202: json('Queued.', named('UndoRequested', undoRequested), {
      headers: { location: 'The list that will contain the run.' },
      example: { workspace: exampleRun.workspace, requestedAt: '2026-11-21T06:05:00.000Z' },
    }),
  },
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED', 'APPLY_NOT_FOUND', 'UNDO_IMPOSSIBLE', 'QUEUE_UNAVAILABLE'],
  handle: async ({ params: { workspace, applyId }, query, actor, base, deadline }, deps) => {
    const { scheduledFor: requestedAt } = await requestUndo({ workspace, applyId, actor }, deps)
    const runs = `${base}/v1/workspaces/${workspace}/runs`
    if (query.wait !== undefined) {
      const records = await openRecords(deps.store, workspace)
      const run = await poll(() => records.scheduledRun(requestedAt), query.wait, { deadline, clock: deps.clock })
      if (run !== undefined) return { status: 200, headers: { location: `${runs}/${run.id}` }, body: run }
    }
    const location = `${runs}?scheduledFor=${encodeURIComponent(requestedAt)}`
    return { status: 202, headers: { location }, body: { workspace, requestedAt } }
  },
})
