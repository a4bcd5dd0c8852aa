import * as z from 'zod'
import { openRecords } from '#core'
import { pageAnswer, readCursor } from '../route/cursor.ts'
import { route } from '../route/route.ts'
import { ledgerFilter, ofWorkspace, paging, shapes } from '../route/shapes.ts'

export const queryLedgerRoute = route({
  id: 'queryLedger',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/ledger',
  scope: 'read',
  summary: 'The command log, oldest first',
  params: ofWorkspace,
  query: z.strictObject({ ...ledgerFilter, ...paging }),
  headers: z.object({}),
  bodies: {},
  answers: { 200: { description: 'A page.', content: { 'application/json': shapes.LedgerEntryList } } },
  errors: ['WORKSPACE_NOT_FOUND'],
  handle: async ({ params: { workspace }, query: { cursor, limit, ...filter } }, { store }) => {
    const records = await openRecords(store, workspace)
    const list = ['ledger', workspace, filter]
    return pageAnswer(list, await records.ledger({ ...filter, limit, ...readCursor(list, cursor) }))
  },
})
