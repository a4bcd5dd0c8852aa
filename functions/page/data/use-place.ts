import { useEffect, useState } from 'preact/hooks'
import { linkTo, type PagePlace, readPlace } from './place.ts'

/** Changes a part of the query without a step in the history, as a filter does while somebody types. */
export const putQuery = (name: string, value: string): void => {
  const { path, query } = readPlace(location.hash)
  const changed = { ...Object.fromEntries(query), [name]: value }
  history.replaceState(null, '', linkTo(path, changed))
}

export const usePlace = (): PagePlace => {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const moved = () => setHash(location.hash)
    addEventListener('hashchange', moved)
    return () => removeEventListener('hashchange', moved)
  }, [])
  return readPlace(hash)
}
