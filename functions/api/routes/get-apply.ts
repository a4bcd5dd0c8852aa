import * as z from 'zod'
import { openRecords } from '#core'
import { route } from '../route/route.ts'
import { none, ofApply, shapes } from '../route/shapes.ts'

export const getApplyRoute = route({
  id: 'getApply',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/applies/{applyId}',
  scope: 'read',
  summary: 'One apply with the outcome of each command',
  params: ofApply,
  query: none,
  headers: z.object({}),
  bodies: {},
  answers: {
    200: {
      description: 'The apply as it stands; an error that stopped it is in `error`.',
      content: { 'application/json': shapes.Apply },
    },
  },
  errors: ['WORKSPACE_NOT_FOUND', 'APPLY_NOT_FOUND'],
  handle: async ({ params }, { store }) => ({
    status: 200,
    body: await (await openRecords(store, params.workspace)).apply(params.applyId),
  }),
})
