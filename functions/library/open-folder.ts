import { resolve } from 'node:path'
import { AppError, givenByEnvironment, givenByStore, type JsonObject, palette } from '#core'
import { systemClock } from '../adapters/clock.ts'
import type { Local } from '../cli/backend/backend.ts'
import { openLocalBackend } from '../cli/backend/local-deps.ts'
import { readVariables } from '../cli/process/environment.ts'
import { userName } from '../cli/process/user-name.ts'
import { chooseStore } from '../cli/state/choose-store.ts'
import { openStateFolder } from '../cli/state/state-folder.ts'
import { loadSource, type Source } from '../cli/workspace/load-source.ts'
import { pushWorkspace } from '../cli/workspace/push.ts'
import type { WorkspaceOptions } from './options.ts'

interface OpenedFolder {
  readonly local: Local
  readonly workspace: string
}

const sourceIn = async (folder: string, options: WorkspaceOptions, variables: Local['host']['variables']) => {
  const given = [...givenByEnvironment(variables), ...givenByStore((options.variables ?? {}) as JsonObject)]
  const source = await loadSource(folder, { values: async () => given, variables })
  if (source === undefined) throw new AppError('CONFIG_NOT_FOUND', { path: folder })
  return source
}

const within = async <Result>(local: Local, source: Source, use: (opened: OpenedFolder) => Promise<Result>) => {
  try {
    const { id } = await pushWorkspace.local({ source }, local)
    return await use({ local, workspace: id })
  } finally {
    await local.close()
  }
}

/**
 * Reads the folder and opens its store as the command does, for one call: everything is closed afterwards. Rejects with
 * CONFIG_NOT_FOUND, CONFIG_INVALID, WORKSPACE_CLAIMED or USAGE.
 */
export const withFolder = async <Result>(
  given: string,
  options: WorkspaceOptions,
  use: (opened: OpenedFolder) => Promise<Result>,
): Promise<Result> => {
  const variables = options.environment ?? readVariables()
  const folder = resolve(given)
  const source = await sourceIn(folder, options, variables)
  await using store = await chooseStore(options.store ?? 'memory', undefined, { folder: process.cwd(), variables })
  const { table, keepsNothing } = store
  const state = await openStateFolder(folder, store.folder)
  const host = { variables, clock: systemClock, user: userName() }
  const output = { note: (text: string) => options.note?.(text), paint: palette(false) }
  return await within(await openLocalBackend({ state, table, keepsNothing, host, output }), source, use)
}

/** Of a call that nobody can interrupt, a signal that never comes. */
export const watchOf = ({ signal = new AbortController().signal }: WorkspaceOptions) => ({ progress: () => {}, signal })
