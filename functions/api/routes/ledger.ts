import * as z from 'zod'
import {
  AppError,
  defined,
  type LedgerPlace,
  ledgerLine,
  ledgerOrders,
  ledgerPlaceShape,
  ledgerVerdictShape,
  type openRecords,
  optional,
} from '#core'
import { jsonIn } from '../../adapters/json-in.ts'
import { answerPage, readCursor, writeCursor } from '../route/cursor.ts'
import { exampleWorkspace } from '../route/examples.ts'
import { recordsRoute } from '../route/records-route.ts'
import { ok } from '../route/route.ts'
import { json, ledgerFilter, named, page, paging, shapes } from '../route/shapes.ts'

export const queryLedgerRoute = recordsRoute({
  id: 'queryLedger',
  path: '/ledger',
  summary: 'List the ledger entries of a workspace',
  query: z.strictObject({
    ...ledgerFilter,
    order: optional(z.enum(ledgerOrders), 'Which entries come first: `oldest` (the default) or `newest`.'),
    ...paging,
  }),
  answers: { 200: page('LedgerEntryList', shapes.LedgerEntry) },
  read: (records, { params: { workspace }, query: { cursor, limit, ...filter } }) =>
    answerPage(['ledger', workspace, filter], { limit, ...defined({ cursor }) }, (paging) =>
      records.ledger({ ...filter, ...paging }),
    ),
})

/** Entries that one request verifies: about a quarter of what is possible within its 29 seconds. */
const mostVerified = 25_000

const headText = z
  .string()
  .regex(/^\d{1,12}:sha256:[0-9a-f]{64}$/, 'is not <number of an entry>:sha256:<its hash>')
  .transform((text) => {
    const at = text.indexOf(':')
    return { seq: Number(text.slice(0, at)), hash: text.slice(at + 1) }
  })

const progressShape = z.object({
  verified: z.number().int().nonnegative().meta({ description: 'The entries up to this number are verified.' }),
  next: z.string().meta({ description: 'Pass it as `cursor`: the verdict follows.' }),
})

const placeIn = (list: unknown, cursor: string | undefined): LedgerPlace | undefined => {
  const { after } = readCursor(list, cursor)
  if (after === undefined) return undefined
  const place = ledgerPlaceShape.safeParse(jsonIn(after))
  if (place.success) return place.data
  throw new AppError('REQUEST_INVALID', { problems: ['query.cursor: is not one of a verification of this ledger'] })
}

export const verifyLedgerRoute = recordsRoute({
  id: 'verifyLedger',
  path: '/ledger/verify',
  summary: 'Verify the hash chain of the ledger',
  description:
    'Verifies all entries, and compares the applies with them. A long ledger takes several requests: while the answer has `next` it is no verdict. With `from` the older entries are not read again.',
  query: z.strictObject({
    from: headText.exactOptional().meta({
      description:
        'A head that was verified before, as `<entries>:<head>` of its verdict. It must still be part of the ledger; what is older is not read.',
    }),
    limit: z.coerce.number<string>().int().min(1).max(mostVerified).default(mostVerified).meta({
      type: 'integer',
      minimum: 1,
      maximum: mostVerified,
      description: 'About how many entries one request verifies.',
    }),
    cursor: paging.cursor.meta({ description: 'The `next` of the answer before, with the same `from`.' }),
  }),
  answers: {
    200: json(
      'The verdict: verified, or the first invalid entry. Or, without `ok`, how far the verification has come.',
      z.union([named('LedgerVerdict', ledgerVerdictShape), named('LedgerProgress', progressShape)]),
      { example: { ok: true, workspace: exampleWorkspace.id, entries: 4, head: `sha256:${'e'.repeat(64)}` } },
    ),
  },
  read: async (records, { params: { workspace }, query: { from, limit, cursor } }) => {
    const list = ['verify', workspace, from ?? null]
    const result = await records.verifyLedgerPart({ from, place: placeIn(list, cursor), most: limit })
    return ok('ok' in result ? result : { ...result, next: writeCursor(list, JSON.stringify(result.next)) })
  },
})

/** This is well below the limit of a Lambda response: 6 MB of JSON text that contains this as a string. */
const maxBytes = 4_000_000
const ndjson = 'application/x-ndjson'

type LedgerParts = ReturnType<Awaited<ReturnType<typeof openRecords>>['exportLedger']>

/** Collects as many lines as fit, at least one; `next` is the number of the last entry among them. */
const fill = async (parts: LedgerParts, after: number): Promise<{ readonly text: string; readonly next?: string }> => {
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

export const exportLedgerRoute = recordsRoute({
  id: 'exportLedger',
  path: '/ledger/export',
  summary: 'Export the ledger as one JSON document per line',
  description: 'Returns about 4 MB at a time. While there is more, Link names the next part; join all parts in order.',
  query: z.strictObject({ ...ledgerFilter, cursor: paging.cursor }),
  offers: [ndjson],
  answers: {
    200: {
      description: 'Entries, oldest first.',
      content: { [ndjson]: 'Each line is a LedgerEntry. The last line of a complete export is its LedgerEnd.' },
      headers: { link: 'With rel="next": the address of the next part.' },
    },
  },
  read: async (records, { params: { workspace }, query: { cursor, ...filter }, base }) => {
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
