import type { Apply } from '../../../core/index.ts'
import { useReader } from '../data/context.ts'
import { workspaceLink } from '../data/place.ts'
import { Copy } from '../parts/copy.tsx'
import { ProblemNote } from '../parts/states.tsx'
import { Time } from '../parts/time.tsx'
import { type ApprovalDraft, type ApprovalProps, useApproval } from './use-approval.ts'

interface SendPanelProps extends ApprovalProps {
  /** The commands are those of the present choice, and there are some. */
  readonly isReady: boolean
}

/** First check mode, which reads again and logs each command; then the approval of exactly these. */
export const SendPanel = ({ isReady, ...props }: SendPanelProps) => {
  const { may } = useReader()
  const { workspace, digests, commands, refused } = props.plan
  const { reason, write, draft, action, sent, isApproved, logThem, sendThem } = useApproval(props)
  if (!may('apply', workspace))
    return <p class="note">You may read these commands. To approve them needs the right apply.</p>
  if (refused !== undefined) return <p class="note bad">They cannot be sent: {refused}</p>
  const isGrave = commands.some(({ grade }) => grade === 'irreversible' || grade === 'unknown')
  const isKnown = reason.trim() !== ''
  const isBusy = !isReady || !isKnown || action.isRunning
  const n = `${commands.length} ${commands.length === 1 ? 'command' : 'commands'}`
  return (
    <form class="send" onSubmit={(event) => event.preventDefault()}>
      <label class="field">
        Reason, for the ledger
        <textarea rows={2} maxLength={2_000} value={reason} onInput={({ currentTarget: { value } }) => write(value)} />
      </label>
      {commands.length > 0 && (
        <p class="dim digest">
          <code>{digests.commands}</code> <Copy text={digests.commands} what="the digest" />
        </p>
      )}
      {isGrave && (
        <p class="note warn">
          {may('irreversible', workspace)
            ? 'Some of them cannot be undone for certain.'
            : 'Some of them cannot be undone for certain: to approve these needs the right irreversible.'}
        </p>
      )}
      {action.problem && <ProblemNote problem={action.problem} />}
      {action.problem?.applyId !== undefined && (
        <p>
          <a href={workspaceLink(workspace, 'applies', action.problem.applyId)}>
            {action.problem.code === 'STALE_PLAN' ? 'What differs' : 'What became of it'}
          </a>
        </p>
      )}
      {isReady && !isApproved && <CheckModeNote workspace={workspace} n={n} logged={draft.logged} sent={sent} />}
      {action.isRunning && (
        <p class="note" role="status">
          {isApproved ? `Sending the approval of ${n}: waiting for the answer.` : 'Check mode reads the target.'}
        </p>
      )}
      {commands.length === 0 ? (
        <p class="dim">Nothing is chosen.</p>
      ) : (
        (!isKnown || draft.logged === undefined) && (
          <p class="dim">
            {isKnown ? 'Check mode comes first: it reads the target again.' : 'Write a reason: the ledger keeps it.'}
          </p>
        )
      )}
      <div class="bar">
        <button
          type="button"
          class={draft.logged === undefined ? 'main' : ''}
          disabled={isBusy}
          onClick={() => void logThem()}
        >
          1. Check mode: log {n}, send none
        </button>
        <button
          type="button"
          class={draft.logged === undefined ? '' : 'main'}
          disabled={isBusy || draft.logged === undefined || (isGrave && !may('irreversible', workspace))}
          onClick={() => void sendThem()}
        >
          2. Approve and send {n}
        </button>
      </div>
    </form>
  )
}

interface CheckModeNoteProps {
  readonly workspace: string
  /** `3 commands` */
  readonly n: string
  readonly logged: ApprovalDraft['logged']
  readonly sent: Apply | undefined
}

/** What check mode has done so far. */
const CheckModeNote = ({ workspace, n, logged, sent }: CheckModeNoteProps) => {
  if (logged !== undefined)
    return (
      <p class="note good" role="status">
        Check mode has read the target <Time at={logged.at} />, and logged the {n}; nothing was sent.{' '}
        <a href={workspaceLink(workspace, 'applies', logged.id)}>What was logged</a>
      </p>
    )
  return sent === undefined ? null : (
    <p class="note" role="status">
      Check mode is not done yet. <a href={workspaceLink(workspace, 'applies', sent.id)}>Watch it</a>
    </p>
  )
}
