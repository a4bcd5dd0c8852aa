import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ApiAnswer } from '../data/api.ts'
import { keep, kept } from '../session/kept.ts'
import { ProblemNote } from './states.tsx'
import { useAction } from './use-action.ts'

interface ReasonDialogProps {
  readonly title: string
  /** What happens then. */
  readonly children?: ComponentChildren
  readonly verb: string
  /** A name under which the text outlives a sign-in. */
  readonly draft: string
  readonly send: (reason: string) => Promise<ApiAnswer<unknown>>
  readonly close: (isDone: boolean) => void
}

/** Asks why, because the ledger keeps the reason. Escape closes it, and the text is kept until it was sent. */
export const ReasonDialog = ({ title, children, verb, draft, send, close }: ReasonDialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const [reason, setReason] = useState(kept<string>(draft) ?? '')
  const action = useAction<unknown>()
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Closing gives the focus back to where it was.
    return () => element?.close()
  }, [])
  const submit = async (event: Event) => {
    event.preventDefault()
    if ((await action.run(() => send(reason.trim()))) === undefined) return
    keep(draft, undefined)
    close(true)
  }
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onCancel={(event) => {
        // The browser tells of a closed dialog only later, and somebody may have opened it again by then.
        event.preventDefault()
        close(false)
      }}
    >
      <form onSubmit={(event) => void submit(event)}>
        <h2>{title}</h2>
        {children}
        <label class="field">
          Reason
          <textarea
            placeholder="required: the ledger keeps it"
            required
            maxLength={2_000}
            rows={3}
            value={reason}
            onInput={({ currentTarget: { value } }) => {
              setReason(value)
              keep(draft, value)
            }}
          />
        </label>
        {action.problem && <ProblemNote problem={action.problem} />}
        <div class="bar">
          <button type="submit" class="main" disabled={action.isRunning || reason.trim() === ''}>
            {verb}
          </button>
          <button type="button" onClick={() => close(false)}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  )
}
