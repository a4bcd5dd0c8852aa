import { join } from 'node:path'
import type { Acceptance, AcceptRequest } from '#authoring'
import { AppError, defined, renderAccept, renderFileDiffs } from '#core'
import { changeDocuments } from '../../adapters/files/change-documents.ts'
import { type Operation, perform, readingWithin, type Watch } from '../backend/backend.ts'
import type { Context, Exit } from '../context.ts'
import { ask } from '../terminal/ask.ts'
import { watching } from '../terminal/progress.ts'
import { withWorkspace } from '../workspace/session.ts'
import { command, option, variableOptions, workspaceArgument } from './command.ts'

interface AcceptOptions {
  readonly workspace?: string
  readonly all?: boolean
  readonly check?: boolean
  readonly yes?: boolean
}

const refuseEndpoint = (): never => {
  throw new AppError('USAGE', {
    detail: 'accept changes files of this machine and tries them against the target from here; remove --endpoint',
  })
}

/** Reads the target, tries the changes in memory, and stores nothing. */
const triedChanges: Operation<{ readonly request: AcceptRequest; readonly watch: Watch }, Promise<Acceptance>> = {
  local: async ({ request, watch }, { deps }) => {
    const { acceptDrift } = await import('#authoring')
    return readingWithin('the accept', watch, deps, (own) => acceptDrift(request, own))
  },
  remote: async () => refuseEndpoint(),
}

/** The table is in docs/cli.md. */
const exitOf = ({ report: { accepted, refused } }: Acceptance, isWritten: boolean): Exit => {
  if (refused.length > 0) return accepted.length > 0 ? 3 : 1
  return isWritten || accepted.length === 0 ? 0 : 2
}

const agrees = async ({ changed }: Acceptance, { check, yes }: AcceptOptions, context: Context): Promise<boolean> => {
  const { output, host } = context
  if (changed.length === 0 || check) return false
  if (yes) return true
  const names = changed.map(({ file }) => file).join(', ')
  return output.interactive && ask(`\nChange ${names}? Only "yes" writes: `, host)
}

const write = ({ changed, folder }: Acceptance): Promise<void> =>
  changeDocuments(changed.map(({ file, before, after }) => ({ path: join(folder, file), before, after })))

const answer = async (acceptance: Acceptance, options: AcceptOptions, context: Context): Promise<Exit> => {
  const { output } = context
  const { report, changed } = acceptance
  if (!output.json) {
    output.note(renderAccept(report, { color: output.noteColor }))
    output.raw(renderFileDiffs(report, { color: output.color }))
  }
  const isWritten = await agrees(acceptance, options, context)
  if (isWritten) await write(acceptance)
  if (output.json) output.answer({ ...report, written: isWritten }, () => '')
  else if (changed.length > 0)
    output.note(isWritten ? `written to ${changed.map(({ file }) => file).join(', ')}` : 'nothing was written')
  return exitOf(acceptance, isWritten)
}

const requestOf = ([address, ...paths]: readonly string[], { all, check, yes }: AcceptOptions) => {
  if (check && yes) throw new AppError('USAGE', { detail: 'pass --check or --yes, not both' })
  if (all && address !== undefined) throw new AppError('USAGE', { detail: 'pass an address or --all, not both' })
  if (!all && address === undefined)
    throw new AppError('USAGE', { detail: 'name the address of a resource, or pass --all' })
  return { paths, ...defined({ address }) }
}

export const commands = [
  command({
    name: 'accept',
    example: "plumbline accept pdns_zone.main 'rrsets[www.example.org. A].ttl'",
    description:
      'Reads the target and writes the values that somebody changed there into the configuration files, where they are declared. Everything else in the files stays as it is. Shows the changes as a diff and asks for confirmation. Writes nothing if anything else would change with it. Never writes to the target.\nExit codes: 0 done, 1 nothing can be accepted, 2 shown and not written, 3 a part was refused.',
    argument: [
      '[address-and-paths...]',
      'address of a resource, and attributes in it as the plan names them (default: all that drifted)',
    ],
    options: [
      option('-w, --workspace <name>', workspaceArgument[1]),
      option('--all', 'every resource'),
      option('--check', 'show the changes and write nothing'),
      option('--yes', 'write the changes without confirmation'),
      ...variableOptions,
    ],
    run: (context: Context, words: readonly string[], options: AcceptOptions) => {
      const named = requestOf(words, options)
      if (context.endpoint !== undefined) refuseEndpoint()
      return withWorkspace(context, options.workspace, async ({ backend, workspace }) => {
        const acceptance = await watching(context, 'reading', (watch) =>
          perform(triedChanges, { request: { workspace, ...named }, watch }, backend),
        )
        return answer(acceptance, options, context)
      })
    },
  }),
]
