import * as z from 'zod'
import { getWorkspace, type LedgerEntry, ledgerLine, queryLedger, type Store } from '#core'
import { readCursor, writeCursor } from './cursor.ts'
import { route } from './route.ts'
import { ledgerFilter, ofWorkspace, paging } from './shapes.ts'

/** Well below what a Lambda may answer, 6 MB of JSON text with this inside. */
const maxBytes = 4_000_000
const ndjson = 'application/x-ndjson'

const linesOf = (entries: readonly LedgerEntry[]): string => entries.map((entry) => `${ledgerLine(entry)}\n`).join('')

interface Part {
  readonly text: string
  readonly next?: string
}

type Filter = Omit<Parameters<typeof queryLedger>[2], 'limit'>

/** Whole pages while they fit; a first page that does not is asked for again with fewer entries, at least one. */
const fill = async (store: Store, workspace: string, filter: Filter): Promise<Part> => {
  let limit = 100
  let text = ''
  let at = filter
  for (;;) {
    const page = await queryLedger(store, workspace, { ...at, limit })
    const more = linesOf(page.items)
    const fits = Buffer.byteLength(text) + Buffer.byteLength(more) <= maxBytes
    if (!fits && text !== '') return at.after === undefined ? { text } : { text, next: at.after }
    if (!fits && limit > 1) {
      limit = Math.max(1, Math.floor(limit / 8))
      continue
    }
    text += more
    if (page.next === undefined) return { text }
    at = { ...at, after: page.next }
  }
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
      content: { [ndjson]: 'Each line is a LedgerEntry.' },
      headers: { link: 'With rel="next", the address of the next part.' },
    },
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  handle: async ({ params: { workspace }, query: { cursor, ...filter }, base }, { store }) => {
    await getWorkspace(store, workspace)
    const list = ['export', workspace, filter]
    const { text, next } = await fill(store, workspace, { ...filter, ...readCursor(list, cursor) })
    const query = new URLSearchParams({ ...filter, ...(next === undefined ? {} : { cursor: writeCursor(list, next) }) })
    const link = `<${base}/v1/workspaces/${workspace}/ledger/export?${query}>; rel="next"`
    return {
      status: 200,
      mediaType: ndjson,
      headers: {
        'content-disposition': `attachment; filename="${workspace}-ledger.ndjson"`,
        ...(next === undefined ? {} : { link }),
      },
      body: text,
    }
  },
})
