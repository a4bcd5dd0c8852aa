import { diffArrays } from 'diff'
import type { Part } from '../row.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'

/** Two texts that share less than this part of the longer one are two different texts: marks would say nothing. */
const sharedPart = 0.4
const shortest = 8
/** Characters that are still compared by words. */
const longest = 100_000
/** Texts that differ in more words than this are not worth marks. */
const maxEdits = 200
/** What stands between two changes is marked as well if it is no word. */
const spacing = /^[^\p{L}\p{N}]{1,3}$/u

/** Two values in parts, and in each those parts marked that the other does not have. */
export const compareWords = (
  before: string,
  after: string,
): { readonly before: readonly Part[]; readonly after: readonly Part[] } => {
  const plain = { before: [{ text: before }], after: [{ text: after }] }
  const longer = Math.max(before.length, after.length)
  if (longer < shortest || longer > longest) return plain
  const parts = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: maxEdits }) ?? []
  const shared = parts.reduce((sum, part) => (part.added || part.removed ? sum : sum + part.value.join('').length), 0)
  if (shared < longer * sharedPart) return plain
  const side = (own: 'added' | 'removed', other: 'added' | 'removed') =>
    closeGaps(
      parts
        .filter((part) => !part[other])
        .map((part) => (part[own] ? { text: part.value.join(''), changed: true } : { text: part.value.join('') })),
    )
  return { before: side('removed', 'added'), after: side('added', 'removed') }
}

/** An escape of ours is one word: it must not be torn apart. */
const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\\u[\da-f]{4}|./gsu) ?? []

const closeGaps = (parts: readonly Part[]): readonly Part[] => {
  const closed: Part[] = []
  parts.forEach((part, position) => {
    const isGap = parts[position - 1]?.changed && parts[position + 1]?.changed && spacing.test(part.text)
    const last = closed.at(-1)
    if (!(part.changed || isGap)) closed.push(part)
    else if (last?.changed) closed[closed.length - 1] = { text: last.text + part.text, changed: true }
    else closed.push({ text: part.text, changed: true })
  })
  return closed
}

export const markParts = (parts: readonly Part[]): Html =>
  html`${parts.map(({ text, changed }) => (changed ? html`<mark>${text}</mark>` : html`${text}`))}`
