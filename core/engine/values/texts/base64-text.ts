import type { ConcatMark } from '../../schema/value.ts'

/*
 * Texts that an API has in Base64. What is no text there, as bytes that are no UTF-8, has a written form of its own, so that it
 * can be sent again exactly as it was read.
 */

/** No text that people store begins like this; `base64:` alone is how some keys begin. */
const prefix = 'bytes/base64:'

/** The text that Base64 stands for, or `bytes/base64:` with what the API has, if that is not the Base64 of a text. */
export const fromBase64 = (raw: string): string => {
  const bytes = Buffer.from(raw, 'base64')
  const text = bytes.toString('utf8')
  const isText = bytes.toString('base64') === raw && Buffer.from(text, 'utf8').equals(bytes)
  return isText && !text.startsWith(prefix) ? text : `${prefix}${raw}`
}

/** The inverse: what was read is sent as it was. */
export const toBase64 = (text: string): string =>
  text.startsWith(prefix) ? text.slice(prefix.length) : Buffer.from(text, 'utf8').toString('base64')

/** The text of a mark whose parts are known, as it is sent. */
export const inEncoding = ({ encoding }: Pick<ConcatMark, 'encoding'>, text: string): string =>
  encoding === undefined ? text : toBase64(text)
