import { AppError } from '../../../errors/errors.ts'
import { loadSerial } from '../../../state/runs/recorded.ts'
import { findWorkspace } from '../../../state/workspaces/workspaces.ts'
import type { Deps } from '../../deps.ts'
import type { Base } from './base.ts'

/** Identifies the version of the configuration and of the recorded state of a workspace. */
export const baseMark = async (base: string, { store }: Pick<Deps, 'store'>): Promise<string> => {
  const found = await findWorkspace(store, base)
  return JSON.stringify([found?.configurationDigest, await loadSerial(store, base)])
}

/**
 * Called right before a write of a preview: the configuration and the records of the base must not have changed since
 * the write was decided.
 */
export const baseMoved = async (
  base: Base | undefined,
  deps: Pick<Deps, 'store'>,
): Promise<AppError<'BASE_MOVED'> | undefined> =>
  base === undefined || (await baseMark(base.name, deps)) === base.mark
    ? undefined
    : new AppError('BASE_MOVED', { base: base.name })
