import { AppError, describeWorkspace, listWorkspaces, type Workspace } from '#core'
import { type Backend, type Operation, type Page, type Paging, paged, perform } from '../backend/backend.ts'
import { createClient, pathOf } from '../backend/http-client.ts'
import type { Context } from '../context.ts'
import {
  findStateFolder,
  openStateFolder,
  readFolders,
  rememberFolder,
  type StateFolder,
} from '../state/state-folder.ts'
import { findName } from './find-name.ts'
import { findSource, readSource, type Source } from './find-source.ts'
import { type PushRequest, pushWorkspace } from './push.ts'

export const listWorkspacesOf: Operation<Paging, Promise<Page<Workspace>>> = {
  local: (paging, { deps }) => listWorkspaces(deps.store, paging),
  remote: (paging, { client }) => client.get('/v1/workspaces', paged(paging)),
}

const storedWorkspace: Operation<string, Promise<Workspace>> = {
  local: (id, { deps }) => describeWorkspace(deps.store, id),
  remote: (id, { client }) => client.get(pathOf(id)),
}

export interface Session {
  readonly backend: Backend
  readonly workspace: string
}

const openRemote = ({ endpoint, host, output }: Context): Backend | undefined =>
  endpoint === undefined
    ? undefined
    : { kind: 'remote', client: createClient(endpoint, host.version), host, output, close: async () => {} }

/** The AWS clients load with the first command that needs a store. */
const openLocal = async ({ host, output }: Context, state: StateFolder): Promise<Backend> => {
  const { openLocalDeps } = await import('../backend/local-deps.ts')
  const actor = { subject: `local:${host.user}`, via: 'cli' } as const
  return { kind: 'local', ...(await openLocalDeps({ state, host, output })), actor, host, output }
}

const using = async <Result>(backend: Backend, use: (backend: Backend) => Promise<Result>): Promise<Result> => {
  try {
    return await use(backend)
  } finally {
    await backend.close()
  }
}

/** Opens where the work is done without choosing a workspace. Rejects where nothing was ever kept on this machine. */
export const withBackend = async <Result>(
  context: Context,
  use: (backend: Backend) => Promise<Result>,
): Promise<Result> => {
  const remote = openRemote(context)
  if (remote !== undefined) return using(remote, use)
  const state = await findStateFolder(context.host.folder)
  if (state === undefined) throw new AppError('CONFIG_NOT_FOUND', { path: context.host.folder })
  return using(await openLocal(context, state), use)
}

const onlyWorkspace = async (backend: Backend, folder: string): Promise<string> => {
  const { items } = await perform(listWorkspacesOf, { limit: 10 }, backend)
  const [first, ...others] = items
  if (first === undefined) throw new AppError('CONFIG_NOT_FOUND', { path: folder })
  if (others.length === 0) return first.id
  throw new AppError('USAGE', {
    detail: `there are several workspaces (${items.map(({ id }) => id).join(', ')}); name one`,
  })
}

const pushLocal = async (
  backend: Backend,
  state: StateFolder,
  source: Source,
  options: Omit<PushRequest, 'source'> = {},
): Promise<Workspace> => {
  const stored = await perform(pushWorkspace, { source, ...options }, backend)
  await rememberFolder(state, source.id, source.folder)
  return stored
}

/** Stores a folder's configuration, here or at the endpoint. */
export const pushFolder = async (
  context: Context,
  source: Source,
  options: Omit<PushRequest, 'source'>,
): Promise<Workspace> => {
  const remote = openRemote(context)
  if (remote !== undefined) return using(remote, () => perform(pushWorkspace, { source, ...options }, remote))
  const state = await openStateFolder(source.folder)
  return using(await openLocal(context, state), (backend) => pushLocal(backend, state, source, options))
}

const withLocal = async <Result>(
  context: Context,
  given: string | undefined,
  use: (session: Session) => Promise<Result>,
): Promise<Result> => {
  const { folder } = context.host
  const source = await findSource(given, folder)
  const state = source === undefined ? await findStateFolder(folder) : await openStateFolder(source.folder)
  if (state === undefined && given !== undefined) throw new AppError('WORKSPACE_NOT_FOUND', { workspace: given })
  if (state === undefined) throw new AppError('CONFIG_NOT_FOUND', { path: folder })
  return using(await openLocal(context, state), async (backend) => {
    const workspace = source?.id ?? given ?? (await onlyWorkspace(backend, folder))
    const known = (await readFolders(state)).get(workspace)
    const files = source ?? (known === undefined ? undefined : await readSource(known))
    // Whatever follows speaks of the files as they are now.
    if (files?.id === workspace) await pushLocal(backend, state, files)
    return use({ backend, workspace })
  })
}

/**
 * Opens where the work is done for a command that only looks at what is kept of a workspace. Its files are neither checked
 * nor stored, and nothing is made on this machine. Rejects with CONFIG_NOT_FOUND, WORKSPACE_NOT_FOUND or USAGE.
 */
export const withRecords = async <Result>(
  context: Context,
  given: string | undefined,
  use: (session: Session) => Promise<Result>,
): Promise<Result> => {
  const { workspace, folder } = await findName(given, context.host.folder)
  const backend = openRemote(context) ?? (await openKept(context, workspace, folder))
  return using(backend, async () =>
    use({ backend, workspace: workspace ?? (await onlyWorkspace(backend, context.host.folder)) }),
  )
}

const openKept = async (context: Context, workspace: string | undefined, folder: string): Promise<Backend> => {
  const state = await findStateFolder(folder)
  if (state !== undefined) return openLocal(context, state)
  if (workspace === undefined) throw new AppError('CONFIG_NOT_FOUND', { path: folder })
  throw new AppError('WORKSPACE_NOT_FOUND', { workspace })
}

const remoteSession = async (context: Context, backend: Backend, given: string | undefined): Promise<Session> => {
  const source = await findSource(given, context.host.folder)
  const workspace = source?.id ?? given ?? (await onlyWorkspace(backend, context.host.folder))
  if (
    source !== undefined &&
    (await perform(storedWorkspace, workspace, backend)).configurationDigest !== source.digest
  )
    context.output.note(
      context.output.paint.warn(
        `the stored configuration of ${workspace} is not the one of this folder; \`plumbline workspace push\` stores it`,
      ),
    )
  return { backend, workspace }
}

/**
 * Opens where the work is done and chooses the workspace: a folder, a name, or nothing: then the one of this folder, else
 * the only one there is. Rejects with CONFIG_NOT_FOUND, CONFIG_INVALID, WORKSPACE_NOT_FOUND or USAGE.
 */
export const withWorkspace = async <Result>(
  context: Context,
  given: string | undefined,
  use: (session: Session) => Promise<Result>,
): Promise<Result> => {
  const remote = openRemote(context)
  if (remote === undefined) return withLocal(context, given, use)
  return using(remote, async () => use(await remoteSession(context, remote, given)))
}
