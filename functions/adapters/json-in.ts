import { foreignJson } from '#core'

/** The value of a JSON text from outside; `undefined` if it is invalid, or if an object in it has one member twice. */
export const jsonIn = foreignJson

/** Why a text from outside is refused, after its name. */
export const jsonFaults = {
  invalid: 'is not JSON',
  repeated: 'has one member twice in an object, so that two readers could understand it differently',
} as const

/**
 * The value of a JSON text that Plumbline itself has written; `undefined` if it is damaged. Rows are read often, and
 * `JSON.stringify` repeats no member.
 */
export const keptJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
