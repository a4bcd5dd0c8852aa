import type { FoundFile } from '#core'
import { refusals } from './words.ts'

/** Matches `file:1:5`, `file:1:5-9` and `file:(1:6)-(4:5)`, also in an import that is longer than one line. */
const place = String.raw`([^\s:][^:\n]*):\(?(\d+):(\d+)\)?(?:-\(?[\d:]+\)?)?`
const fixed = new RegExp(`^(?:STATIC ERROR: )?${place}:? (.*)`, 's')
const found = new RegExp(String.raw`^RUNTIME ERROR: (.*?)\n\t${place}\t`, 's')

/**
 * Turns an error message of the command into a fault at the place in the source that it names. The command in Go omits
 * the first words.
 */
export const faultOf = (entry: string, said: string): FoundFile => {
  const [, file, line, column, detail] = fixed.exec(said) ?? swapped(found.exec(said)) ?? []
  if (file === undefined) return refusals.invalid(entry, said)
  return { ...refusals.invalid(entry, detail ?? ''), file, line: Number(line), column: Number(column) }
}

const swapped = (match: RegExpExecArray | null): readonly (string | undefined)[] | null =>
  match && [match[0], match[2], match[3], match[4], match[1]]
