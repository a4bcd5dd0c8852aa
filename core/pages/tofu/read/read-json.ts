import { AppError } from '../../../engine/errors/errors.ts'
import type { Selection } from './scan.ts'
import { createScanner } from './scan-json.ts'
import { isMap, memberOf, textOf, type ValueMap } from './value.ts'

/** A JSON file in pieces, however they are cut. UTF-8 or UTF-16, by its byte order mark; shells write both. */
export interface ByteStream {
  readonly name: string
  readonly chunks: AsyncIterable<Uint8Array>
}

/** Reads a file in pieces and returns a result. Both throw USAGE, which names the file and the place. */
export interface Reader<Out> {
  push(bytes: Uint8Array): void
  end(): Out
}

/** Text from bytes in pieces. */
const createDecoder = (): ((bytes: Uint8Array, isLast: boolean) => string) => {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let first: Uint8Array = new Uint8Array()
  return (bytes, isLast) => {
    if (decoder !== undefined) return decoder.decode(bytes, { stream: !isLast })
    first = first.length === 0 ? bytes : Uint8Array.from([...first, ...bytes])
    if (first.length < 2 && !isLast) return ''
    const mark = `${first[0]} ${first[1]}`
    decoder = new TextDecoder(mark === '255 254' ? 'utf-16le' : mark === '254 255' ? 'utf-16be' : 'utf-8')
    return decoder.decode(first, { stream: !isLast })
  }
}

/** Chunks larger than this are read in pieces, so that no text of theirs is long. */
const pieceLength = 1 << 18

/** The selected members of a document that is an object. */
export const createReader = (name: string, wanted: Selection): Reader<ValueMap> => {
  const scanner = createScanner(name, wanted)
  const decode = createDecoder()
  return {
    push: (bytes: Uint8Array): void => {
      for (let at = 0; at < bytes.length; at += pieceLength)
        scanner.push(decode(bytes.subarray(at, at + pieceLength), false))
    },
    end: () => {
      scanner.push(decode(new Uint8Array(), true))
      const value = scanner.end()
      if (!isMap(value)) throw new AppError('USAGE', { detail: `${name} is not a JSON object` })
      return value
    },
  }
}

export const readStream = async <Out>({ chunks }: ByteStream, reader: Reader<Out>): Promise<Out> => {
  for await (const bytes of chunks) reader.push(bytes)
  return reader.end()
}

/**
 * Whether a document is of a later minor version than is known: what is new in it is not shown. Throws USAGE for another
 * major version. Documents made by hand may have none.
 */
export const checkVersion = (
  document: ValueMap,
  name: string,
  known: { readonly major: number; readonly minor: number },
): { readonly newer: boolean } => {
  const found = textOf(memberOf(document, 'format_version'))
  if (found === undefined) return { newer: false }
  const [major, minor] = found.split('.').map(Number)
  if (!Number.isInteger(major) || (major ?? 0) > known.major) {
    throw new AppError('USAGE', {
      detail: `${name} has the format version "${found}", but versions up to ${known.major}.${known.minor} are supported`,
    })
  }
  return { newer: major === known.major && (minor ?? 0) > known.minor }
}
