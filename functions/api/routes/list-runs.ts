import * as z from 'zod'
import { openRecords } from '#core'
import { pageAnswer, readCursor } from '../route/cursor.ts'
import { route } from '../route/route.ts'
import { instant, ofWorkspace, paging, shapes } from '../route/shapes.ts'

export const listRunsRoute = route({
  id: 'listRuns',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/runs',
  scope: 'read',
  summary: 'Checks of a workspace, newest first',
  params: ofWorkspace,
  query: z.strictObject({
    ...paging,
    scheduledFor: instant
      .exactOptional()
      .meta({ description: 'Only the run that was due, or asked for, at this time.' }),
  }),
  headers: z.object({}),
  bodies: {},
  answers: { 200: { description: 'A page.', content: { 'application/json': shapes.RunList } } },
  errors: ['WORKSPACE_NOT_FOUND'],
  handle: async ({ params: { workspace }, query: { cursor, limit, scheduledFor } }, { store }) => {
    const records = await openRecords(store, workspace)
    const list = ['runs', workspace, scheduledFor ?? null]
    const after = readCursor(list, cursor)
    if (scheduledFor === undefined) return pageAnswer(list, await records.runs({ limit, ...after }))
    const run = await records.scheduledRun(scheduledFor)
    return { status: 200, body: { items: run === undefined ? [] : [run] } }
  },
})
