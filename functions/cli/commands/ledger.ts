import { resolve } from 'node:path'
import type { Option } from 'commander'
import {
  AppError,
  defined,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerQuery,
  type LedgerVerdict,
  ledgerLine,
  ledgerOrders,
  type Page,
  type Paging,
  renderAnchors,
  renderLedger,
  renderVerdict,
  verifyAnchors,
  verifyLines,
} from '#core'
import { signedBy } from '../../adapters/anchor-key.ts'
import { readAnchors } from '../../adapters/files/read-anchors.ts'
import { type ListRequest, type Operation, paged, perform, recordsOf } from '../backend/backend.ts'
import { pathOf } from '../backend/http-client.ts'
import type { Context, Exit } from '../context.ts'
import { answerPage } from '../terminal/answer-page.ts'
import { curlOfEntry } from '../terminal/curl-entry.ts'
import { readLines } from '../terminal/read-input.ts'
import { readText } from '../terminal/read-text.ts'
import { findName } from '../workspace/find-workspace.ts'
import { withRecords } from '../workspace/session.ts'
import { command, instant, option, pagingOptions, workspaceArgument } from './command.ts'
import { anchorCommand } from './ledger-anchor.ts'

const listEntries: Operation<ListRequest & LedgerQuery, Promise<Page<LedgerEntry>>> = {
  local: async ({ workspace, ...query }, local) => (await recordsOf(workspace, local)).ledger(query),
  remote: ({ workspace, limit, after, ...filter }, { client }) =>
    client.get(`${pathOf(workspace)}/ledger`, { ...filter, ...paged({ limit, ...defined({ after }) }) }),
}

interface ExportRequest {
  readonly workspace: string
  readonly filter: LedgerFilter
}

/** Exports the lines of the ledger; without a filter, the last one is its head. */
const exportLines: Operation<ExportRequest, AsyncIterable<string>> = {
  local: async function* ({ workspace, filter }, local) {
    for await (const part of (await recordsOf(workspace, local)).exportLedger(filter)) yield ledgerLine(part)
  },
  remote: async function* ({ workspace, filter }, { client }) {
    let query: URLSearchParams | undefined = new URLSearchParams({ ...filter })
    while (query !== undefined) {
      const part = await client.getText(`${pathOf(workspace)}/ledger/export`, 'application/x-ndjson', query)
      yield* part.text.split('\n').slice(0, -1)
      query = part.next
    }
  },
}

const verifyStored: Operation<string, Promise<LedgerVerdict>> = {
  local: async (workspace, local) => (await recordsOf(workspace, local)).verifyLedger(),
  remote: (workspace, { client }) => client.get(`${pathOf(workspace)}/ledger/verify`),
}

async function* eachEntry(list: (paging: Paging) => Promise<Page<LedgerEntry>>): AsyncGenerator<LedgerEntry> {
  for (let after: { readonly after?: string } = {}; ; ) {
    const { items, next } = await list({ limit: 200, ...after })
    yield* items
    if (next === undefined) return
    after = { after: next }
  }
}

interface Chosen extends Omit<LedgerFilter, 'runId' | 'applyId'> {
  readonly run?: string
  readonly apply?: string
}

const filterOf = ({ from, to, actor, address, run, apply }: Chosen): LedgerFilter =>
  defined({ from, to, actor, address, runId: run, applyId: apply })

interface ListOptions extends Chosen, Paging {
  readonly order: NonNullable<LedgerQuery['order']>
}

const list = (context: Context, given: string | undefined, options: ListOptions): Promise<Exit> =>
  withRecords(context, given, async ({ backend, workspace }) => {
    const { output } = context
    const { limit, after, order } = options
    const query = { workspace, limit, order, ...filterOf(options), ...defined({ after }) }
    const { color, width, isTerminal } = output
    return answerPage(await perform(listEntries, query, backend), output, (entries) =>
      renderLedger(entries, defined({ color, width: isTerminal ? width : undefined })),
    )
  })

interface ExportOptions extends Chosen {
  readonly curl?: boolean
}

const exportAll = (context: Context, given: string | undefined, options: ExportOptions): Promise<Exit> =>
  withRecords(context, given, async ({ backend, workspace }) => {
    const { output } = context
    const filter = filterOf(options)
    if (options.curl && output.json) throw new AppError('USAGE', { detail: '--curl cannot be combined with --json' })
    if (options.curl) {
      const entries = eachEntry((paging) => perform(listEntries, { workspace, ...filter, ...paging }, backend))
      for await (const entry of entries) output.raw(curlOfEntry(entry) ?? '')
      return 0
    }
    const lines: string[] = []
    for await (const line of perform(exportLines, { workspace, filter }, backend)) {
      if (output.json) lines.push(line)
      else output.rawJson(`${line}\n`)
    }
    if (output.json) output.rawJson(`[${lines.join(',\n')}]\n`)
    return 0
  })

const report = (verdict: LedgerVerdict, { output }: Context): Exit => {
  output.answer(verdict, () => renderVerdict(verdict, { color: output.color }))
  return verdict.ok ? 0 : 1
}

