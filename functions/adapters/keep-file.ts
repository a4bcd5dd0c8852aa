import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { AppError } from '#core'
import { systemWords } from './system-words.ts'
import { replaceFile } from './transport/replace-file.ts'

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

interface KeepOptions {
  /** One that exists stays as it is. */
  readonly once?: boolean
}

/**
 * The one writer of what plumbline keeps beside its store: a finished file takes the name's place in one step and lasts
 * over a power cut, or nothing of it is there. For its owner only. Rejects with FILE_REFUSED where the system refuses.
 */
export const keepFile = async (path: string, text: string, { once = false }: KeepOptions = {}): Promise<void> => {
  try {
    const base = dirname(path)
    const handle = await open(base, constants.O_RDONLY | constants.O_DIRECTORY)
    try {
      const content = Buffer.from(text)
      await replaceFile({ base, handle }, basename(path), { content, mode: 0o600, mustBeNew: once })
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (once && codeOf(error) === 'EEXIST') return
    const detail = systemWords[codeOf(error)]
    // A full disk is told by a call that knows the file by its number only.
    throw detail === undefined ? error : new AppError('FILE_REFUSED', { path, detail }, { cause: error })
  }
}
