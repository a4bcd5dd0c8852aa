import type { Configuration } from '../config/configuration.ts'
import type { SourcedBundle } from '../config/source.ts'
import { AppError, isAppError } from '../errors.ts'
import type { Actor, Workspace } from '../schema/records.ts'
import { getWorkspace, saveWorkspace } from '../state/workspaces.ts'
import type { Deps } from './deps.ts'
import { nextCheck } from './enqueue-due.ts'
import { loadWorkspaceLater } from './load-later.ts'

/** Parses and checks a workspace's files; nothing is stored or read. Throws CONFIG_INVALID with every issue. */
export const validateBundle = async (bundle: SourcedBundle, deps: Pick<Deps, 'providers'>): Promise<Configuration> =>
  (await loadWorkspaceLater(bundle, deps)).configuration

/**
 * Stores a workspace's files once they are valid. A new or changed configuration is due at once. `workspace` is the name
 * that the caller expects. Throws CONFIG_INVALID, WORKSPACE_MISMATCH.
 */
export const putWorkspace = async (
  input: {
    readonly bundle: SourcedBundle
    readonly actor: Actor
    readonly workspace?: string
  },
  deps: Deps,
): Promise<Workspace> => {
  const { configuration, bundle, digest } = await loadWorkspaceLater(input.bundle, deps)
  const { workspace: id, schedule, timezone, blackout } = configuration
  if (input.workspace !== undefined && input.workspace !== id) {
    throw new AppError('WORKSPACE_MISMATCH', { expected: input.workspace, found: id })
  }
  const now = deps.clock.now()
  const times = { ...(schedule === undefined ? {} : { schedule }), timezone, blackout: [...blackout] }
  const nextCheckAt = await due(id, { ...times, configuration: digest }, now, deps)
  const record = {
    id,
    ...times,
    ...(nextCheckAt === undefined ? {} : { nextCheckAt }),
    configuration: digest,
    updatedAt: now.toISOString(),
    updatedBy: input.actor,
  }
  return saveWorkspace(deps.store, record, bundle)
}

const due = async (
  id: string,
  next: Pick<Workspace, 'schedule' | 'timezone' | 'configuration'>,
  now: Date,
  deps: Deps,
): Promise<string | undefined> => {
  if (next.schedule === undefined) return undefined
  const current = await getWorkspace(deps.store, id).catch((error: unknown) => {
    if (isAppError(error, 'WORKSPACE_NOT_FOUND')) return undefined
    throw error
  })
  const untouched = current?.configuration === next.configuration
  if (!untouched) return now.toISOString()
  return current.nextCheckAt ?? (await nextCheck(next, now))?.toISOString()
}
