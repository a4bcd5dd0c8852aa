import type { WireRequest } from '#core'

/** The very last question before the bytes of a request leave. */
export interface Gate {
  /** Without waiting. Once false, false for ever. */
  readonly letsGo: () => boolean
  /** It has said no. */
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
