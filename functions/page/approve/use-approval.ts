import { useState } from 'preact/hooks'
import type { Apply, Plan, Run } from '../../../core/index.ts'
import { useReader } from '../data/context.ts'
import { workspaceLink } from '../data/place.ts'
import { useAction } from '../parts/use-action.ts'
import { keep, kept } from '../session/kept.ts'
import type { PlanPart } from './selection.ts'

export interface ApprovalProps {
  readonly plan: Plan
  readonly part: PlanPart
  readonly run: Run
}

export interface ApprovalDraft {
  /** The apply that has logged these commands, in check mode. */
  readonly logged?: { readonly id: string; readonly at: string }
  /** Sent with the approval, so that a repetition after a lost answer is the same apply. */
  readonly key: string
}

export const isEnded = ({ status }: Apply): boolean => status !== 'queued' && status !== 'running'

/** The name of the draft of a reason. */
export const reasonOf = ({ id }: Run): string => `reason:${id}`

/** What a reader has decided about these commands, and the two steps: check mode, and the approval of exactly these. */
export const useApproval = ({ plan, part, run }: ApprovalProps) => {
  const { api } = useReader()
  const { workspace, digests } = plan
  // What was logged belongs to these commands of this check, the reason to the review of it.
  const name = `approve:${run.id}:${digests.commands}`
  const reasonName = reasonOf(run)
  const [reason, setReason] = useState(kept<string>(reasonName) ?? '')
  const [draft, setDraft] = useState<ApprovalDraft>(kept<ApprovalDraft>(name) ?? { key: crypto.randomUUID() })
  const action = useAction<Apply>()
  const [sent, setSent] = useState<Apply>()
  // What check mode said before holds no longer once the approval is under way.
  const [isApproved, setIsApproved] = useState(false)
  const put = (next: ApprovalDraft) => {
    setDraft(next)
    keep(name, next)
  }
  const post = (mode: 'check' | 'execute') =>
    action.run(() =>
      api.call<Apply>(`/workspaces/${encodeURIComponent(workspace)}/apply`, {
        method: 'POST',
        ...(mode === 'check' && { query: { wait: '25s' } }),
        // Each click of check mode reads again.
        headers: { 'idempotency-key': mode === 'check' ? crypto.randomUUID() : draft.key },
        body: { mode, digest: digests.commands, ...part, runId: run.id, reason: reason.trim() },
      }),
    )
  const logThem = async () => {
    put({ key: draft.key })
    setIsApproved(false)
    const apply = await post('check')
    if (apply === undefined) return
    setSent(apply)
    if (isEnded(apply) && apply.error === undefined)
      put({ key: draft.key, logged: { id: apply.id, at: apply.finishedAt ?? apply.requestedAt } })
  }
  const sendThem = async () => {
    setIsApproved(true)
    const apply = await post('execute')
    if (apply === undefined) return
    keep(name, undefined)
    keep(reasonName, undefined)
    location.hash = workspaceLink(workspace, 'applies', apply.id)
  }
  const write = (value: string) => {
    setReason(value)
    keep(reasonName, value)
    // Another reason is another approval.
    put({ ...draft, key: crypto.randomUUID() })
  }
  return { reason, write, draft, action, sent, isApproved, logThem, sendThem }
}
