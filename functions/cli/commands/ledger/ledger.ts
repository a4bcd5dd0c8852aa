import type { Option } from 'commander'
import {
  AppError,
  defined,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerQuery,
  ledgerOrders,
  type Page,
  type Paging,
  renderLedger,
} from '#core'
import {
  type ListRequest,
  localPaging,
  type Operation,
  paged,
  perform,
  places,
  recordsOf,
} from '../../backend/backend.ts'
import { pathOf } from '../../backend/http-client.ts'
import { watchGaps } from '../../backend/ledger-gaps.ts'
import { exportLines } from '../../backend/ledger-parts.ts'
import type { Context, Exit } from '../../context.ts'
import { answerPage } from '../../terminal/answer-page.ts'
import { curlOfEntry } from '../../terminal/curl-entry.ts'
import { withRecords } from '../../workspace/session.ts'
import {
  allOption,
  command,
  instant,
  option,
  pagingOptions,
  workspaceArgument,
  workspacesArgument,
} from '../command.ts'
import { anchorCommand } from './ledger-anchor.ts'
import { expectedHead, headOption, verify } from './ledger-verify.ts'

const listEntries: Operation<ListRequest & LedgerQuery, Promise<Page<LedgerEntry>>> = {
  local: async ({ workspace, ...query }, local) =>
    (await recordsOf(workspace, local)).ledger(localPaging(query, places.number)),
  remote: ({ workspace, limit, after, ...filter }, { client }) =>
    client.get(`${pathOf(workspace)}/ledger`, { ...filter, ...paged({ limit, ...defined({ after }) }) }),
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
    // With a filter, gaps are no fault.
    const isWhole = Object.keys(filter).length === 0
    const missing = watchGaps()
    for await (const line of perform(exportLines, { workspace, filter }, backend)) {
      if (isWhole) missing.look(line)
      if (output.json) lines.push(line)
      else output.raw(`${line}\n`)
    }
    if (output.json) output.rawJson(`[${lines.join(',\n')}]\n`)
    const gaps = missing.words()
    if (gaps === undefined) return 0
    output.note(output.paint.red(`the export is not whole: ${gaps}; \`plumbline ledger verify\` says more`))
    return 1
  })

const filterOptions: readonly Option[] = [
  option('--from <time>', 'entries from this time on', instant),
  option('--to <time>', 'entries up to this time', instant),
  option('--actor <subject>', 'entries that this subject approved'),
  option(
    '--address <address>',
    'entries about this resource, its instances, a module, or what a pattern with * matches',
  ),
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
    example: 'plumbline ledger verify --all',
    summary: 'verify that the ledger is complete and unchanged',
    description:
      'Verifies the whole hash chain. With --file it verifies a complete export offline; a workspace argument names the workspace that the export must belong to. With --from or --head-file it begins behind a head that was verified before, and does not read what is older. With --anchors and --key it finds a chain that was rewritten as a whole, and says up to which entry and time everything is proven. The ledgers of several workspaces are verified one after the other.',
    argument: workspacesArgument,
    options: [
      allOption(),
      option('--file <path>', 'exported ledger; - for standard input'),
      option('--head <seq:hash>', 'head of the ledger, noted earlier: it must still be part of it', expectedHead),
      option('--anchors <path>', 'folder or file with signed heads: each must still be part of it'),
      option('--key <path>', 'public key of the anchors, in PEM'),
      option('--from <seq:hash>', 'head that was verified before: verify only what follows it', headOption),
      option('--head-file <path>', 'begin behind the head in this file, if it exists, and keep the new head in it'),
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
