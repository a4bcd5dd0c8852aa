import * as z from 'zod'
import { openRecords } from '#core'
import { route } from '../route/route.ts'
import { none, ofWorkspace, shapes } from '../route/shapes.ts'

export const verifyLedgerRoute = route({
  id: 'verifyLedger',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/ledger/verify',
  scope: 'read',
  summary: 'Walk the whole chain of the command log',
  params: ofWorkspace,
  query: none,
  headers: z.object({}),
  bodies: {},
  answers: {
    200: {
      description: 'Intact, or the first entry that is not.',
      content: { 'application/json': shapes.LedgerVerdict },
    },
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  handle: async ({ params: { workspace } }, { store }) => ({
    status: 200,
    body: await (await openRecords(store, workspace)).verifyLedger(),
  }),
})
