import { resolve } from 'node:path'
import type { ImportRequest } from '#authoring'
import { AppError, defined, type ImportReport, renderImport } from '#core'
import { writeDocument } from '../../adapters/files/keep-file.ts'
import { type Operation, perform, readingWithin, type Watch } from '../backend/backend.ts'
import type { Context, Exit } from '../context.ts'
import { ask } from '../terminal/ask.ts'
import { watching } from '../terminal/progress.ts'
import { withWorkspace } from '../workspace/session.ts'
import { collect, type Register, type Run } from './command.ts'

interface Options {
  readonly workspace?: string
  readonly provider?: string
  readonly where?: readonly string[]
  readonly out?: string
}

const member = (text: string): readonly [string, string] => {
  const at = text.indexOf('=')
  if (at < 1) throw new AppError('USAGE', { detail: `"${text}" is not of the form name=value` })
  return [text.slice(0, at), text.slice(at + 1)]
}

/** `pdns_zone name=example.org. rabbitmq_queue`: what follows a type and holds a `=` identifies one object of it. */
const typesOf = (words: readonly string[]): ImportRequest['types'] => {
  const types: { type: string; identity?: Record<string, string> }[] = []
  for (const word of words) {
    if (/^[a-z][a-z0-9_]*$/.test(word)) {
      types.push({ type: word })
      continue
    }
    const [name, value] = member(word)
    const last = types.at(-1)
    if (last === undefined) throw new AppError('USAGE', { detail: `"${word}" follows no type` })
    last.identity = { ...last.identity, [name]: value }
  }
  return types
}

/** Reads what exists, and stores nothing. */
const foundObjects: Operation<{ readonly request: ImportRequest; readonly watch: Watch }, Promise<ImportReport>> = {
  local: async ({ request, watch }, { deps }) => {
    const { importObjects } = await import('#authoring')
    return readingWithin('the import', watch, deps, (own) => importObjects(request, own))
  },
  remote: async () => {
    throw new AppError('USAGE', { detail: 'import runs on this machine only; remove --endpoint' })
  },
}

/** docs/provider-tools.md: 1 what was written cannot be used, 3 something was not read, 2 something differs at once. */
const exitOf = ({ issues, unlisted, unread, unchecked, differing }: ImportReport): Exit => {
  if (issues.length > 0) return 1
  if (unlisted.length + unread.length + unchecked.length > 0) return 3
  return differing.length > 0 ? 2 : 0
}

/** Writes over a file only where somebody says so. */
const write = async (path: string, text: string, { host, output }: Context): Promise<boolean> => {
  if (await writeDocument(path, text)) return true
  if (!output.interactive)
    throw new AppError('USAGE', { detail: `${path} exists already; name another file, or move it away` })
  if (!(await ask(`${path} exists already. Only "yes" writes over it: `, host))) return false
  return writeDocument(path, text, true)
}

const answer = async (report: ImportReport, { out }: Options, context: Context): Promise<void> => {
  const { output, host } = context
  const { text } = report
  const path = out === undefined || text === '' ? undefined : resolve(host.folder, out)
  const written = path !== undefined && (await write(path, text, context))
  if (output.json) return output.answer({ ...report, ...defined({ file: written ? path : undefined }) }, () => '')
  output.note(renderImport(report, { color: output.noteColor }))
  if (out === undefined) output.raw(text)
  else output.note(written ? `written to ${path}` : 'nothing was written')
}

const importThem =
  (words: readonly string[], options: Options): Run =>
  (context) => {
    const types = typesOf(words)
    const where = Object.fromEntries((options.where ?? []).map(member))
    const { provider } = options
    return withWorkspace<Exit>(context, options.workspace, async ({ backend, workspace }) => {
      const request = { workspace, types, where, ...defined({ provider }) }
      const report = await watching(context, 'reading', (watch) =>
        perform(foundObjects, { request: request, watch }, backend),
      )
      await answer(report, options, context)
      return exitOf(report)
    })
  }

export const registerImport: Register = (program, run) => {
  program
    .command('import')
    .summary('write the configuration of what exists already')
    .description(
      'Reads the objects that the workspace does not have yet and writes them as resources: without what is computed, default or secret. Then plans with them, and says where that is not empty. Writes to no target and keeps nothing.\nEnds with 0, 1 where the result is no valid configuration, 2 where something would be changed at once, 3 where something could not be read.',
    )
    .argument('[type...]', 'types, each with what identifies one object: pdns_zone name=example.org.; all without one')
    .option('-w, --workspace <name>', 'a folder, or the name of a workspace')
    .option('--provider <alias>', 'only of this provider')
    .option('--where <name=value>', 'only what has this attribute; may be repeated', collect)
    .option('-o, --out <file>', 'the file to write; standard output without it')
    .action((words: readonly string[], options: Options) => run(importThem(words, options)))
}
