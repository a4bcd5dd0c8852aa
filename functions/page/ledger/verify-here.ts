import { verifyWith } from '../../../core/engine/ledger/walk.ts'
import type { verifyLines } from '../../../core/index.ts'

const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** The same walk as that of `plumbline ledger verify`, with the hash function of the browser. */
const { verifyLines: verify } = verifyWith(
  async (text) => `sha256:${hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))}`,
)

type ChainVerdict = Awaited<ReturnType<typeof verifyLines>>

/** A head that was noted elsewhere. Without a number, it is that of whichever entry has the hash. */
export interface PastedHead {
  readonly seq?: number
  readonly hash: string
}

/**
 * Finds the head in what somebody pastes: `12:sha256:...` of a verdict, the line of an alert, an anchor, or a hash alone.
 * `undefined` if there is none, or several: which of them should count would be a guess. The head of an empty ledger proves
 * nothing, so it is none.
 */
export const headIn = (text: string): PastedHead | undefined => {
  const hashes = new Set(text.toLowerCase().match(/sha256:[0-9a-f]{64}/g))
  const [hash] = hashes
  if (hash === undefined || hashes.size > 1) return undefined
  const [, before] = /(\d+)\D{1,40}sha256:[0-9a-f]{64}/i.exec(text) ?? []
  const [, named] = /"(?:seq|entries)"\s*:\s*(\d+)/.exec(text) ?? []
  const seq = named ?? before
  if (seq === undefined) return { hash }
  return Number(seq) === 0 ? undefined : { seq: Number(seq), hash }
}

/** The first line of an export as a value; `undefined` if it is no JSON. */
const firstOf = (text: string): unknown => {
  try {
    return JSON.parse(text.split('\n', 1)[0] ?? '')
  } catch {
    // It is no JSON, so it tells nothing.
    return undefined
  }
}

/** The workspace that an export says it is of; `undefined` if it does not say. */
const workspaceIn = (text: string): string | undefined => {
  const first = firstOf(text)
  return typeof first === 'object' && first !== null && 'workspace' in first && typeof first.workspace === 'string'
    ? first.workspace
    : undefined
}

/** Why a text is no export at all, which says nothing about the ledger; `undefined` if it may be one. */
export const whyNoExport = (text: string): string | undefined => {
  if (text.trim() === '') return 'it is empty'
  const [first = ''] = text.split('\n', 1)
  if (/^\uFEFF|\r$/.test(first)) return 'its line ends, or its first bytes, were changed on the way: save it again'
  const value = firstOf(text)
  if (typeof value === 'object' && value !== null && ('hash' in value || 'head' in value)) return undefined
  return 'its first line is no entry of a ledger'
}

/** Between so many entries the browser may draw. */
const atOnce = 500

/** The lines of an export, with a rest for the browser now and then. `told` gets the number of lines so far. */
async function* linesOf(text: string, told: (lines: number) => void): AsyncGenerator<string> {
  let n = 0
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    yield text.slice(start, end)
    start = end + 1
    n += 1
    if (n % atOnce === 0) {
      told(n)
      await new Promise((resolve) => setTimeout(resolve))
    }
  }
  told(n)
}

interface Expectations {
  readonly workspace: string
  readonly head: PastedHead | undefined
  readonly told: (lines: number) => void
}

/** A chain that holds, and is that of another workspace: it says nothing about this one. */
interface Elsewhere {
  readonly ok: false
  readonly elsewhere: string
}

/** A chain that holds, and that has not the hash that was noted: it was written anew, or the hash is of another ledger. */
interface WithoutHead {
  readonly ok: false
  readonly entries: number
}

/** Verifies an export in this browser. Only `head`, noted elsewhere, reveals a chain that was written anew as a whole. */
export const verifyHere = async (
  text: string,
  { workspace, head, told }: Expectations,
): Promise<ChainVerdict | Elsewhere | WithoutHead> => {
  const own = workspaceIn(text) ?? workspace
  const { seq, hash } = own === workspace && head !== undefined ? head : {}
  let isFound = false
  const verdict = await verify(linesOf(text, told), {
    workspace: own,
    ...(seq !== undefined && hash !== undefined && { head: { seq, hash } }),
    seen: (entry) => {
      isFound ||= entry.hash === hash
    },
  })
  if (verdict.ok && own !== workspace) return { ok: false, elsewhere: own }
  if (!verdict.ok || hash === undefined || isFound) return verdict
  return { ok: false, entries: verdict.entries }
}
