/** A resource of one provider that was looked for. */
export interface Looked {
  /** Its object was there once. */
  readonly isRecorded: boolean
  readonly found: 'present' | 'absent' | 'unknown'
}

/** How many recorded objects are gone, and of how many, those that could not be read among them. */
export interface Vanished {
  readonly gone: number
  readonly of: number
}

/**
 * Whether recorded objects of a provider are gone together: of several more than are still seen. A token that lost its role looks
 * the same, because such APIs show what is hidden as not there; what could not be read was not seen either. The only one that
 * there is is believed to be gone, as are a few of many.
 */
export const vanishedIn = (looked: readonly Looked[]): Vanished | undefined => {
  const recorded = looked.filter(({ isRecorded }) => isRecorded)
  const count = (kind: Looked['found']): number => recorded.filter(({ found }) => found === kind).length
  const gone = count('absent')
  return recorded.length < 2 || gone <= count('present') ? undefined : { gone, of: recorded.length }
}
