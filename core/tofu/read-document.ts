import { AppError } from '../errors.ts'
import { parseValue } from './parse-value.ts'
import { isMap, memberOf, textOf, type ValueMap } from './value.ts'

/** Near the longest text that the engine holds, in characters. */
const maxLength = 500_000_000

/** The bytes of a JSON file: UTF-8 or UTF-16, by its byte order mark; shells write both. Throws USAGE if too long. */
export const decodeJson = (bytes: Uint8Array, name: string): string => {
  if (bytes.length > maxLength)
    throw new AppError('USAGE', { detail: `${name} has ${bytes.length} bytes, more than ${maxLength} cannot be read` })
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

/** The object that a document holds. Throws USAGE, which names the document and the place. */
export const readDocument = (text: string, name: string): ValueMap => {
  const parsed = parseValue(text)
  if ('misread' in parsed) {
    const { at, detail } = parsed.misread
    const line = text.slice(0, at).split('\n').length
    throw new AppError('USAGE', { detail: `${name} is not JSON: ${detail} (line ${line}, character ${at})` })
  }
  if (!isMap(parsed.value)) throw new AppError('USAGE', { detail: `${name} holds no JSON object` })
  return parsed.value
}

export interface Version {
  /** A later minor version than is known: what is new in it is not shown. */
  readonly newer: boolean
}

/** Throws USAGE where the major version is not known. Documents made by hand may have none. */
export const checkVersion = (
  document: ValueMap,
  name: string,
  known: { readonly major: number; readonly minor: number },
): Version => {
  const found = textOf(memberOf(document, 'format_version'))
  if (found === undefined) return { newer: false }
  const [major, minor] = found.split('.').map(Number)
  if (!Number.isInteger(major) || (major ?? 0) > known.major) {
    throw new AppError('USAGE', {
      detail: `${name} has the format version "${found}", and only ${known.major}.${known.minor} and before are known`,
    })
  }
  return { newer: major === known.major && (minor ?? 0) > known.minor }
}
