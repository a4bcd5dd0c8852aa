import { resolve } from 'node:path'
import {
  AppError,
  alignCells,
  type Bundle,
  defined,
  deliverAlerts,
  type Paging,
  type Palette,
  palette,
  pathOfStored,
  pauseWorkspace,
  removeWorkspace,
  renderWorkspaces,
  resumeWorkspace,
  visible,
  type Workspace,
  workspaceId,
} from '#core'
import { findEntry, readName } from '../../../adapters/files/find-entry.ts'
import { type Operation, perform } from '../../backend/backend.ts'
import { pathOf } from '../../backend/http-client.ts'
import type { Context, Exit } from '../../context.ts'
import { answerPage } from '../../terminal/answer-page.ts'
import { ask } from '../../terminal/ask.ts'
import { eachPlace } from '../../workspace/each-place.ts'
import { findFolders } from '../../workspace/find-all.ts'
import { readSource } from '../../workspace/find-workspace.ts'
import type { Source } from '../../workspace/load-source.ts'
import { placesOf, titleOf, type WorkspacePlace } from '../../workspace/places.ts'
import { listWorkspacesOf, withBackend, withPushed } from '../../workspace/session.ts'
import {
  allOption,
  type CommandDefinition,
  command,
  option,
  pagingOptions,
  reasonOption,
  refuseUnkept,
  variableOptions,
  workspacesArgument,
} from '../command.ts'
import { destroyPreview, listPreviews } from './destroy-preview.ts'

interface PushOptions {
  readonly all?: boolean
  readonly yes?: boolean
  readonly claim?: boolean
  readonly reuse?: boolean
  readonly reason: string
}

const listFiles = ({ entry, files, variables = {} }: Bundle, { dim }: Palette): string => {
  const paths = Object.keys(files).sort((a, b) => Number(b === entry) - Number(a === entry) || (a < b ? -1 : 1))
  const rows = paths.map((path) => {
    const size = Buffer.byteLength(files[path] ?? '')
    return [
      { text: '' },
      { text: visible(pathOfStored(path)) },
      { text: `${size.toLocaleString('en')} byte${size === 1 ? '' : 's'}`, paint: dim },
    ]
  })
  const values = Object.keys(variables).map((name) => [
    { text: '' },
    { text: visible(name) },
    { text: 'value of a variable', paint: dim },
  ])
  return alignCells([...rows, ...values]).join('\n')
}

/** Lists files before they leave this machine; on a terminal the user is asked. */
export const mayPush = async (
  { bundle }: Source,
  { endpoint, output, host }: Context,
  { yes }: Pick<PushOptions, 'yes'>,
): Promise<boolean> => {
  const where = endpoint === undefined ? 'the store of this machine' : new URL(endpoint.url).host
  output.note(`these files go to ${where}:\n${listFiles(bundle, output.paint)}`)
  if (endpoint === undefined || yes || !output.interactive) return true
  return ask('\nSend them? Only "yes" sends: ', host)
}

/** The name of a workspace stands for the folder here or below that has it. */
const folderOf = async (place: WorkspacePlace, { host }: Context): Promise<string> => {
  const path = resolve(host.folder, place ?? '.')
  if (place === undefined || (await findEntry(path)) !== undefined || !workspaceId.safeParse(place).success) return path
  const named = await Promise.all(
    (await findFolders(host.folder)).map(async (folder) => ((await readName(folder))?.name === place ? [folder] : [])),
  )
  const [first = path, ...others] = named.flat()
  if (others.length === 0) return first
  throw new AppError('USAGE', {
    detail: `several folders have the workspace ${place}; name one: ${named.flat().join(', ')}`,
  })
}

const pushOne = async (context: Context, place: WorkspacePlace, options: PushOptions): Promise<Exit> => {
  const { output } = context
  const folder = await folderOf(place, context)
  const source = await readSource(folder, context)
  if (source === undefined) throw new AppError('CONFIG_NOT_FOUND', { path: folder })
  if (!(await mayPush(source, context, options))) {
    output.note('nothing was sent')
    return 1
  }
  const reuse = options.reuse ? { reason: options.reason } : undefined
  return withPushed(context, { source, reuse, takeOver: options.claim }, async (_, stored) => {
    const { bold, green, dim } = palette(output.color)
    output.answer(stored, () => `${green('stored')}  ${bold(stored.id)}  ${dim(stored.configurationDigest)}`)
    return 0
  })
}

const pushWords: Readonly<Record<Exit, string>> = { 0: 'stored', 1: 'not stored', 2: 'refused', 3: 'not started' }

const push = async (context: Context, given: readonly string[], options: PushOptions): Promise<Exit> => {
  refuseUnkept(context, 'workspace push')
  const places = await placesOf(given, options, context)
  const works = await Promise.all(places.map(async (place) => ({ title: await titleOf(place, context), place })))
  return eachPlace(works, { words: pushWords, work: (place, own) => pushOne(own, place, options) }, context)
}

interface ChangeRequest {
  readonly workspace: string
  readonly reason: string
}
type WorkspaceChange = Operation<ChangeRequest, Promise<Workspace | undefined>>

