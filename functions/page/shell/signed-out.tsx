import { useEffect, useState } from 'preact/hooks'
import { againMs } from '../data/use-resource.ts'
import { Mark } from './mark.tsx'

interface SignedOutProps {
  readonly detail: string | undefined
  /** Absent: only the terminal, or an operator, can help. */
  readonly signIn: (() => Promise<void>) | undefined
  /** Present: it may be known in a moment who reads, so it is tried again by itself too. */
  readonly retry: (() => void) | undefined
}

/** What a reader sees who is not known. */
export const SignedOut = ({ detail, signIn, retry }: SignedOutProps) => {
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    const timer = retry && setInterval(retry, againMs)
    return () => clearInterval(timer)
  }, [retry])
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
      {retry !== undefined && (
        <button type="button" class="main" onClick={retry}>
          Try again
        </button>
      )}
      {signIn !== undefined && (
        <button type="button" class="main" onClick={() => void go()}>
          Sign in
        </button>
      )}
    </main>
  )
}
