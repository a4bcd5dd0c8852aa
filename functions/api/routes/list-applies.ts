import * as z from 'zod'
import { openRecords } from '#core'
import { pageAnswer, readCursor } from '../route/cursor.ts'
import { route } from '../route/route.ts'
import { ofWorkspace, paging, shapes } from '../route/shapes.ts'

export const listAppliesRoute = route({
  id: 'listApplies',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/applies',
  scope: 'read',
  summary: 'Applies of a workspace, newest first',
  params: ofWorkspace,
  query: z.strictObject(paging),
  headers: z.object({}),
  bodies: {},
  answers: { 200: { description: 'A page.', content: { 'application/json': shapes.ApplyList } } },
  errors: ['WORKSPACE_NOT_FOUND'],
  handle: async ({ params: { workspace }, query: { cursor, limit } }, { store }) => {
    const records = await openRecords(store, workspace)
    const list = ['applies', workspace]
    return pageAnswer(list, await records.applies({ limit, ...readCursor(list, cursor) }))
  },
})