const changeCommand = (
  verb: 'pause' | 'resume',
  done: string,
  summary: string,
  description: string,
  work: WorkspaceChange,
): CommandDefinition =>
  command({
    name: `workspace ${verb}`,
    example: `plumbline workspace ${verb} acme-dns --reason "the zone moves this week"`,
    summary,
    description,
    argument: ['<workspace>', 'name of the workspace'],
    options: [reasonOption().makeOptionMandatory()],
    run: (context: Context, workspace: string, { reason }: { readonly reason: string }) =>
      withBackend(context, async (backend) => {
        const answer = (await perform(work, { workspace, reason }, backend)) ?? { workspace }
        const { bold, green } = palette(context.output.color)
        context.output.answer(answer, () => `${green(done)}  ${bold(workspace)}`)
        return 0
      }),
  })

const remove: WorkspaceChange = {
  local: async (request, { deps, actor }) => {
    await removeWorkspace({ ...request, actor }, deps)
    await deliverAlerts({ workspace: request.workspace }, deps)
    return undefined
  },
  remote: async ({ workspace, reason }, { client }) => {
    await client.delete(pathOf(workspace), { reason })
    return undefined
  },
}

interface RemoveOptions {
  readonly reason: string
  readonly withPreviews?: boolean
  readonly yes?: boolean
}

const previewsAtOnce = 100

/** Destroys the previews first. The first one that fails ends the command, and nothing else is removed. */
const removeWithPreviews = (context: Context, workspace: string, options: RemoveOptions): Promise<Exit> =>
  withBackend(context, async (backend) => {
    const { reason, withPreviews } = options
    const request = { workspace, limit: previewsAtOnce }
    const { items } = withPreviews ? await perform(listPreviews, request, backend) : { items: [] }
    for (const { id, preview } of items) {
      const exit = await destroyPreview(
        context,
        { backend, workspace: id },
        { reason, ...defined({ yes: options.yes, branch: preview?.branch }) },
      )
      if (exit !== 0) return exit
    }
    await perform(remove, { workspace, reason }, backend)
    const { bold, green } = palette(context.output.color)
    // Each destroyed preview has printed its own answer.
    if (items.length > 0) context.output.note(`the workspace ${workspace} is removed`)
    else context.output.answer({ workspace }, () => `${green('removed')}  ${bold(workspace)}`)
    context.output.note('its recorded objects stay where they are, and no workspace manages them now; nothing was sent')
    return 0
  })

const asked = (verb: 'pause' | 'resume'): WorkspaceChange['remote'] => {
  return ({ workspace, reason }, { client }) => client.post(`${pathOf(workspace)}/${verb}`, {}, { body: { reason } })
}

export const workspaceCommands = [
  command({
    name: 'workspace push',
    example: 'plumbline workspace push ./acme --yes',
    summary: "store a folder's configuration",
    description:
      'Validates the configuration of a folder and stores it; its schedule applies from then on. Sends the entry file and the files that it names, and lists them with their sizes first. Several are stored one after the other; one that fails does not stop the others.',
    argument: workspacesArgument,
    options: [
      allOption(),
      option('--claim', 'take the workspace over from the folder that it belongs to'),
      option('--reuse', 'start a new workspace under the name of a removed one'),
      reasonOption('for --reuse and the ledger').default('no reason given'),
      option('--yes', 'send the files without confirmation'),
      ...variableOptions,
    ],
    run: push,
  }),
  command({
    name: 'workspace list',
    example: 'plumbline workspace list',
    summary: 'list the workspaces',
    description: 'Lists the workspaces with the result of their last check.',
    options: pagingOptions,
    run: (context: Context, _: undefined, paging: Paging) =>
      withBackend(context, async (backend) => {
        const { output } = context
        const page = await perform(listWorkspacesOf, paging, backend)
        return answerPage(page, output, (workspaces) => renderWorkspaces(workspaces, { color: output.color }))
      }),
  }),
  changeCommand(
    'pause',
    'paused',
    'stop the scheduled checks until the workspace is resumed',
    'Stops the scheduled checks until the workspace is resumed. Requested checks and applies still run.',
    { local: (request, { deps, actor }) => pauseWorkspace({ ...request, actor }, deps), remote: asked('pause') },
  ),
  changeCommand(
    'resume',
    'resumed',
    'start the scheduled checks again',
    'Starts the scheduled checks again, from now on. Also takes the workspace out of quarantine.',
    { local: (request, { deps, actor }) => resumeWorkspace({ ...request, actor }, deps), remote: asked('resume') },
  ),
  command({
    name: 'workspace remove',
    example: 'plumbline workspace remove acme-dns --reason "replaced by acme-zones"',
    summary: 'remove a workspace and keep its ledger and runs',
    description:
      'Ends all checks, alerts and applies of the workspace and forgets the recorded state of its objects. Does not touch the target. Keeps the ledger and the runs. Refused while an apply runs, and as long as the workspace has previews; with --with-previews these are destroyed before, each after a confirmation.',
    argument: ['<workspace>', 'name of the workspace'],
    options: [
      reasonOption().makeOptionMandatory(),
      option('--with-previews', 'destroy its previews first, as `preview destroy` does'),
      option('--yes', 'delete what the previews created without confirmation'),
    ],
    run: removeWithPreviews,
  }),
]
