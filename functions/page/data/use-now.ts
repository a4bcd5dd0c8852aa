import { useEffect, useState } from 'preact/hooks'

/** The time, again each half minute, so that `3 min ago` stays true. */
export const useNow = (): number => {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
