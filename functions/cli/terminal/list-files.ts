import { alignCells, type Bundle, visible } from '#core'
import type { Paint } from './paint.ts'

const sizeOf = (text: string): number => Buffer.byteLength(text)

/** Each file of a bundle with its size, the entry first: what a reader must know before it leaves this machine. */
export const listFiles = ({ entry, files }: Bundle, { dim }: Paint): string => {
  const paths = Object.keys(files).sort((a, b) => Number(b === entry) - Number(a === entry) || (a < b ? -1 : 1))
  const rows = paths.map((path) => {
    const size = sizeOf(files[path] ?? '')
    return [
      { text: '' },
      { text: visible(path) },
      { text: `${size.toLocaleString('en')} byte${size === 1 ? '' : 's'}`, paint: dim },
    ]
  })
  return alignCells(rows).join('\n')
}
