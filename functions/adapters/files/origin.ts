import { readdir, readFile, realpath } from 'node:fs/promises'
import { hostname } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { type Claim, workspaceNameIn } from '#core'
import { entryFiles } from './entry-files.ts'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Where a workspace's files are kept, for everybody who shares a store: `<machine>:<folder without links>`. Machines that
 * come and go say it themselves with PLUMBLINE_ORIGIN.
 */
export const originOf = async (folder: string, variables: Variables): Promise<string> =>
  variables['PLUMBLINE_ORIGIN'] || `${hostname()}:${await realpath(folder)}`

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/** What cannot be read, or does not tell its name, may well hold it: only what is surely not there lets go. */
const holds = async (folder: string, workspace: string): Promise<boolean> => {
  try {
    const names = await readdir(folder)
    const entry = entryFiles.find((name) => names.includes(name))
    if (entry === undefined) return false
    const name = workspaceNameIn(entry, await readFile(join(folder, entry), 'utf8'))
    return name === undefined || name === workspace
  } catch (error) {
    return !isGone(error)
  }
}

interface Wish {
  readonly workspace: string
  readonly folder: string
  readonly variables: Variables
  /** Whether other machines use the same store. */
  readonly shared: boolean
  /** Somebody said that the workspace is handed over. */
  readonly takeOver: boolean
  /** Told of a workspace that is taken from where it was. */
  readonly moved: (from: string) => void
}

/**
 * The claim of a folder on its workspace. Another place is left where it is this machine's and does not hold the workspace
 * any more: the folder was moved.
 */
export const claimOf = async (wish: Wish): Promise<Claim> => {
  const { workspace, folder, variables, shared, takeOver, moved } = wish
  const origin = await originOf(folder, variables)
  const here = await realpath(folder)
  const isLeft = async (from: string): Promise<boolean> => {
    const [, machine = '', there = ''] = /^([^:]*):(.*)$/s.exec(from) ?? []
    const isFolder = isAbsolute(there) && !there.startsWith('//')
    if (!isFolder || (shared && machine !== hostname())) return false
    // A store of this machine alone has stood here under another name of the machine.
    return (there === here && !shared) || !(await holds(there, workspace))
  }
  const mayTake = async (from: string): Promise<boolean> => {
    const may = takeOver || (await isLeft(from))
    if (may) moved(from)
    return may
  }
  return { origin, mayTake }
}
