import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { chmod, lstat, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { AppError } from '#core'
import { findRepository } from '../../adapters/files/find-repository.ts'
import { keepFile } from '../../adapters/files/keep-file.ts'
import { waitForLock } from '../../adapters/files/kernel-lock.ts'
import { readOwnFile } from '../../adapters/files/own-file.ts'
import { readKeyFile } from '../../adapters/files/read-key-file.ts'
import { asRefused, ifThere } from '../../adapters/files/system-errors.ts'
import { jsonIn } from '../../adapters/json-in.ts'
import type { Host } from '../process/host.ts'

export const stateFolderName = '.plumbline'
const keyBytes = 32

const layout = (path: string) => ({
  path,
  storeFile: join(path, 'store.sqlite'),
  sealKeyFile: join(path, 'seal.key'),
  /** Made with the first anchor of a ledger. */
  anchorKeyFile: join(path, 'anchor.key'),
  /** A running `plumbline dev` writes it, and holds the lock. */
  devFile: join(path, 'dev.json'),
  devLock: join(path, 'dev.lock'),
  issuerFile: join(path, 'issuer.json'),
  /** Maps workspaces to folders. */
  foldersFile: join(path, 'folders.json'),
  foldersLock: join(path, 'folders.lock'),
})
export type StateFolder = Readonly<ReturnType<typeof layout>>

const isOwn = ({ uid }: Pick<Stats, 'uid'>): boolean => process.getuid === undefined || uid === process.getuid()

/** The folder of another user is never used, because its seal key and workspaces belong to that user. */
const isOurs = async (path: string, look = lstat): Promise<boolean> => {
  const found = await ifThere(look(path))
  return found?.isDirectory() === true && isOwn(found)
}

/** Nobody knows where a repository lets a link lead: keys would be written there. */
const refuseLink = async (path: string, whose: (link: Stats) => boolean = () => true): Promise<void> => {
  const found = await ifThere(lstat(path))
  if (found?.isSymbolicLink() !== true || !whose(found)) return
  const detail = 'it is a link, which is not followed; put a folder in its place, or name another one with --store'
  throw new AppError('FILE_REFUSED', { path, detail })
}

/**
 * Finds the nearest state folder, from the folder upwards, as with `.git`; so one can be used for many workspaces.
 * `chosen`: the folder to use instead. Rejects with FILE_REFUSED for a link; one of another user, above this folder, is passed over
 * as a folder of theirs is.
 */
export const findStateFolder = async (from: string, chosen?: string): Promise<StateFolder | undefined> => {
  const start = chosen ?? from
  const path = join(start, stateFolderName)
  if (await isOurs(path)) return layout(path)
  await refuseLink(path, (link) => chosen !== undefined || isOwn(link))
  const parent = dirname(start)
  return parent === start || chosen !== undefined ? undefined : findStateFolder(parent)
}

/** Finds the nearest state folder and adds missing files: a user may have created an empty one, so that it is found. */
export const findWholeStateFolder = async (from: string, chosen?: string): Promise<StateFolder | undefined> => {
  const found = await findStateFolder(from, chosen)
  if (found === undefined || (await ifThere(lstat(found.sealKeyFile)))) return found
  return complete(found)
}

/**
 * Chooses the place for a new state folder: the root of the repository, so that all its workspaces share it, unless
 * another user owns that folder.
 */
const homeOf = async (from: string): Promise<string> => {
  const root = await findRepository(from)
  return root !== undefined && (await isOurs(root, stat)) ? root : from
}

/** Opens the state folder with all its files, and creates what is missing. Rejects with FILE_REFUSED for a link. */
export const openStateFolder = async (from: string, chosen?: string): Promise<StateFolder> =>
  complete((await findStateFolder(from, chosen)) ?? layout(join(chosen ?? (await homeOf(from)), stateFolderName)))

const complete = async (folder: StateFolder): Promise<StateFolder> => {
  await refuseLink(folder.path)
  try {
    await mkdir(folder.path, { recursive: true, mode: 0o700 })
    await chmod(folder.path, 0o700)
  } catch (error) {
    throw asRefused(error, folder.path)
  }
  await keepFile(join(folder.path, '.gitignore'), '*\n', { once: true })
  await keepFile(folder.sealKeyFile, `${randomBytes(keyBytes).toString('base64')}\n`, { once: true })
  return folder
}

const isKey = (text: string): boolean => {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text && bytes.length === keyBytes
}

/** Returns the key from the environment, for machines that share a store. Throws USAGE, which does not quote it. */
export const givenSealKey = (variables: Host['variables']): string | undefined => {
  const key = variables['PLUMBLINE_SEAL_KEY']?.trim() || undefined
  if (key === undefined || isKey(key)) return key
  throw new AppError('USAGE', {
    detail: `PLUMBLINE_SEAL_KEY is not ${keyBytes} bytes in Base64; make one with: openssl rand -base64 ${keyBytes}`,
  })
}

/** Rejects with KEY_INVALID if the key is incomplete: the values that it seals could not be compared later. */
export const readSealKey = async ({ sealKeyFile }: StateFolder): Promise<string> => {
  const text = (await readKeyFile(sealKeyFile)) ?? ''
  const key = text.trim()
  if (isKey(key)) return key
  const detail = `its ${Buffer.byteLength(text)} bytes are not ${keyBytes} bytes in Base64`
  throw new AppError('KEY_INVALID', { file: sealKeyFile, detail })
}

/** `undefined` also for a file that a crash has truncated. Rejects with FILE_REFUSED for a link. */
export const readJson = async (file: string): Promise<unknown> => jsonIn((await readOwnFile(file)) ?? '')

/** A file that a crash has truncated names no folder; the next command in a folder adds it again. */
const foldersShape = z.record(z.string(), z.unknown()).catch({})

/** Absolute folders by workspace, of the workspaces that were read from this machine. */
export const readFolders = async (state: StateFolder): Promise<ReadonlyMap<string, string>> => {
  const found = Object.entries(foldersShape.parse(await readJson(state.foldersFile)))
  return new Map(found.flatMap(([workspace, folder]) => (typeof folder === 'string' ? [[workspace, folder]] : [])))
}

export const rememberFolder = async (state: StateFolder, workspace: string, folder: string): Promise<void> => {
  if ((await readFolders(state)).get(workspace) === folder) return
  // Without the lock this write could undo an entry that another process adds, however long that takes.
  const lock = await waitForLock(state.foldersLock)
  try {
    // The file is read again: another process may have added an entry meanwhile.
    const all = Object.fromEntries([...(await readFolders(state)), [workspace, folder]])
    await keepFile(state.foldersFile, `${JSON.stringify(all, null, 2)}\n`)
  } finally {
    await lock.close()
  }
}
