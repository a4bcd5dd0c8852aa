import type { Command } from 'commander'
import {
  AppError,
  defined,
  type LedgerFilter,
  type LedgerVerdict,
  renderLedger,
  renderVerdict,
  verifyLines,
} from '#core'
import type { Paging } from '../backend/backend.ts'
import { eachItem } from '../backend/each-item.ts'
import type { Context, Exit } from '../context.ts'
import { curlOfEntry } from '../terminal/curl-entry.ts'
import { notePage } from '../terminal/note-page.ts'
import { readLines } from '../terminal/read-lines.ts'
import { findName } from '../workspace/find-name.ts'
import { withRecords } from '../workspace/session.ts'
import { afterOption, groupOf, instant, limitOption, type Register, type Run } from './command.ts'

const summary = 'the log of what was sent, by whom and why'

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
      const page = await backend.ledger(workspace, { ...filterOf(options), ...paging })
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
      if (filter.curl && output.json) throw new AppError('USAGE', { detail: '--curl writes shell lines, not JSON' })
      if (filter.curl) {
        const entries = eachItem((paging) => backend.ledger(workspace, { ...filterOf(filter), ...paging }))
        for await (const entry of entries) output.raw(curlOfEntry(entry) ?? '')
        return 0
      }
      const lines: string[] = []
      for await (const line of backend.exportLedger(workspace, filterOf(filter))) {
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
    if (head !== undefined) throw new AppError('USAGE', { detail: '--head belongs to --file' })
    return withRecords<Exit>(context, given, async ({ backend, workspace }) =>
      report(await backend.verify(workspace), context),
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
    .summary('prove that the log is whole and unchanged')
    .description(
      'Walks the whole chain to its head. With --file a whole exported log is verified, without asking anybody; a workspace beside it says whose log it must be.',
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
