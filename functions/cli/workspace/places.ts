import { relative, resolve } from 'node:path'
import { AppError, globPattern } from '#core'
import { readName } from '../../adapters/files/find-entry.ts'
import { perform } from '../backend/backend.ts'
import type { Context } from '../context.ts'
import { findStateFolder } from '../state/state-folder.ts'
import { findFolders } from './find-all.ts'
import { findName } from './find-workspace.ts'
import { listWorkspacesOf, withBackend } from './session.ts'

/** A folder, or the name of a workspace, as every command takes it; `undefined` is the workspace of this folder. */
export type WorkspacePlace = string | undefined

const pageOfAll = 200

/** The names that the endpoint has, or the store of this machine where there is one. */
const namesThere = async (context: Context): Promise<readonly string[]> => {
  const { host, storeFolder, endpoint } = context
  if (endpoint === undefined && (await findStateFolder(host.folder, storeFolder)) === undefined) return []
  const all: string[] = []
  await withBackend(context, async (backend) => {
    let after: string | undefined
    do {
      const page = await perform(listWorkspacesOf, { limit: pageOfAll, ...(after !== undefined && { after }) }, backend)
      all.push(...page.items.map(({ id }) => id), ...(page.damaged ?? []).map(({ id }) => id))
      after = page.next
    } while (after !== undefined)
    return 0
  })
  return all
}

/** Finds folders by their paths or by their names, and workspaces that have no folder here by their names. */
const matching = async (glob: string, context: Context): Promise<readonly string[]> => {
  const { folder: here } = context.host
  const isMatch = globPattern(glob.replace(/^\.\/|\/$/g, ''))
  const folders = await Promise.all(
    (await findFolders(here)).map(async (path) => ({ path, name: (await readName(path))?.name })),
  )
  const own = folders.filter(({ path, name }) => isMatch(relative(here, path)) || (name !== undefined && isMatch(name)))
  const names = new Set(folders.map(({ name }) => name))
  const elsewhere = (await namesThere(context)).filter((name) => isMatch(name) && !names.has(name))
  if (own.length + elsewhere.length > 0) return [...own.map(({ path }) => path), ...elsewhere]
  throw new AppError('USAGE', { detail: `no folder below ${here} and no workspace has a name like "${glob}"` })
}

/**
 * Turns the arguments of a command into workspaces, each of them once: folders, names, and patterns with `*` of both;
 * with `all`, every folder with a configuration in the given ones and below them. Rejects with CONFIG_NOT_FOUND or USAGE.
 */
export const placesOf = async (
  given: readonly string[],
  { all }: { readonly all?: boolean | undefined },
  context: Context,
): Promise<readonly WorkspacePlace[]> => {
  const { folder: here } = context.host
  const found = (await Promise.all(given.map((word) => (word.includes('*') ? matching(word, context) : [word])))).flat()
  if (all !== true) return found.length === 0 ? [undefined] : [...new Set(found)]
  const roots = (found.length === 0 ? ['.'] : found).map((root) => resolve(here, root))
  const below = [...new Set((await Promise.all(roots.map(findFolders))).flat())]
  if (below.length === 0) throw new AppError('CONFIG_NOT_FOUND', { path: roots.join(', ') })
  return below
}

/** How a summary calls a place: by its workspace, or by its folder where that names none. Never fails. */
export const titleOf = async (place: WorkspacePlace, { host, storeFolder }: Context): Promise<string> => {
  const path = resolve(host.folder, place ?? '.')
  const shown = place === undefined || place === path ? relative(host.folder, path) || '.' : place
  // The command itself says what is wrong with the place.
  const { workspace } = await findName(place, host.folder, storeFolder).catch(() => ({ workspace: undefined }))
  return workspace ?? shown
}
