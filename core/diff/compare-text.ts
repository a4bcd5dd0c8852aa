import type { Diff, DiffAction, JsonTextDiff, TextDiff } from '../schema/diff.ts'
import type { Json } from '../schema/json.ts'
import { escapeMarks } from '../schema/value.ts'
import { align } from './align.ts'

/** Texts of several lines by line, texts that both hold JSON by what they hold; `undefined` for any other two texts. */
export const compareText = (
  before: string,
  after: string,
  compareJson: (before: Json, after: Json) => Diff,
): TextDiff | JsonTextDiff | undefined => {
  const held = { before: jsonIn(before), after: jsonIn(after) }
  if (held.before !== undefined && held.after !== undefined) {
    return { kind: 'json', action: 'update', inner: compareJson(held.before, held.after) }
  }
  if (!before.includes('\n') && !after.includes('\n')) return undefined
  return { kind: 'text', action: 'update', lines: compareLines(before.split('\n'), after.split('\n')) }
}

/** A text of several lines that exists on one side only. */
export const wholeText = (text: string, action: DiffAction & ('create' | 'delete')): TextDiff => ({
  kind: 'text',
  action,
  lines: text.split('\n').map((line) => ({ action, text: line })),
})

const compareLines = (before: readonly string[], after: readonly string[]): TextDiff['lines'] =>
  align(before, after, () => 0).map(({ before: b, after: a }) => {
    const action = b === undefined ? 'create' : a === undefined ? 'delete' : 'same'
    return { action, text: (b === undefined ? after[a ?? 0] : before[b]) ?? '' }
  })

/** The object or array that a text holds; a text that is a mere scalar is not meant as JSON. */
const jsonIn = (text: string): Json | undefined => {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return escapeMarks(JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}
