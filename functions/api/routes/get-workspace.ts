import * as z from 'zod'
import { describeWorkspace } from '#core'
import { route } from '../route/route.ts'
import { none, ofWorkspace, shapes } from '../route/shapes.ts'

export const getWorkspaceRoute = route({
  id: 'getWorkspace',
  method: 'GET',
  path: '/v1/workspaces/{workspace}',
  scope: 'read',
  summary: 'One workspace with its latest run',
  params: ofWorkspace,
  query: none,
  headers: z.object({}),
  bodies: {},
  answers: { 200: { description: 'The workspace.', content: { 'application/json': shapes.Workspace } } },
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED'],
  handle: async ({ params }, { store }) => ({ status: 200, body: await describeWorkspace(store, params.workspace) }),
})
