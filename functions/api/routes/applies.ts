import * as z from 'zod'
import { openRecords } from '#core'
import { pageAnswer, readCursor } from '../route/cursor.ts'
import { endedApply } from '../route/examples.ts'
import { route } from '../route/route.ts'
import { listOf, named, ofApply, ofWorkspace, paging, shapes } from '../route/shapes.ts'

export const listAppliesRoute = route({
  id: 'listApplies',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/applies',
  scope: 'read',
  summary: 'List the applies of a workspace, newest first',
  params: ofWorkspace,
  query: z.strictObject(paging),
  answers: {
    200: {
      description: 'A page.',
      content: { 'application/json': named('ApplyList', listOf(shapes.Apply)) },
      example: { items: [endedApply] },
    },
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  handle: async ({ params: { workspace }, query: { cursor, limit } }, { store }) => {
    const records = await openRecords(store, workspace)
    const list = ['applies', workspace]
    return pageAnswer(list, await records.applies({ limit, ...readCursor(list, cursor) }))
  },
})

export const getApplyRoute = route({
  id: 'getApply',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/applies/{applyId}',
  scope: 'read',
  summary: 'Get an apply with the outcome of each command',
  params: ofApply,
  answers: {
    200: {
      description: 'The current apply. `error` holds the error that stopped it.',
      content: { 'application/json': shapes.Apply },
      example: endedApply,
    },
  },
  errors: ['WORKSPACE_NOT_FOUND', 'APPLY_NOT_FOUND'],
  handle: async ({ params }, { store }) => ({
    status: 200,
    body: await (await openRecords(store, params.workspace)).apply(params.applyId),
  }),
})
