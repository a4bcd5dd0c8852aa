import { useEffect, useState } from 'preact/hooks'

/**
 * The first items of a long list at once, and more with each frame, so that thousands of them never make the page wait.
 * Begins anew with another `key`.
 */
export const useGradual = <Item>(items: readonly Item[], key: string, step = 100): readonly Item[] => {
  const [shown, setShown] = useState({ key, n: step })
  const n = shown.key === key ? shown.n : step
  useEffect(() => {
    if (n >= items.length) return
    const frame = requestAnimationFrame(() => setShown({ key, n: n + step }))
    return () => cancelAnimationFrame(frame)
  }, [key, n, items.length, step])
  return n >= items.length ? items : items.slice(0, n)
}
