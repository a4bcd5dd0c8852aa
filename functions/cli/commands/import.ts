import { resolve } from 'node:path'
import type { ImportRequest } from '#authoring'
import { AppError, defined, type ImportReport, renderImport } from '#core'
import { writeDocument } from '../../adapters/files/keep-file.ts'
import { type Operation, perform, readingWithin, type Watch } from '../backend/backend.ts'
import type { Context, Exit } from '../context.ts'
import { ask } from '../terminal/ask.ts'
import { watching } from '../terminal/progress.ts'
import { withWorkspace } from '../workspace/session.ts'
import { collect, command, option, pair, variableOptions, workspaceArgument } from './command.ts'

interface ImportOptions {
  readonly workspace?: string
  readonly provider?: string
  readonly where?: readonly string[]
  readonly out?: string
}

/** Reads `pdns_zone name=example.org. rabbitmq_queue`: words with a `=` after a type identify one object of it. */
const typesOf = (words: readonly string[]): ImportRequest['types'] => {
  const types: { type: string; identity?: Record<string, string> }[] = []
  for (const word of words) {
    if (/^[a-z][a-z0-9_]*$/.test(word)) {
      types.push({ type: word })
      continue
    }
    const [name, value] = pair(word, 'name=value')
    const last = types.at(-1)
    if (last === undefined) throw new AppError('USAGE', { detail: `"${word}" follows no type` })
    last.identity = { ...last.identity, [name]: value }
  }
  return types
}

const foundObjects: Operation<{ readonly request: ImportRequest; readonly watch: Watch }, Promise<ImportReport>> = {
  local: async ({ request, watch }, { deps }) => {
    const { importObjects } = await import('#authoring')
    return readingWithin('the import', watch, deps, (own) => importObjects(request, own))
  },
  remote: async () => {
    throw new AppError('USAGE', { detail: 'import runs on this machine only; remove --endpoint' })
  },
}

/** The table is in docs/provider-tools.md. */
const exitOf = ({ issues, unlisted, unread, unchecked, differing }: ImportReport): Exit => {
  if (issues.length > 0) return 1
  if (unlisted.length + unread.length + unchecked.length > 0) return 3
  return differing.length > 0 ? 2 : 0
}

/** An existing file is replaced only after confirmation. */
const write = async (path: string, text: string, { host, output }: Context): Promise<boolean> => {
  if (await writeDocument(path, text)) return true
  if (!output.interactive)
    throw new AppError('USAGE', { detail: `${path} exists already; name another file, or move it away` })
  if (!(await ask(`${path} exists already. Only "yes" replaces it: `, host))) return false
  return writeDocument(path, text, true)
}

const answer = async (report: ImportReport, { out }: ImportOptions, context: Context): Promise<void> => {
  const { output, host } = context
  const { text } = report
  const path = out === undefined || text === '' ? undefined : resolve(host.folder, out)
  const written = path !== undefined && (await write(path, text, context))
  if (output.json) return output.answer({ ...report, ...defined({ file: written ? path : undefined }) }, () => '')
  output.note(renderImport(report, { color: output.noteColor }))
  if (out === undefined) output.raw(text)
  else output.note(written ? `written to ${path}` : 'nothing was written')
}

const importThem = (context: Context, words: readonly string[], options: ImportOptions): Promise<Exit> => {
  const types = typesOf(words)
  const where = Object.fromEntries((options.where ?? []).map((word) => pair(word, '--where name=value')))
  return withWorkspace(context, options.workspace, async ({ backend, workspace }) => {
    const request = { workspace, types, where, ...defined({ provider: options.provider }) }
    const report = await watching(context, 'reading', (watch) => perform(foundObjects, { request, watch }, backend))
    await answer(report, options, context)
    return exitOf(report)
  })
}

export const commands = [
  command({
    name: 'import',
    example: 'plumbline import pdns_zone --out zones.yaml',
    description:
      'Reads the objects that the workspace does not declare yet and writes them as resources, without computed, default and secret values. Then plans with them and reports the differences. Never writes to a target and stores nothing.\nExit codes: 0 done, 1 the result is not a valid configuration, 2 an apply would change something, 3 something could not be read.',
    argument: [
      '[type...]',
      'types, each followed by the identity of one object, for example pdns_zone name=example.org.; all types without one',
    ],
    options: [
      option('-w, --workspace <name>', workspaceArgument[1]),
      option('--provider <alias>', 'only types of this provider'),
      option('--where <name=value>', 'only objects with this attribute; repeatable', collect),
      option('-o, --out <file>', 'file to write (default: standard output)'),
      ...variableOptions,
    ],
    run: importThem,
  }),
]
