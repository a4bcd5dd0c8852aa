import type { ConcatMark } from '../../schema/value.ts'

/** The text of a mark whose parts are known, as it is sent. */
export const inEncoding = ({ encoding }: Pick<ConcatMark, 'encoding'>, text: string): string =>
  encoding === undefined ? text : Buffer.from(text, 'utf8').toString(encoding)
