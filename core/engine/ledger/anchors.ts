import { canonicalJson } from '../json/canonical.ts'
import { foreignJson } from '../json/parse-foreign.ts'
import {
  type Anchor,
  type AnchorStatement,
  type AnchorsVerdict,
  type AnchorVerdict,
  anchorShape,
} from '../schema/stored/anchor.ts'
import type { LedgerEntry } from '../schema/stored/records.ts'
import { defined } from '../values/defined.ts'
import { verifyLines } from './verify.ts'
import type { Expected } from './walk.ts'
import { anchorFlaws } from './words.ts'

/** The text that is signed. */
export const statementText = (statement: AnchorStatement): string => canonicalJson(statement)

/** An anchor as it is kept: one line. */
export const anchorText = (anchor: Anchor): string => `${canonicalJson(anchor)}\n`

/** Sorts by workspace and entry; two anchors of one head have different times. */
export const anchorName = ({ workspace, seq, at }: AnchorStatement): string =>
  `${workspace}/${String(seq).padStart(12, '0')}-${at.replaceAll(':', '')}.json`

/** A text that claims to be an anchor, and where it is from. */
export interface FoundAnchor {
  readonly name: string
  readonly text: string
}

/** Whether the base64 signature of the text is that of the expected key. */
export type IsSigned = (text: string, signature: string) => boolean

const read = ({ name, text }: FoundAnchor, isSigned: IsSigned): AnchorVerdict & { readonly name: string } => {
  const found = anchorShape.safeParse(foreignJson(text)).data
  if (found === undefined) return { name, status: 'forged', detail: anchorFlaws.noAnchor }
  const { anchor, signature } = found
  return isSigned(statementText(anchor), signature)
    ? { name, status: 'holds', anchor }
    : { name, status: 'forged', detail: anchorFlaws.otherKey }
}

type SignedAnchor = AnchorVerdict & { readonly anchor: AnchorStatement }
const isSignedOne = (one: AnchorVerdict): one is SignedAnchor => one.anchor !== undefined

const later = ({ anchor: one }: SignedAnchor, { anchor: other }: SignedAnchor): number =>
  Date.parse(one.at) - Date.parse(other.at) || one.seq - other.seq

interface WalkedLedger {
  /** Anchored numbers -> hashes of the entries, as far as the chain holds. */
  readonly hashes: ReadonlyMap<number, string>
  /** The last entry up to which the chain holds. */
  readonly last: number
  readonly workspace: string | undefined
}

/** `held`: the last entry below this one that an anchor confirms. */
const judge = (
  one: SignedAnchor,
  { hashes, last, workspace }: WalkedLedger,
  deployment: string,
  held: number,
): SignedAnchor => {
  const { anchor } = one
  if (workspace !== undefined && anchor.workspace !== workspace)
    return { ...one, status: 'foreign', detail: anchorFlaws.otherWorkspace(anchor.workspace) }
  if (anchor.deployment !== deployment)
    return { ...one, status: 'foreign', detail: anchorFlaws.otherDeployment(anchor.deployment) }
  if (anchor.seq > last) return { ...one, status: 'broken', entry: last + 1, detail: anchorFlaws.missing(anchor.seq) }
  if (hashes.get(anchor.seq) === anchor.hash) return one
  return { ...one, status: 'broken', entry: held + 1, detail: anchorFlaws.rewritten(held + 1, anchor.seq) }
}

const judgeAll = (signed: readonly SignedAnchor[], walked: WalkedLedger): readonly SignedAnchor[] => {
  // The newest signed anchor tells which deployment this is: the key belongs to one.
  const own = signed.filter(({ anchor }) => walked.workspace === undefined || anchor.workspace === walked.workspace)
  const deployment = own.toSorted(later).at(-1)?.anchor.deployment ?? ''
  let held = 0
  return signed
    .toSorted((one, other) => one.anchor.seq - other.anchor.seq || later(one, other))
    .map((one) => {
      const judged = judge(one, walked, deployment, held)
      if (judged.status === 'holds') held = judged.anchor.seq
      return judged
    })
}

/**
 * Verifies a whole export, and that it still is what each anchor says. Whoever rewrites the chain or cuts its end cannot sign
 * new anchors for the time before. Up to the newest anchor that holds everything is proven; later entries are only
 * linked to it.
 */
export const verifyAnchors = async (
  lines: AsyncIterable<string> | Iterable<string>,
  anchors: readonly FoundAnchor[],
  isSigned: IsSigned,
  expected: Omit<Expected, 'seen'> = {},
): Promise<AnchorsVerdict> => {
  const all = anchors.map((one) => read(one, isSigned))
  const signed = all.filter(isSignedOne)
  const wanted = new Set(signed.map(({ anchor }) => anchor.seq))
  const hashes = new Map<number, string>()
  let [last, workspace] = [0, expected.workspace]
  const seen = ({ seq, hash, workspace: own }: LedgerEntry): void => {
    last = seq
    workspace ??= own
    if (wanted.has(seq)) hashes.set(seq, hash)
  }
  const ledger = await verifyLines(lines, { ...expected, seen })
  const judged = judgeAll(signed, { hashes, last, workspace })
  const newest = judged
    .filter(({ status }) => status === 'holds')
    .toSorted(later)
    .at(-1)?.anchor
  const verdicts = [...judged, ...all.filter((one) => !isSignedOne(one))]
  return {
    ok: ledger.ok && newest !== undefined && verdicts.every(({ status }) => status === 'holds'),
    ledger,
    anchors: verdicts,
    ...defined({ proven: newest && { seq: newest.seq, hash: newest.hash, at: newest.at } }),
  }
}