interface VerifyOptions {
  readonly file?: string
  readonly head?: { readonly seq: number; readonly hash: string }
  readonly anchors?: string
  readonly key?: string
}

interface Expectation extends Pick<VerifyOptions, 'head' | 'anchors' | 'key'> {
  readonly workspace: string | undefined
  /** What the stored ledger and the records of its applies say together. */
  readonly stored?: LedgerVerdict
}

const reportLines = async (
  lines: AsyncIterable<string>,
  { workspace, head, anchors, key, stored }: Expectation,
  context: Context,
): Promise<Exit> => {
  const expected = { workspace, head }
  if (anchors === undefined && key === undefined) return report(await verifyLines(lines, expected), context)
  if (anchors === undefined || key === undefined)
    throw new AppError('USAGE', {
      detail: '--anchors and --key belong together: the anchors, and the key that signed them',
    })
  const { host, output } = context
  const isSigned = signedBy((await readText(key, host)).text)
  if (isSigned === undefined)
    throw new AppError('USAGE', { detail: `--key ${key} is no public key of P-256 in PEM (BEGIN PUBLIC KEY)` })
  const found = await readAnchors(resolve(host.folder, anchors), anchors)
  const walked = await verifyAnchors(lines, found, isSigned, expected)
  const verdict = stored?.ok === false && walked.ledger.ok ? { ...walked, ok: false, ledger: stored } : walked
  output.answer(verdict, () => renderAnchors(verdict, { color: output.color }))
  return verdict.ok ? 0 : 1
}

const verify = async (context: Context, given: string | undefined, options: VerifyOptions): Promise<Exit> => {
  const { file, ...expected } = options
  if (file !== undefined) {
    const workspace =
      given === undefined ? undefined : (await findName(given, context.host.folder, context.storeFolder)).workspace
    return reportLines(readLines(file, context.host), { ...expected, workspace }, context)
  }
  return withRecords(context, given, async ({ backend, workspace }) => {
    const verdict = await perform(verifyStored, workspace, backend)
    const isAnchored = expected.anchors !== undefined || expected.key !== undefined
    if (!isAnchored && (expected.head === undefined || !verdict.ok)) return report(verdict, context)
    const lines = perform(exportLines, { workspace, filter: {} }, backend)
    return reportLines(lines, { ...expected, workspace, stored: verdict }, context)
  })
}

const headOption = (text: string): VerifyOptions['head'] => {
  const [, seq, hash] = /^(\d+):(sha256:[0-9a-f]{64})$/.exec(text) ?? []
  if (seq === undefined || hash === undefined)
    throw new AppError('USAGE', { detail: `--head "${text}" is not <number of the last entry>:sha256:<hex>` })
  return { seq: Number(seq), hash }
}

const filterOptions: readonly Option[] = [
  option('--from <time>', 'entries from this time on', instant),
  option('--to <time>', 'entries up to this time', instant),
  option('--actor <subject>', 'entries that this subject approved'),
  option('--address <address>', 'entries about this resource'),
  option('--run <run>', 'entries of commands that this run planned'),
  option('--apply <apply>', 'entries of this apply'),
]

const orderOption = (): Option =>
  option('--order <which>', 'which entries come first').choices(ledgerOrders).default('newest')

export const commands = [
  command({
    name: 'ledger list',
    example: 'plumbline ledger list --address pdns_zone.main --from 2026-11-01',
    summary: 'list the entries',
    description: 'Lists the ledger, newest entry first.',
    argument: workspaceArgument,
    options: [...filterOptions, orderOption(), ...pagingOptions],
    run: list,
  }),
  command({
    name: 'ledger verify',
    example: 'plumbline ledger verify --file ledger.ndjson',
    summary: 'verify that the ledger is complete and unchanged',
    description:
      'Verifies the whole hash chain. With --file it verifies a complete export offline; a workspace argument names the workspace that the export must belong to. With --anchors and --key it finds a chain that was rewritten as a whole, and says up to which entry and time everything is proven.',
    argument: workspaceArgument,
    options: [
      option('--file <path>', 'exported ledger; - for standard input'),
      option('--head <seq:hash>', 'head of the ledger, noted earlier: it must still be part of it', headOption),
      option('--anchors <path>', 'folder or file with signed heads: each must still be part of it'),
      option('--key <path>', 'public key of the anchors, in PEM'),
    ],
    run: verify,
  }),
  command({
    name: 'ledger export',
    example: 'plumbline ledger export > ledger.ndjson',
    summary: 'write the ledger as one JSON document per line',
    description:
      'Writes the ledger to standard output, oldest entry first, one JSON document per line, for `ledger verify --file`. The last line is the head. A filtered export has no head and cannot be verified.',
    argument: workspaceArgument,
    options: [
      ...filterOptions,
      option('--curl', 'write the requests as curl commands instead; secrets are named by their source'),
    ],
    run: exportAll,
  }),
  anchorCommand,
]
