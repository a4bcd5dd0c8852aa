import * as z from 'zod'
import { followApply } from '#core'
import { answerPage } from '../route/cursor.ts'
import { endedApply, listedApply } from '../route/examples.ts'
import { recordsRoute } from '../route/records-route.ts'
import { ok } from '../route/route.ts'
import { json, ofApply, page, paging, shapes } from '../route/shapes.ts'

export const listAppliesRoute = recordsRoute({
  id: 'listApplies',
  path: '/applies',
  summary: 'List the applies of a workspace, newest first',
  query: z.strictObject(paging),
  description: 'Without the outcomes and the resources of each apply, which the apply itself has.',
  answers: { 200: page('ApplyList', shapes.ListedApply, listedApply) },
  read: (records, { params: { workspace }, query }) => answerPage(['applies', workspace], query, records.applies),
})

export const getApplyRoute = recordsRoute({
  id: 'getApply',
  path: '/applies/{applyId}',
  summary: 'Get an apply with the outcome of each command',
  description:
    'While the apply runs, `outcomes` has the commands that are done, and `progress` says which ones are being sent since when, and how many wait.',
  params: ofApply,
  answers: {
    200: json('The current apply. `error` holds the error that stopped it.', shapes.Apply, { example: endedApply }),
  },
  errors: ['APPLY_NOT_FOUND'],
  read: async (records, { params: { applyId } }, deps) => ok(await followApply(await records.apply(applyId), deps)),
})
