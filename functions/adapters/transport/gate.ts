import type { WireRequest } from '#core'

/** The last check before the bytes of a request are sent. */
export interface Gate {
  /** Synchronous. Once it returns false, it always returns false. */
  readonly letsGo: () => boolean
  readonly isShut: () => boolean
}

export const createGate = ({ mayLeave = () => true }: WireRequest): Gate => {
  let shut = false
  return {
    letsGo: () => {
      shut ||= !mayLeave()
      return !shut
    },
    isShut: () => shut,
  }
}
