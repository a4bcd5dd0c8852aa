import { present } from '../../../../engine/values/defined.ts'
import { thousands } from '../../characters/prose.ts'
import { count } from '../../shared/words.ts'

type PieceKind =
  | 'head'
  | 'note'
  | 'modules'
  | 'change'
  | 'deferred'
  | 'object'
  | 'output'
  | 'entry'
  | 'drift'
  | 'command'

/**
 * A part of a page in growing forms; any but the last is short of something. A head is always on the page, at least in its
 * first form.
 */
export interface Piece {
  readonly kind: PieceKind
  readonly forms: readonly string[]
  /** Within a kind, the most severe piece has the smallest number. */
  readonly risk?: number
}

/** By form: the kinds of pieces that get this form, the most important first. */
const priorities: readonly (readonly PieceKind[])[] = [
  ['change', 'deferred', 'object', 'output', 'entry', 'drift', 'modules', 'command'],
  ['change', 'deferred', 'object', 'output', 'drift'],
  ['change', 'deferred', 'object', 'drift'],
]

const inOrder: readonly (readonly [kind: PieceKind, form: number])[] = [
  ['head', 0],
  ['note', 0],
  ['head', 1],
  ...priorities.flatMap((kinds, form) => kinds.map((kind) => [kind, form] as const)),
  ['command', 1],
]

/** What is missing of a piece: if it is absent, if it has its first form, and if it has its second. */
const missing: Readonly<Record<PieceKind, readonly string[]>> = {
  head: ['heading', 'list of names'],
  note: ['note'],
  modules: ['table of modules'],
  change: ['change', 'detail of a change', 'list of names'],
  deferred: ['deferred change', 'detail of a change', 'list of names'],
  object: ['object', 'detail of an object', 'list of names'],
  output: ['list of outputs', 'detail of an output'],
  entry: ['list entry'],
  drift: ['drifted resource', 'detail of a drift', 'list of names'],
  command: ['command', 'body of a command'],
}

const plural: Readonly<Record<string, string>> = {
  'detail of a change': 'details of changes',
  'detail of an object': 'details of objects',
  'detail of an output': 'details of outputs',
  'detail of a drift': 'details of drift',
  'body of a command': 'bodies of commands',
  'list entry': 'list entries',
  'list of names': 'lists of names',
  'list of outputs': 'lists of outputs',
}

/** Room for the sentence that says what is missing. */
const noteRoom = 700
const gap = '\n\n'

/** Whole pieces up to a number of UTF-16 units, and a note about the missing ones. */
export const fitPieces = (pieces: readonly Piece[], most: number): string => {
  const chosen = chooseForms(pieces, most - noteRoom)
  const texts = pieces.flatMap((piece, position) => piece.forms[chosen[position] ?? -1] ?? [])
  const note = noteFor(pieces, chosen, most)
  return `${[...texts.filter((text) => text !== ''), ...present(note)].reduce(joined)}\n`
}

/** Which form of each piece, -1 for none. Heads come first, then the priorities in their order. */
const chooseForms = (pieces: readonly Piece[], room: number): readonly number[] => {
  const chosen = pieces.map(() => -1)
  const sizeOf = (text: string | undefined): number => (text === undefined ? 0 : text.length + gap.length)
  const byRisk = [...pieces.keys()].toSorted((a, b) => (pieces[a]?.risk ?? 0) - (pieces[b]?.risk ?? 0))
  const byKind = Map.groupBy(byRisk, (position) => pieces[position]?.kind)
  let left = room
  for (const [kind, form] of inOrder) {
    for (const position of byKind.get(kind) ?? []) {
      const forms = pieces[position]?.forms ?? []
      const text = forms[form]
      if (text === undefined || chosen[position] !== form - 1) continue
      const more = sizeOf(text) - sizeOf(forms[form - 1])
      if (more > left) continue
      left -= more
      chosen[position] = form
    }
  }
  return chosen
}

/** Items of one list have no empty line between them. */
const joined = (page: string, text: string): string =>
  `${page}${text.startsWith('- ') && page.slice(page.lastIndexOf('\n') + 1).startsWith('- ') ? '\n' : gap}${text}`

const noteFor = (pieces: readonly Piece[], chosen: readonly number[], most: number): string | undefined => {
  const lost = new Map<string, number>()
  pieces.forEach((piece, position) => {
    const form = chosen[position] ?? -1
    if (form === piece.forms.length - 1) return
    const noun = missing[piece.kind][form + 1] ?? ''
    lost.set(noun, (lost.get(noun) ?? 0) + 1)
  })
  if (lost.size === 0) return undefined
  const parts = [...lost].map(([noun, n]) => count(n, noun, plural[noun] ?? `${noun}s`))
  return `> **Left out** to stay within ${thousands(most)} characters: ${parts.join(', ')}. The format html leaves nothing out.`
}
