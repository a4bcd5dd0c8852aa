import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { AppError } from '#core'
import { ifThere } from '../../adapters/files/system-errors.ts'

/** Where this command keeps what it keeps. Disposing removes what was for this command only. */
export interface ChosenStore extends AsyncDisposable {
  /** Absolute; absent: the nearest `.plumbline` upwards. */
  readonly folder?: string
  /** What a command that is printed to be pasted must say, with a space before it. The variable is set for it, too. */
  readonly words?: string
}

const kept = async (): Promise<void> => {}

const forShell = (text: string): string => (/^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** What `--store`, or else the variable, says: `memory`, or a folder that exists. Throws USAGE. */
export const chooseStore = async (
  option: string | undefined,
  variable: string | undefined,
  here: string,
): Promise<ChosenStore> => {
  const where = option ?? variable
  if (where === undefined) return { [Symbol.asyncDispose]: kept }
  if (where === 'memory') {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-memory-'))
    return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
  }
  const folder = resolve(here, where)
  const found = await ifThere(stat(folder))
  if (found?.isDirectory() !== true)
    throw new AppError('USAGE', { detail: `--store ${where}: there is no such folder; make it, or pass memory` })
  return { folder, ...(option !== undefined && { words: ` --store ${forShell(folder)}` }), [Symbol.asyncDispose]: kept }
}
