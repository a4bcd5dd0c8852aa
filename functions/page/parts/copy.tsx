import { useEffect, useState } from 'preact/hooks'

interface CopyProps {
  readonly text: string
  /** What is copied, for the label: `the digest`. */
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
    <button type="button" class="quiet small" onClick={() => void copy()} aria-label={`Copy ${what}`}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  )
}
