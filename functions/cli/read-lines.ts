import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { AppError } from '#core'
import type { Host } from './host.ts'

/** The lines of a file, `-` standing for standard input; an empty one at the end is none. Rejects with USAGE. */
export async function* readLines(
  file: string,
  { folder, stdin }: Pick<Host, 'folder' | 'stdin'>,
): AsyncGenerator<string> {
  const path = resolve(folder, file)
  if (file !== '-')
    await access(path).catch((cause: unknown) => {
      throw new AppError('USAGE', { detail: `${path} cannot be read` }, { cause })
    })
  const input = file === '-' ? stdin : createReadStream(path)
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) if (line !== '') yield line
}
