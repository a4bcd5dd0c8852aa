import * as z from 'zod'
import { defined, ledgerLine, openRecords } from '#core'
import { readCursor, writeCursor } from '../route/cursor.ts'
import { route } from '../route/route.ts'
import { ledgerFilter, ofWorkspace, paging } from '../route/shapes.ts'

/** Well below what a Lambda may answer, 6 MB of JSON text with this inside. */
const maxBytes = 4_000_000
const ndjson = 'application/x-ndjson'

type Parts = ReturnType<Awaited<ReturnType<typeof openRecords>>['exportLedger']>

/** As many lines as fit, at least one; `next` is the number of the last entry among them. */
const fill = async (parts: Parts, after: number): Promise<{ readonly text: string; readonly next?: string }> => {
  let text = ''
  let bytes = 0
  let last = after
  for await (const part of parts) {
    const line = `${ledgerLine(part)}\n`
    bytes += Buffer.byteLength(line)
    if (text !== '' && bytes > maxBytes) return { text, next: String(last) }
    text += line
    last = 'seq' in part ? part.seq : last
  }
  return { text }
}

export const exportLedgerRoute = route({
  id: 'exportLedger',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/ledger/export',
  scope: 'read',
  summary: 'The command log as one JSON document a line',
  description: 'About 4 MB at a time: while there is more, Link names the next part. The parts together are the log.',
  params: ofWorkspace,
  query: z.strictObject({ ...ledgerFilter, cursor: paging.cursor }),
  headers: z.object({}),
  bodies: {},
  offers: [ndjson],
  answers: {
    200: {
      description: 'Entries, oldest first.',
      content: { [ndjson]: 'Each line is a LedgerEntry; the last one of a whole log is its LedgerEnd.' },
      headers: { link: 'With rel="next", the address of the next part.' },
    },
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  handle: async ({ params: { workspace }, query: { cursor, ...filter }, base }, { store }) => {
    const records = await openRecords(store, workspace)
    const list = ['export', workspace, filter]
    const after = Number(readCursor(list, cursor).after ?? 0)
    const { text, next } = await fill(records.exportLedger(filter, after), after)
    const query = new URLSearchParams({
      ...filter,
      ...defined({ cursor: next === undefined ? undefined : writeCursor(list, next) }),
    })
    const link = `<${base}/v1/workspaces/${workspace}/ledger/export?${query}>; rel="next"`
    return {
      status: 200,
      mediaType: ndjson,
      headers: {
        'content-disposition': `attachment; filename="${workspace}-ledger.ndjson"`,
        ...defined({ link: next === undefined ? undefined : link }),
      },
      body: text,
    }
  },
})
