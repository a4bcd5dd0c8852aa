import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError } from '#core'
import type { Host } from '../process/host.ts'

/**
 * The lines of a file, `-` standing for standard input, as they are: only a line feed ends one, and an empty one counts.
 * Rejects with USAGE.
 */
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
  input.setEncoding('utf8')
  let begun: string[] = []
  for await (const chunk of input) {
    const [first = '', ...others] = String(chunk).split('\n')
    begun.push(first)
    for (const next of others) {
      yield begun.join('')
      begun = [next]
    }
  }
  const last = begun.join('')
  if (last !== '') yield last
}
