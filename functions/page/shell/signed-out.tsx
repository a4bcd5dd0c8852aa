import { useState } from 'preact/hooks'
import { Mark } from './mark.tsx'

interface SignedOutProps {
  readonly detail: string | undefined
  /** Absent: only the terminal, or an operator, can help. */
  readonly signIn: (() => Promise<void>) | undefined
}

/** What a reader sees who is not known. */
export const SignedOut = ({ detail, signIn }: SignedOutProps) => {
  const [failure, setFailure] = useState<string>()
  const go = async () => {
    try {
      await signIn?.()
    } catch {
      setFailure('the issuer does not answer: try again, or ask who operates it')
    }
  }
  return (
    <main class="landing">
      <Mark />
      <h1>Plumbline</h1>
      <p>How your systems are, how they should be, and the exact requests between the two.</p>
      {(failure ?? detail) !== undefined && (
        <p class="note warn" role="status">
          {failure ?? detail}
        </p>
      )}
      {signIn !== undefined && (
        <button type="button" class="main" onClick={() => void go()}>
          Sign in
        </button>
      )}
    </main>
  )
}
