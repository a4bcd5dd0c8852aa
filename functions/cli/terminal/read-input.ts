import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { AppError } from '#core'
import type { Host } from '../process/host.ts'

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

/** Opens a file as a stream; `-` is standard input. Reading rejects with USAGE. */
export const openBytes = (
  file: string,
  { folder, stdin }: Pick<Host, 'folder' | 'stdin'>,
): { readonly name: string; readonly chunks: AsyncIterable<Uint8Array> } =>
  file === '-'
    ? { name: 'standard input', chunks: chunksOfInput(stdin) }
    : { name: file, chunks: chunksOf(resolve(folder, file)) }

/**
 * Returns the unchanged lines of a file; `-` is standard input. Only a line feed ends a line, and an empty line counts.
 * Rejects with USAGE.
 */
export async function* readLines(file: string, host: Pick<Host, 'folder' | 'stdin'>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let begun: string[] = []
  for await (const chunk of openBytes(file, host).chunks) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    begun.push(first)
    for (const next of others) {
      yield begun.join('')
      begun = [next]
    }
  }
  const last = begun.join('') + decoder.decode()
  if (last !== '') yield last
}
