import { join, posix } from 'node:path'
import type { Acceptance, AcceptRequest } from '#authoring'
import { AppError, defined, type Proposed, renderAccept, renderFileDiffs } from '#core'
import { changeDocuments } from '../../adapters/files/change-documents.ts'
import { type Backend, type Operation, perform, readingWithin, type Watch } from '../backend/backend.ts'
import type { Context, Exit } from '../context.ts'
import type { Host } from '../process/host.ts'
import { ask } from '../terminal/ask.ts'
import { watching } from '../terminal/progress.ts'
import { withWorkspace } from '../workspace/session.ts'
import { command, option, variableOptions, workspaceArgument } from './command.ts'

interface AcceptOptions {
  readonly workspace?: string
  readonly all?: boolean
  readonly check?: boolean
  readonly yes?: boolean
  readonly pullRequest?: boolean
  readonly repository?: string
  readonly base?: string
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

interface AcceptedChange {
  readonly acceptance: Acceptance
  readonly options: AcceptOptions
  readonly host: Host
}

/** Nothing on this machine changes: the change is a branch in the repository. */
const openedRequest: Operation<AcceptedChange, Promise<Proposed>> = {
  local: async ({ acceptance, options, host }, { deps }) => {
    const { report, changed, folder, plan } = acceptance
    const { proposeChange, renderProposal } = await import('#core')
    const { renderPlan } = await import('#render')
    const { repositoryAround, accessTo } = await import('../workspace/repository-around.ts')
    const around = repositoryAround(folder, options.repository, host.variables)
    const { workspace } = report
    return proposeChange(
      {
        workspace,
        about: { repository: around.repository, ...accessTo(host.variables) },
        ...defined({ base: options.base }),
        branch: `plumbline/${workspace}`,
        files: changed.map(({ file, before, after }) => ({ path: posix.join(around.folder, file), before, after })),
        title: `Accept what changed in ${workspace}`,
        body: renderProposal(report, await renderPlan(plan, { format: 'markdown' })),
      },
      deps,
    )
  },
  remote: async () => refuseEndpoint(),
}

/** The table is in docs/cli.md. */
const exitOf = ({ report: { accepted, refused } }: Acceptance, isWritten: boolean): Exit => {
  if (refused.length > 0) return accepted.length > 0 ? 3 : 1
  return isWritten || accepted.length === 0 ? 0 : 2
}

const filesOf = ({ changed }: Acceptance): string => changed.map(({ file }) => file).join(', ')

/** What is written is shown as accepted afterwards, and what somebody is asked about before it is. */
const show = ({ report }: Acceptance, isWritten: boolean, { output }: Context): void => {
  if (output.json) return
  output.note(renderAccept(report, { color: output.noteColor, isWritten }))
  output.raw(renderFileDiffs(report, { color: output.color }))
}

const write = ({ changed, folder }: Acceptance): Promise<void> =>
  changeDocuments(changed.map(({ file, before, after }) => ({ path: join(folder, file), before, after })))

const propose = async (wanted: AcceptedChange, backend: Backend, context: Context): Promise<Exit> => {
  const { report, changed } = wanted.acceptance
  const { output } = context
  const opened = changed.length === 0 ? undefined : await perform(openedRequest, wanted, backend)
  show(wanted.acceptance, opened !== undefined, context)
  if (output.json) output.answer({ ...report, written: false, ...defined({ pullRequest: opened }) }, () => '')
  else if (opened !== undefined)
    output.note(`${opened.updated ? 'updated' : 'opened'} pull request #${opened.number}: ${opened.url}`)
  return exitOf(wanted.acceptance, opened !== undefined)
}

const answer = async (wanted: Omit<AcceptedChange, 'host'>, backend: Backend, context: Context): Promise<Exit> => {
  const { acceptance, options } = wanted
  const { output, host } = context
  const { report, changed } = acceptance
  if (options.pullRequest) return propose({ ...wanted, host }, backend, context)
  const isOpen = changed.length > 0 && !options.check && !options.yes
  const isAsked = isOpen && output.interactive
  if (isAsked) show(acceptance, false, context)
  const isWritten = isAsked
    ? await ask(`\nChange ${filesOf(acceptance)}? Only "yes" writes: `, host)
    : options.yes === true && changed.length > 0
  if (isWritten) await write(acceptance)
  if (!isAsked) show(acceptance, isWritten, context)
  const why = isOpen && !isAsked ? ': there is no terminal to ask at; pass --yes to write it' : ''
  if (output.json) output.answer({ ...report, written: isWritten }, () => '')
  else if (changed.length > 0)
    output.note(isWritten ? `written to ${filesOf(acceptance)}` : `nothing was written${why}`)
  return exitOf(acceptance, isWritten)
}

const requestOf = (
  [address, ...paths]: readonly string[],
  { all, check, yes, pullRequest, repository, base }: AcceptOptions,
) => {
  if (check && yes) throw new AppError('USAGE', { detail: 'pass --check or --yes, not both' })
  if (pullRequest && (check || yes))
    throw new AppError('USAGE', { detail: 'pass --pull-request, or --check or --yes, which are about this folder' })
  if (!pullRequest && (repository ?? base) !== undefined)
    throw new AppError('USAGE', { detail: '--repository and --base need --pull-request' })
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
      option('--pull-request', 'write nothing here: open a pull request on GitHub, with GITHUB_TOKEN'),
      option('--repository <owner/name>', 'where; GITHUB_REPOSITORY or the remote "origin" when absent'),
      option('--base <branch>', 'the branch to change; the default branch when absent'),
      ...variableOptions,
    ],
    run: (context: Context, words: readonly string[], options: AcceptOptions) => {
      const named = requestOf(words, options)
      if (context.endpoint !== undefined) refuseEndpoint()
      return withWorkspace(context, options.workspace, async ({ backend, workspace }) => {
        const acceptance = await watching(context, 'reading', (watch) =>
          perform(triedChanges, { request: { workspace, ...named }, watch }, backend),
        )
        return answer({ acceptance, options }, backend, context)
      })
    },
  }),
]
