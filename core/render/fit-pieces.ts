import { count } from './words.ts'

type PieceKind = 'head' | 'entry' | 'change' | 'drift' | 'command'

/** A part of a page in growing forms. A head always stands, at least in its first form; any other piece may be left out. */
export interface Piece {
  readonly kind: PieceKind
  readonly forms: readonly string[]
}

/** What is asked for first is kept longest. */
const wishes: readonly (readonly [kind: PieceKind, form: number])[] = [
  ['head', 1],
  ['change', 0],
  ['entry', 0],
  ['drift', 0],
  ['command', 0],
  ['change', 1],
  ['drift', 1],
  ['command', 1],
]

const missing: Readonly<Record<PieceKind, readonly [none: string, short: string]>> = {
  head: ['', 'list of names'],
  change: ['change', 'detail of a change'],
  entry: ['list entry', ''],
  drift: ['drifted resource', 'detail of a drift'],
  command: ['command', 'body of a command'],
}

const plural: Readonly<Record<string, string>> = {
  'detail of a change': 'details of changes',
  'detail of a drift': 'details of drift',
  'body of a command': 'bodies of commands',
  'list entry': 'list entries',
  'list of names': 'lists of names',
}

/** Room for the sentence that says what is missing. */
const noteRoom = 400
const gap = '\n\n'

/** Whole pieces up to a number of characters, and a note about what is not there. */
export const fitPieces = (pieces: readonly Piece[], most: number): string => {
  const chosen: number[] = pieces.map((piece) => (piece.kind === 'head' ? 0 : -1))
  const sizeOf = (position: number): number => {
    const form = pieces[position]?.forms[chosen[position] ?? -1]
    return form === undefined ? 0 : form.length + gap.length
  }
  let left = most - noteRoom - pieces.reduce((sum, _, position) => sum + sizeOf(position), 0)
  for (const [kind, form] of wishes) {
    pieces.forEach((piece, position) => {
      const text = piece.forms[form]
      if (piece.kind !== kind || text === undefined || chosen[position] !== form - 1) return
      const more = text.length + gap.length - sizeOf(position)
      if (more > left) return
      left -= more
      chosen[position] = form
    })
  }
  const texts = pieces.flatMap((piece, position) => piece.forms[chosen[position] ?? -1] ?? [])
  const note = noteFor(pieces, chosen, most)
  return `${[...texts.filter((text) => text !== ''), ...(note === undefined ? [] : [note])].reduce(joined)}\n`
}

/** Items of one list stand close together. */
const joined = (page: string, text: string): string =>
  `${page}${text.startsWith('- ') && page.slice(page.lastIndexOf('\n') + 1).startsWith('- ') ? '\n' : gap}${text}`

const noteFor = (pieces: readonly Piece[], chosen: readonly number[], most: number): string | undefined => {
  const lost = new Map<string, number>()
  pieces.forEach((piece, position) => {
    const form = chosen[position] ?? -1
    if (form === piece.forms.length - 1) return
    const noun = missing[piece.kind][form === -1 ? 0 : 1]
    lost.set(noun, (lost.get(noun) ?? 0) + 1)
  })
  if (lost.size === 0) return undefined
  const parts = [...lost].map(([noun, n]) => count(n, noun, plural[noun] ?? `${noun}s`))
  return `> **Left out** to stay within ${most.toLocaleString('en')} characters: ${parts.join(', ')}. \`plumbline show\` has all of it.`
}
