import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { AppError } from '#core'
import type { Host } from '../process/host.ts'

/** A file in pieces, however they are cut. */
interface ByteStream {
  readonly name: string
  readonly chunks: AsyncIterable<Uint8Array>
}

/** What is read at once, in bytes. */
const chunkLength = 1 << 18

async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: chunkLength })
  } catch (cause) {
    throw new AppError('USAGE', { detail: `${path} cannot be read` }, { cause })
  }
}

async function* chunksOfInput(stdin: Host['stdin']): AsyncGenerator<Uint8Array> {
  for await (const chunk of stdin) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}

/** A file as it comes, `-` standing for standard input. Reading rejects with USAGE. */
export const openBytes = (file: string, { folder, stdin }: Pick<Host, 'folder' | 'stdin'>): ByteStream =>
  file === '-'
    ? { name: 'standard input', chunks: chunksOfInput(stdin) }
    : { name: file, chunks: chunksOf(resolve(folder, file)) }
