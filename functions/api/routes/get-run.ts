import * as z from 'zod'
import { openRecords } from '#core'
import { route } from '../route/route.ts'
import { none, ofRun, shapes } from '../route/shapes.ts'

export const getRunRoute = route({
  id: 'getRun',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/runs/{runId}',
  scope: 'read',
  summary: 'One check',
  params: ofRun,
  query: none,
  headers: z.object({}),
  bodies: {},
  answers: { 200: { description: 'The run.', content: { 'application/json': shapes.Run } } },
  errors: ['WORKSPACE_NOT_FOUND', 'RUN_NOT_FOUND'],
  handle: async ({ params }, { store }) => ({
    status: 200,
    body: await (await openRecords(store, params.workspace)).run(params.runId),
  }),
})
