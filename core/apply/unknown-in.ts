import type { Request } from '../schema/command.ts'
import { fillKnown, type Known } from './fill-known.ts'

/** The resources of which a request waits for something that is not known. */
export const unknownIn = (request: Request, known: Known): ReadonlySet<string> => {
  const unknown = new Set<string>()
  fillKnown(request, (address, pointer) => {
    const value = known(address, pointer)
    if (value === undefined) unknown.add(address)
    return value
  })
  return unknown
}
