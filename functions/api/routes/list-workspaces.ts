import * as z from 'zod'
import { listWorkspaces } from '#core'
import { pageAnswer, readCursor } from '../route/cursor.ts'
import { route } from '../route/route.ts'
import { none, paging, shapes } from '../route/shapes.ts'

const list = ['workspaces']

export const listWorkspacesRoute = route({
  id: 'listWorkspaces',
  method: 'GET',
  path: '/v1/workspaces',
  scope: 'read',
  summary: 'Workspaces by name, each with its latest run; those that the caller may read',
  params: none,
  query: z.strictObject(paging),
  headers: z.object({}),
  bodies: {},
  answers: { 200: { description: 'A page.', content: { 'application/json': shapes.WorkspaceList } } },
  errors: [],
  handle: async ({ query: { cursor, limit }, sees }, { store }) =>
    pageAnswer(list, await listWorkspaces(store, { limit, sees, ...readCursor(list, cursor) })),
})
