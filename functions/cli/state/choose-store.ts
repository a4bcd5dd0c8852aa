import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { AppError } from '#core'
import { ifThere } from '../../adapters/files/system-errors.ts'
import type { Host } from '../process/host.ts'
import { givenSealKey, stateFolderName } from './state-folder.ts'

/** Disposing removes data that was for this command only. */
export interface ChosenStore extends AsyncDisposable {
  /** An absolute path; the nearest `.plumbline` upwards when absent. */
  readonly folder?: string
  /** A DynamoDB table that contains the store; all other files belong to this command only. */
  readonly table?: string
  /** The folder goes with the command. */
  readonly keepsNothing?: true
  /**
   * The words, after a space, that a printed command must contain so that it uses the same store. The variable is set
   * for it, too.
   */
  readonly words?: string
}

const kept = async (): Promise<void> => {}

const forShell = (text: string): string => (/^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

const makeTemporary = async (): Promise<ChosenStore & { readonly folder: string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-memory-'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

const tablePrefix = 'dynamodb:'

/**
 * Secrets are compared by seals with a key. Machines that share a table need the same key; otherwise each would see the
 * seals of the others as drift.
 */
const chooseTable = async (where: string, { variables }: Pick<Host, 'variables'>): Promise<ChosenStore> => {
  const table = where.slice(tablePrefix.length)
  if (!/^[\w.-]{3,255}$/.test(table))
    throw new AppError('USAGE', { detail: `--store ${where}: "${table}" is not the name of a table` })
  if (givenSealKey(variables) === undefined)
    throw new AppError('USAGE', {
      detail: `--store ${where} needs PLUMBLINE_SEAL_KEY, the same for all machines; make it with: openssl rand -base64 32`,
    })
  const temporary = await makeTemporary()
  await mkdir(join(temporary.folder, stateFolderName))
  return { ...temporary, table }
}

/** Reads `--store`, or else the variable: `memory`, a table, or a folder that exists. Throws USAGE. */
export const chooseStore = async (
  option: string | undefined,
  variable: string | undefined,
  host: Pick<Host, 'folder' | 'variables'>,
): Promise<ChosenStore> => {
  const where = option ?? variable
  if (where === undefined) return { [Symbol.asyncDispose]: kept }
  if (where === 'memory') return { ...(await makeTemporary()), keepsNothing: true }
  const named = (path: string) => (option === undefined ? {} : { words: ` --store ${forShell(path)}` })
  if (where.startsWith(tablePrefix)) return { ...(await chooseTable(where, host)), ...named(where) }
  const folder = resolve(host.folder, where)
  const found = await ifThere(stat(folder))
  if (found?.isDirectory() !== true)
    throw new AppError('USAGE', {
      detail: `the store ${where}: there is no such folder; make it, or pass memory or dynamodb:<table>`,
    })
  return { folder, ...named(folder), [Symbol.asyncDispose]: kept }
}
