import type { PageProblem } from '../data/api.ts'
import { Copy } from '../parts/copy.tsx'
import { ProblemNote } from '../parts/states.tsx'
import type { PastedHead, verifyHere } from './verify-here.ts'

export type VerifyStep =
  | { readonly kind: 'asking' }
  | { readonly kind: 'reading'; readonly characters: number }
  | { readonly kind: 'verifying'; readonly entries: number }
  | { readonly kind: 'failed'; readonly problem: PageProblem }
  | { readonly kind: 'no_export'; readonly from: string; readonly detail: string }
  | {
      readonly kind: 'done'
      readonly verdict: Awaited<ReturnType<typeof verifyHere>>
      /** The workspace whose ledger is looked at. */
      readonly workspace: string
      readonly head: PastedHead | undefined
      readonly from: string
    }

/** How far it has come, and the verdict. */
export const StepView = ({ step }: { readonly step: VerifyStep }) => {
  if (step.kind === 'asking') return null
  if (step.kind === 'reading') return <p>Reading the export, {Math.ceil(step.characters / 1_000)} kB …</p>
  if (step.kind === 'verifying') return <p>Verifying, {step.entries} entries …</p>
  if (step.kind === 'failed') return <ProblemNote problem={step.problem} />
  if (step.kind === 'no_export')
    return (
      <p class="note warn">
        <b>No export of a ledger</b>, {step.from}: {step.detail}
      </p>
    )
  return <VerdictView {...step} />
}

const VerdictView = ({ verdict, workspace, head, from }: Extract<VerifyStep, { kind: 'done' }>) => {
  if ('elsewhere' in verdict)
    return (
      <p class="note warn">
        <b>Of another workspace</b>, from {from}: it is the ledger of {verdict.elsewhere}, which says nothing about that
        of {workspace}.
      </p>
    )
  if (!verdict.ok && 'entries' in verdict)
    return (
      <p class="note bad">
        <b>Not the ledger of this head</b>, from {from}: its {verdict.entries} entries are linked, and none of them has
        the hash that was pasted. It was written anew, or the hash was noted of another ledger.
      </p>
    )
  if (!verdict.ok)
    return (
      <p class="note bad">
        <b>Not intact</b>, from {from}: entry {verdict.seq}: {verdict.detail}
      </p>
    )
  const found = `${verdict.entries}:${verdict.head}`
  return (
    <div class="note good">
      <p>
        <b>Intact</b>, from {from}: {verdict.entries} entries, each linked to the one before.
      </p>
      <p class="digest">
        head <code>{found}</code> <Copy text={found} what="the head" />
      </p>
      {head === undefined ? (
        <p class="dim">
          Whoever can write the whole ledger anew can make this verdict true. Paste a head that was noted elsewhere, and
          it proves that too.
        </p>
      ) : (
        <p>It has the head that was pasted{head.seq === undefined ? '' : `, at entry ${head.seq}`}.</p>
      )}
    </div>
  )
}
