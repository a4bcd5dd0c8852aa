import type { Command } from 'commander'
import {
  AppError,
  defined,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerVerdict,
  ledgerLine,
  renderLedger,
  renderVerdict,
  verifyLines,
} from '#core'
import {
  type ListRequest,
  type Operation,
  type Page,
  type Paging,
  paged,
  perform,
  recordsOf,
} from '../backend/backend.ts'
import { pathOf } from '../backend/http-client.ts'
import type { Context, Exit } from '../context.ts'
import { curlOfEntry } from '../terminal/curl-entry.ts'
import { notePage } from '../terminal/note-page.ts'
import { readLines } from '../terminal/read-lines.ts'
import { findName } from '../workspace/find-name.ts'
import { withRecords } from '../workspace/session.ts'
import { afterOption, groupOf, instant, limitOption, type Register, type Run } from './command.ts'

const listEntries: Operation<ListRequest & LedgerFilter, Promise<Page<LedgerEntry>>> = {
  local: async ({ workspace, ...query }, local) => (await recordsOf(workspace, local)).ledger(query),
  remote: ({ workspace, limit, after, ...filter }, { client }) =>
    client.get(`${pathOf(workspace)}/ledger`, { ...filter, ...paged({ limit, ...defined({ after }) }) }),
}

interface ExportRequest {
  readonly workspace: string
  readonly filter: LedgerFilter
}

/** The lines of an export; without a filter, the last one is the head of the ledger. */
const exportLines: Operation<ExportRequest, AsyncIterable<string>> = {
  local: async function* ({ workspace, filter }, local) {
    for await (const part of (await recordsOf(workspace, local)).exportLedger(filter)) yield ledgerLine(part)
  },
  remote: async function* ({ workspace, filter }, { client }) {
    let query: URLSearchParams | undefined = new URLSearchParams({ ...filter })
    while (query !== undefined) {
      const part = await client.getPart(`${pathOf(workspace)}/ledger/export`, query, 'application/x-ndjson')
      yield* part.text.split('\n').slice(0, -1)
      query = part.next
    }
  },
}

const verifyStored: Operation<string, Promise<LedgerVerdict>> = {
  local: async (workspace, local) => (await recordsOf(workspace, local)).verifyLedger(),
  remote: (workspace, { client }) => client.get(`${pathOf(workspace)}/ledger/verify`),
}

/** All entries, page by page. */
async function* eachEntry(list: (paging: Paging) => Promise<Page<LedgerEntry>>): AsyncGenerator<LedgerEntry> {
  for (let after: { readonly after?: string } = {}; ; ) {
    const { items, next } = await list({ limit: 200, ...after })
    yield* items
    if (next === undefined) return
    after = { after: next }
  }
}

const summary = 'list, verify and export the ledger'

const filtered = (command: Command): Command =>
  command
    .option('--from <time>', 'not before', instant)
    .option('--to <time>', 'not after', instant)
    .option('--actor <subject>', 'approved by')
    .option('--address <address>', 'of a resource')
    .option('--run <run>', 'whose commands were approved')
    .option('--apply <apply>', 'of one apply')

type Chosen = Omit<LedgerFilter, 'runId' | 'applyId'> & { readonly run?: string; readonly apply?: string }

/** Options of the whole program stand among a command's own; only the filter's are taken. */
const filterOf = ({ from, to, actor, address, run, apply }: Chosen): LedgerFilter =>
  defined({ from, to, actor, address, runId: run, applyId: apply })

const list =
  (given: string | undefined, options: Chosen & Paging): Run =>
  (context) =>
    withRecords<Exit>(context, given, async ({ backend, workspace }) => {
      const { output } = context
      const { limit, after } = options
      const paging = after === undefined ? { limit } : { limit, after }
      const page = await perform(listEntries, { workspace, ...filterOf(options), ...paging }, backend)
      const { color, width } = output
      output.answer(page, () => renderLedger(page.items, { color, width }))
      notePage(page, output)
      return 0
    })

const exportAll =
  (given: string | undefined, filter: Chosen & { readonly curl?: boolean }): Run =>
  (context) =>
    withRecords<Exit>(context, given, async ({ backend, workspace }) => {
      const { output } = context
      if (filter.curl && output.json) throw new AppError('USAGE', { detail: '--curl cannot be combined with --json' })
      if (filter.curl) {
        const entries = eachEntry((paging) =>
          perform(listEntries, { workspace, ...filterOf(filter), ...paging }, backend),
        )
        for await (const entry of entries) output.raw(curlOfEntry(entry) ?? '')
        return 0
      }
      const lines: string[] = []
      for await (const line of perform(exportLines, { workspace, filter: filterOf(filter) }, backend)) {
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
}

const verify =
  (given: string | undefined, { file, head }: VerifyOptions): Run =>
  async (context) => {
    if (file !== undefined) {
      const workspace = given === undefined ? undefined : (await findName(given, context.host.folder)).workspace
      return report(await verifyLines(readLines(file, context.host), { workspace, head }), context)
    }
    if (head !== undefined) throw new AppError('USAGE', { detail: '--head needs --file' })
    return withRecords<Exit>(context, given, async ({ backend, workspace }) =>
      report(await perform(verifyStored, workspace, backend), context),
    )
  }

const headOption = (text: string): { seq: number; hash: string } => {
  const [, seq, hash] = /^(\d+):(sha256:[0-9a-f]{64})$/.exec(text) ?? []
  if (seq === undefined || hash === undefined)
    throw new AppError('USAGE', { detail: `--head "${text}" is not <number of the last entry>:sha256:<hex>` })
  return { seq: Number(seq), hash }
}

export const registerLedgerList: Register = (program, run) => {
  filtered(groupOf(program, 'ledger', summary).command('list'))
    .summary('list the entries')
    .description('Lists the log, oldest first.')
    .argument('[workspace]', 'a folder, or the name of a workspace')
    .addOption(limitOption())
    .addOption(afterOption())
    .action((given: string | undefined, options: Chosen & Paging) => run(list(given, options)))
}

export const registerLedgerVerify: Register = (program, run) => {
  groupOf(program, 'ledger', summary)
    .command('verify')
    .summary('verify that the ledger is complete and unchanged')
    .description(
      'Verifies the whole hash chain. With --file it verifies a complete export offline; a workspace argument names the workspace that the export must belong to.',
    )
    .argument('[workspace]', 'a folder, or the name of a workspace')
    .option('--file <path>', 'an exported log; - is standard input')
    .option('--head <seq:hash>', 'how the log has to end, noted earlier', headOption)
    .action((given: string | undefined, options: VerifyOptions) => run(verify(given, options)))
}

export const registerLedgerExport: Register = (program, run) => {
  filtered(groupOf(program, 'ledger', summary).command('export'))
    .summary('write the log, one JSON document a line')
    .description(
      'Writes the log to standard output, oldest first, one entry a line: what `ledger verify --file` reads. The last line is its head, which only the whole log has: a filtered one cannot be verified.',
    )
    .argument('[workspace]', 'a folder, or the name of a workspace')
    .option('--curl', 'as lines for a shell instead: what was to be sent, secrets by their source')
    .action((given: string | undefined, filter: Chosen & { readonly curl?: boolean }) => run(exportAll(given, filter)))
}
