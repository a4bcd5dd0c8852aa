/** A resource of one provider whose object was searched. */
export interface ResourcePresence {
  /** Its object existed once. */
  readonly isRecorded: boolean
  readonly found: 'present' | 'absent' | 'unknown'
}

/** How many recorded objects are gone, and how many there are in total, including those that could not be read. */
export interface Vanished {
  readonly gone: number
  readonly of: number
}

/**
 * Whether recorded objects of a provider are gone together: of several recorded objects more are gone than seen. A
 * token that lost its role looks the same, because such APIs show hidden objects as absent. An object that could not be
 * read was not seen either. A single recorded object counts as gone, and so do a few of many.
 */
export const vanishedIn = (presences: readonly ResourcePresence[]): Vanished | undefined => {
  const recorded = presences.filter(({ isRecorded }) => isRecorded)
  const count = (kind: ResourcePresence['found']): number => recorded.filter(({ found }) => found === kind).length
  const gone = count('absent')
  return recorded.length < 2 || gone <= count('present') ? undefined : { gone, of: recorded.length }
}
