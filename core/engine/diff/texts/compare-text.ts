import type { Diff, DiffAction, JsonTextDiff, TextDiff, TextLine } from '../../schema/diff.ts'
import type { Json } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'
import { jsonInText } from '../../values/texts/json-in-text.ts'
import { align } from '../matching/align.ts'
import { changedWords } from '../matching/changed-words.ts'
import { likenessOfTexts } from '../matching/likeness.ts'
import { isWrittenAlike, yamlInText } from './yaml-in-text.ts'

type Compare = (before: Json, after: Json) => Diff

/**
 * The difference of two different texts; `undefined` for two plain texts of one line.
 * If both texts contain JSON, or both contain YAML (`yamlInText`), their contents are compared, unless the lines show
 * more: if a comment changed, if only the spelling changed, or if an ambiguous text gained or lost its quotes. The
 * difference of contents leaves out only what has no meaning for any reader: order of members, white space, style of
 * quotes.
 */
export const compareText = (before: string, after: string, compare: Compare): TextDiff | JsonTextDiff | undefined => {
  const json = { before: jsonInText(before), after: jsonInText(after) }
  if (json.before !== undefined && json.after !== undefined) {
    return { kind: 'json', action: 'update', inner: compare(json.before, json.after) }
  }
  if (!before.includes('\n') && !after.includes('\n')) return undefined
  return compareYaml(before, after, compare) ?? { kind: 'text', action: 'update', lines: compareLines(before, after) }
}

const compareYaml = (before: string, after: string, compare: Compare): JsonTextDiff | undefined => {
  const left = yamlInText(before)
  const right = left && yamlInText(after)
  if (right === undefined || !isWrittenAlike(left as typeof right, right)) return undefined
  const inner = compare((left as typeof right).value, right.value)
  return inner.action === 'same' ? undefined : { kind: 'yaml', action: 'update', inner }
}

/** A text of several lines that exists only on one side. */
export const wholeText = (text: string, action: DiffAction & ('create' | 'delete')): TextDiff => ({
  kind: 'text',
  action,
  lines: text.split('\n').map((line) => ({ action, text: line })),
})

/** In each run of changed lines, removed lines come before added ones; paired lines have the ranges that changed. */
const compareLines = (before: string, after: string): readonly TextLine[] => {
  const left = before.split('\n')
  const right = after.split('\n')
  const lines: TextLine[] = []
  let come: TextLine[] = []
  const close = (): void => {
    for (const line of come) lines.push(line)
    come = []
  }
  const like = (b: number, a: number): number => likenessOfTexts(left[b] as string, right[a] as string)
  for (const { before: b, after: a } of align(left, right, { likeness: like })) {
    const gone = b === undefined ? undefined : (left[b] as string)
    const now = a === undefined ? undefined : (right[a] as string)
    if (gone !== undefined && gone === now) {
      close()
      lines.push({ action: 'same', text: gone })
      continue
    }
    const changed = gone === undefined || now === undefined ? undefined : changedWords(gone, now)
    if (gone !== undefined)
      lines.push({ action: 'delete', text: gone, ...defined({ changed: changed ? changed.before : undefined }) })
    if (now !== undefined)
      come.push({ action: 'create', text: now, ...defined({ changed: changed ? changed.after : undefined }) })
  }
  close()
  return lines
}
