import { verifyWith } from '../../../core/engine/ledger/walk.ts'
import type { verifyLines } from '../../../core/index.ts'

const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** The same walk as that of `plumbline ledger verify`, with the hash function of the browser. */
const { verifyLines: verify } = verifyWith(
  async (text) => `sha256:${hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))}`,
)

type ChainVerdict = Awaited<ReturnType<typeof verifyLines>>

/** A head that was noted elsewhere. */
export interface PastedHead {
  readonly seq: number
  readonly hash: string
}

/**
 * Finds a head in what somebody pastes: `12:sha256:...` of a verdict, the line of an alert, or an anchor. `undefined` if there
 * is none.
 */
export const headIn = (text: string): PastedHead | undefined => {
  const [, hash] = /(sha256:[0-9a-f]{64})/.exec(text) ?? []
  const [, before] = /(\d+)\D{1,40}sha256:[0-9a-f]{64}/.exec(text) ?? []
  const [, named] = /"(?:seq|entries)"\s*:\s*(\d+)/.exec(text) ?? []
  const seq = named ?? before
  return hash === undefined || seq === undefined ? undefined : { seq: Number(seq), hash }
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

/** Verifies an export in this browser. Only `head`, noted elsewhere, reveals a chain that was written anew as a whole. */
export const verifyHere = (
  text: string,
  {
    workspace,
    head,
    told,
  }: { readonly workspace: string; readonly head: PastedHead | undefined; readonly told: (lines: number) => void },
): Promise<ChainVerdict> => verify(linesOf(text, told), { workspace, head })
