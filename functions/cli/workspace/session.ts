import { AppError, listWorkspaces, type Page, type Paging, type Workspace } from '#core'
import { type Backend, type Local, localPaging, type Operation, paged, perform, places } from '../backend/backend.ts'
import { type Client, createClient, pathOf } from '../backend/http-client.ts'
import type { Context, Exit } from '../context.ts'
import { findWholeStateFolder, openStateFolder, readFolders, type StateFolder } from '../state/state-folder.ts'
import { inFolder } from '../terminal/error-folder.ts'
import type { Output } from '../terminal/output.ts'
import { findName, findSource, readSource } from './find-workspace.ts'
import type { Source } from './load-source.ts'
import { type PushRequest, pushWorkspace } from './push.ts'

export const listWorkspacesOf: Operation<Paging, Promise<Page<Workspace>>> = {
  local: async (paging, { deps }) => listWorkspaces(deps.store, localPaging(paging, places.name)),
  remote: (paging, { client }) => client.get('/v1/workspaces', paged(paging)),
}

export interface ChosenWorkspace {
  readonly backend: Backend
  readonly workspace: string
}

type UseSession = (session: ChosenWorkspace) => Promise<Exit>

const openRemote = ({ endpoint, host, output }: Context): Backend | undefined =>
  endpoint && { kind: 'remote', client: createClient(endpoint, host.version), host, output, close: async () => {} }

const openLocal = async (
  { host, output, storeTable: table, keepsNothing }: Context,
  state: StateFolder,
): Promise<Backend> => {
  const { openLocalBackend } = await import('../backend/local-deps.ts')
  return openLocalBackend({ state, table, keepsNothing, host, output })
}

const openKept = async (context: Context, folder: string, workspace?: string): Promise<Backend> => {
  const remote = openRemote(context)
  if (remote !== undefined) return remote
  const state = await findWholeStateFolder(folder, context.storeFolder)
  if (state !== undefined) return openLocal(context, state)
  throw workspace === undefined
    ? new AppError('CONFIG_NOT_FOUND', { path: folder })
    : new AppError('WORKSPACE_NOT_FOUND', { workspace })
}

const using = async <Result>(backend: Backend, use: (backend: Backend) => Promise<Result>): Promise<Result> => {
  try {
    return await use(backend)
  } finally {
    await backend.close()
  }
}

/** Opens the backend without choosing a workspace. Rejects with CONFIG_NOT_FOUND if this machine has stored nothing. */
export const withBackend = async (context: Context, use: (backend: Backend) => Promise<Exit>): Promise<Exit> =>
  using(await openKept(context, context.host.folder), use)

export const withPushed = async (
  context: Context,
  request: PushRequest,
  use: (session: ChosenWorkspace, stored: Workspace) => Promise<Exit>,
): Promise<Exit> => {
  const { folder } = request.source
  const opened = openRemote(context) ?? (await openLocal(context, await openStateFolder(folder, context.storeFolder)))
  return inFolder(folder, context, async () =>
    using(opened, async (backend) => {
      const stored = await perform(pushWorkspace, request, backend)
      return use({ backend, workspace: stored.id }, stored)
    }),
  )
}

const onlyWorkspace = async (backend: Backend, folder: string): Promise<string> => {
  const { items, damaged = [] } = await perform(listWorkspacesOf, { limit: 10 }, backend)
  const names = [...items, ...damaged].map(({ id }) => id)
  const [first, ...others] = names
  if (first === undefined) throw new AppError('CONFIG_NOT_FOUND', { path: folder })
  if (others.length === 0) return first
  throw new AppError('USAGE', {
    detail: `there are several workspaces (${names.join(', ')}); name one as the argument, or with -w where the argument is something else`,
  })
}

/**
 * Opens the backend for a command that only reads the records of a workspace. Its files are neither checked nor stored, and
 * nothing is created on this machine. Rejects with CONFIG_NOT_FOUND, WORKSPACE_NOT_FOUND or USAGE.
 */
export const withRecords = async (context: Context, given: string | undefined, use: UseSession): Promise<Exit> => {
  const { workspace, folder } = await findName(given, context.host.folder, context.storeFolder)
  return using(await openKept(context, folder, workspace), async (backend) =>
    use({ backend, workspace: workspace ?? (await onlyWorkspace(backend, context.host.folder)) }),
  )
}

const pushKnown = async (backend: Local, workspace: string, context: Context, found?: Source): Promise<void> => {
  const { state } = backend
  const folder = (await readFolders(state)).get(workspace)
  const source = found ?? (folder === undefined ? undefined : await readSource(folder, context))
  if (source?.id === workspace) await perform(pushWorkspace, { source }, backend)
}

const warnIfDifferent = async (client: Client, { id, digest }: Source, { note, paint }: Output): Promise<void> => {
  const { configurationDigest } = await client.get<Workspace>(pathOf(id))
  if (configurationDigest === digest) return
  note(
    paint.yellow(`the stored configuration of ${id} differs from this folder; \`plumbline workspace push\` stores it`),
  )
}

/**
 * Opens the backend and chooses the workspace: a folder, a name, or by default the workspace of this folder, else the
 * only one. Rejects with CONFIG_NOT_FOUND, CONFIG_INVALID, WORKSPACE_NOT_FOUND or USAGE.
 */
export const withWorkspace = async (context: Context, given: string | undefined, use: UseSession): Promise<Exit> => {
  const { host, output } = context
  const source = await findSource(given, context)
  const remote = openRemote(context)
  const opened =
    remote ?? (source && (await openLocal(context, await openStateFolder(source.folder, context.storeFolder))))
  return inFolder(source?.folder, context, async () =>
    using(opened ?? (await openKept(context, host.folder, given)), async (backend) => {
      const workspace = source?.id ?? given ?? (await onlyWorkspace(backend, host.folder))
      if (backend.kind === 'local') await pushKnown(backend, workspace, context, source)
      else if (source !== undefined) await warnIfDifferent(backend.client, source, output)
      return use({ backend, workspace })
    }),
  )
}
