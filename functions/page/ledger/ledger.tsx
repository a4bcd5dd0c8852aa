import { useState } from 'preact/hooks'
import type { PartProps } from '../data/part.ts'
import { Entries } from './entries.tsx'
import { Verification } from './verification.tsx'

/** What was sent, by whom and why; and the proof that nobody has changed it since. */
export const Ledger = ({ workspace: { id }, seq, query }: PartProps & { readonly seq: string | undefined }) => {
  const [isVerifying, setIsVerifying] = useState(false)
  return (
    <>
      <div class="bar">
        <h2>Ledger</h2>
        <span class="grow" />
        {!isVerifying && (
          <button type="button" class="main" onClick={() => setIsVerifying(true)}>
            Verify in this browser
          </button>
        )}
      </div>
      {isVerifying && <Verification workspace={id} />}
      <Entries workspace={id} seq={seq} query={query} />
    </>
  )
}
