import { useEffect, useState } from 'preact/hooks'

interface CopyProps {
  readonly text: string
  /** What is copied, behind the label for those who hear it: `the digest`. */
  readonly what: string
  readonly label?: string
}

/** Copies a text, and says that it did. */
export const Copy = ({ text, what, label = 'Copy' }: CopyProps) => {
  const [said, setSaid] = useState<string>()
  useEffect(() => {
    if (said === undefined) return
    const timer = setTimeout(() => setSaid(undefined), 2_000)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      setSaid('Not allowed')
    }
  }
  return (
    <button type="button" class="quiet small" onClick={() => void copy()} aria-label={`${label} ${what}`}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  )
}
