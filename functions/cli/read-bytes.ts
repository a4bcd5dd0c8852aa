import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError, type PageSource } from '#core'
import type { Host } from './host.ts'

/** All of a file, `-` standing for standard input. Rejects with USAGE. */
export const readBytes = async (
  file: string,
  { folder, stdin }: Pick<Host, 'folder' | 'stdin'>,
): Promise<PageSource> => {
  if (file === '-') {
    const chunks: Uint8Array[] = []
    for await (const chunk of stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    return { name: 'standard input', bytes: Buffer.concat(chunks) }
  }
  const path = resolve(folder, file)
  return readFile(path).then(
    (bytes) => ({ name: file, bytes }),
    (cause: unknown) => {
      throw new AppError('USAGE', { detail: `${path} cannot be read` }, { cause })
    },
  )
}
