import type { ConcatMark } from '../../schema/value.ts'
import { toBase64 } from '../texts/base64-text.ts'

/** The text of a mark whose parts are known, as it is sent. */
export const inEncoding = ({ encoding }: Pick<ConcatMark, 'encoding'>, text: string): string =>
  encoding === undefined ? text : toBase64(text)
