import { palette } from '../characters/palette.ts'
import type { PrintOptions } from './render-commands.ts'

/** A unified diff; in color by its signs. */
export const paintDiff = (diff: string, { color = false }: PrintOptions): string => {
  if (!color) return diff
  const paint = palette(color)
  const painted = diff.split('\n').map((line) => {
    if (/^(---|\+\+\+) /.test(line)) return paint.bold(line)
    if (line.startsWith('@@')) return paint.cyan(line)
    return line.startsWith('-') ? paint.red(line) : line.startsWith('+') ? paint.green(line) : line
  })
  return painted.join('\n')
}
