import {
  type Bundle,
  type Deps,
  defined,
  findWorkspace,
  isAppError,
  putWorkspace,
  type Version,
  type Workspace,
  workspaceHistory,
} from '#core'
import { claimOf } from '../../adapters/files/origin.ts'
import type { Operation } from '../backend/backend.ts'
import { type Client, pathOf } from '../backend/http-client.ts'
import { rememberFolder } from '../state/state-folder.ts'
import type { Source } from './load-source.ts'

export interface PushRequest {
  readonly source: Source
  /** True: takes the workspace over from the folder that it belongs to. */
  readonly takeOver?: boolean | undefined
  readonly reuse?: { readonly reason: string } | undefined
  /** The lifetime of a preview from now on. */
  readonly expires?: string | undefined
}

const findStored = async (client: Client, id: string): Promise<Workspace | undefined> => {
  try {
    return await client.get<Workspace>(pathOf(id))
  } catch (error) {
    if (isAppError(error, 'WORKSPACE_NOT_FOUND') || isAppError(error, 'WORKSPACE_REMOVED')) return undefined
    throw error
  }
}

/** The current version, if a rollback made it. */
const findRollback = async (workspace: string, deps: Deps): Promise<Version | undefined> => {
  const { items } = await workspaceHistory({ workspace, limit: 1 }, deps)
  return items.find(({ rollbackOf }) => rollbackOf !== undefined)
}

/**
 * Stores a configuration, and locally also its folder. Rejects with WORKSPACE_CLAIMED if the workspace belongs to
 * another folder.
 */
export const pushWorkspace: Operation<PushRequest, Promise<Workspace>> = {
  local: async ({ source, takeOver = false, reuse, expires }, { deps, state, shared, host, output, actor }) => {
    const { id, folder, read, digest } = source
    const moved = (from: string): void => output.note(output.paint.yellow(`${id} is taken over from ${from}`))
    const claim = await claimOf({ workspace: id, folder, variables: host.variables, shared, takeOver, moved })
    const known = await findWorkspace(deps.store, id)
    const isPreview = read.preview !== undefined
    const isSame = known?.configurationDigest === digest && known.origin === claim.origin && !isPreview
    const undone = isSame || known === undefined ? undefined : await findRollback(id, deps)
    const stored = isSame
      ? known
      : await putWorkspace({ bundle: read, actor, workspace: id, claim, reuse, expires }, deps)
    if (undone !== undefined)
      output.note(
        output.paint.yellow(
          `${id}: version ${stored.configurationVersion} is what ${folder} contains; it undoes version ${undone.version}, the rollback to version ${undone.rollbackOf}`,
        ),
      )
    if (!isPreview) await rememberFolder(state, id, folder)
    return stored
  },
  /** Warns with the name of the other place, if another place stored it last. */
  remote: async ({ source, takeOver = false, reuse, expires }, { client, host, output }) => {
    const { id, bundle, folder } = source
    const stored = await findStored(client, id)
    const moved = (from: string): void => output.note(output.paint.yellow(`${id} is taken over from ${from}`))
    const request = { workspace: id, folder, variables: host.variables, shared: true, takeOver, moved }
    const { origin, mayTake } = await claimOf(request)
    const other = stored?.origin === origin ? undefined : stored?.origin
    if (stored !== undefined && stored.origin !== origin) {
      const from = other === undefined ? '' : `, from ${other}`
      output.note(`${id} was stored ${stored.updatedAt} by ${stored.updatedBy.subject}${from}`)
    }
    const claimFrom = other !== undefined && (await mayTake(other)) ? { claimFrom: other } : {}
    const body: Bundle & { readonly origin: string } = { ...bundle, origin, ...claimFrom, ...defined({ expires }) }
    return client.put<Workspace>(pathOf(id), body, reuse === undefined ? {} : { reuse: 'true', ...reuse })
  },
}
