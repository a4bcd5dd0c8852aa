import * as z from 'zod'
import { removeWorkspace } from '#core'
import { route } from '../route/route.ts'
import { ofWorkspace, shapes, why } from '../route/shapes.ts'

export const removeWorkspaceRoute = route({
  id: 'removeWorkspace',
  method: 'DELETE',
  path: '/v1/workspaces/{workspace}',
  scope: 'apply',
  summary: 'Remove a workspace; its ledger and runs stay',
  description:
    'Refused while an apply runs. Open episodes are closed, applies that wait are refused, a pending check is dropped, and what was recorded of its objects is forgotten; the target is not touched. The name is not free afterwards: `PUT` needs `reuse=true`.',
  params: ofWorkspace,
  query: z.strictObject({ reason: why }),
  headers: z.object({}),
  bodies: {},
  answers: { 200: { description: 'Removed.', content: { 'application/json': shapes.WorkspaceRemoved } } },
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED', 'LOCKED', 'LOCK_LOST', 'STORE_CONFLICT'],
  handle: async ({ params: { workspace }, query: { reason }, actor }, deps) => {
    await removeWorkspace({ workspace, actor, reason }, deps)
    return { status: 200, body: { workspace, removedAt: deps.clock.now().toISOString() } }
  },
})
