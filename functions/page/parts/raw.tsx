import { usualWords } from '../../../core/engine/transport/answer/answer-errors.ts'
import type { Json } from '../../../core/index.ts'

/** Where a text of ours ends and the answer of a server begins as it came: JSON, or a page of markup. */
const rawFrom = /(?<=^|[\s:])(?:\{\s*"|\[\s*\{\s*"|<(?:!doctype|html|\?xml)\b)/i

interface SaidText {
  readonly words: string
  /** The answer as it came; absent: the words are all. */
  readonly raw?: string
}

const parsed = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** A text as its sentence, and the answer of a server that is in it. Nothing of it is left out. */
export const saidIn = (text: string): SaidText => {
  const from = text.search(rawFrom)
  if (from < 0) return { words: text }
  const end = Math.max(...['}', ']', '>'].map((last) => text.lastIndexOf(last))) + 1
  const body = parsed(text.slice(from, end))
  // What is cut cannot be read, and has no end behind which more could come.
  const to = body === undefined ? text.length : end
  const raw = text.slice(from, to)
  const said = body === undefined ? /<title>([^<]+)/i.exec(raw)?.[1] : usualWords(body)
  const words = [text.slice(0, from).replace(/[:\s]+$/, ''), said].filter((part) => part).join(': ')
  return { words: `${words}${text.slice(to)}`, raw }
}

/** The answer of a server as it came, folded. */
export const Raw = ({ of }: { readonly of: SaidText['raw'] }) =>
  of === undefined ? null : (
    <details class="raw">
      <summary>The answer as it came</summary>
      <pre>{of}</pre>
    </details>
  )

/** The sentence first. */
export const Said = ({ text }: { readonly text: string }) => {
  const { words, raw } = saidIn(text)
  return (
    <>
      <span>{words}</span>
      <Raw of={raw} />
    </>
  )
}
