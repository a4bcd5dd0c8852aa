import { realpath } from 'node:fs/promises'
import { hostname } from 'node:os'
import { isAbsolute } from 'node:path'
import type { Claim } from '#core'
import { readName } from './find-entry.ts'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Returns the place of a workspace's files, for all users of a store: `<machine>:<folder without links>`. Machines
 * without a fixed name set PLUMBLINE_ORIGIN.
 */
export const originOf = async (folder: string, variables: Variables): Promise<string> =>
  variables['PLUMBLINE_ORIGIN'] || `${hostname()}:${await realpath(folder)}`

/**
 * Tells whether a folder may contain the workspace. A file that cannot be read, or has no workspace name, may belong to
 * it: then the workspace is not taken from that folder.
 */
const holds = async (folder: string, workspace: string): Promise<boolean> => {
  const found = await readName(folder)
  return found !== undefined && (found.name === undefined || found.name === workspace)
}

interface OriginRequest {
  readonly workspace: string
  readonly folder: string
  readonly variables: Variables
  /** True if other machines use the same store. */
  readonly shared: boolean
  readonly takeOver: boolean
  readonly moved: (from: string) => void
}

/**
 * Claims a workspace for a folder. The claim may replace a place on this machine that no longer contains the workspace
 * because its folder was moved.
 */
export const claimOf = async (request: OriginRequest): Promise<Claim> => {
  const { workspace, folder, variables, shared, takeOver, moved } = request
  const origin = await originOf(folder, variables)
  const here = await realpath(folder)
  const isLeft = async (from: string): Promise<boolean> => {
    const [, machine = '', there = ''] = /^([^:]*):(.*)$/s.exec(from) ?? []
    const isFolder = isAbsolute(there) && !there.startsWith('//')
    if (!isFolder || (shared && machine !== hostname())) return false
    // A store that only this machine uses may have recorded this folder under an earlier name of the machine.
    return (there === here && !shared) || !(await holds(there, workspace))
  }
  const mayTake = async (from: string): Promise<boolean> => {
    const may = takeOver || (await isLeft(from))
    if (may) moved(from)
    return may
  }
  return { origin, mayTake }
}
