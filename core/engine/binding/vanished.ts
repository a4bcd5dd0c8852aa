export interface ResourcePresence {
  /** The object existed once. */
  readonly isRecorded: boolean
  readonly found: 'present' | 'absent' | 'unknown'
}

/**
 * The number of recorded objects that are gone, and of all recorded objects, including those that could not be read.
 */
export interface Vanished {
  readonly gone: number
  readonly of: number
}

/**
 * Whether recorded objects of a provider disappeared together: of several recorded objects, more are gone than seen. A
 * token that lost its role looks the same, because such APIs show hidden objects as absent. An object that could not be
 * read does not count as seen. A single recorded object, or a few of many, are believed to be gone.
 */
export const vanishedIn = (presences: readonly ResourcePresence[]): Vanished | undefined => {
  const recorded = presences.filter(({ isRecorded }) => isRecorded)
  const count = (kind: ResourcePresence['found']): number => recorded.filter(({ found }) => found === kind).length
  const gone = count('absent')
  return recorded.length < 2 || gone <= count('present') ? undefined : { gone, of: recorded.length }
}
