import * as z from 'zod'
import { openRecords } from '#core'
import { pageAnswer, readCursor } from '../route/cursor.ts'
import { exampleRun } from '../route/examples.ts'
import { route } from '../route/route.ts'
import { instant, listOf, named, ofRun, ofWorkspace, paging, shapes } from '../route/shapes.ts'

export const listRunsRoute = route({
  id: 'listRuns',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/runs',
  scope: 'read',
  summary: 'List the checks of a workspace, newest first',
  params: ofWorkspace,
  query: z.strictObject({
    ...paging,
    scheduledFor: instant
      .exactOptional()
      .meta({ description: 'Only the run that was scheduled or requested for this time.' }),
  }),
  answers: {
    200: {
      description: 'A page.',
      content: { 'application/json': named('RunList', listOf(shapes.Run)) },
      example: { items: [exampleRun] },
    },
  },
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

export const getRunRoute = route({
  id: 'getRun',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/runs/{runId}',
  scope: 'read',
  summary: 'Get a check',
  params: ofRun,
  answers: {
    200: { description: 'The run.', content: { 'application/json': shapes.Run }, example: exampleRun },
  },
  errors: ['WORKSPACE_NOT_FOUND', 'RUN_NOT_FOUND'],
  handle: async ({ params }, { store }) => ({
    status: 200,
    body: await (await openRecords(store, params.workspace)).run(params.runId),
  }),
})
