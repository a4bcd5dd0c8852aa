/** A resource of one provider that was looked for. */
export interface Looked {
  /** Its object was there once. */
  readonly isRecorded: boolean
  readonly found: 'present' | 'absent' | 'unknown'
}

/** How many recorded objects are gone, and of how many. */
export interface Vanished {
  readonly gone: number
  readonly of: number
}

/**
 * Whether recorded objects of a provider are gone together: all of several, or most of them. A token that lost its role looks
 * the same, because such APIs show what is hidden as not there. One alone is believed, as are a few of many.
 */
export const vanishedIn = (looked: readonly Looked[]): Vanished | undefined => {
  const known = looked.filter(({ isRecorded, found }) => isRecorded && found !== 'unknown')
  const gone = known.filter(({ found }) => found === 'absent').length
  return gone < 2 || gone * 2 <= known.length ? undefined : { gone, of: known.length }
}
