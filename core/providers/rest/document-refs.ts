import * as z from 'zod'
import { json, name, place, template } from './document-words.ts'

/* Values that people give by name, and the API wants as something else. */

export const ref = z.strictObject({
  /** A type of this document, or one of its `resolvers`. */
  type: z.string().exactOptional(),
  resolver: name.exactOptional(),
  /** The identity key of the type that the value is; `name`, or the only one, when absent. */
  by: name.exactOptional(),
  /** Where the object that is found holds what is sent and compared. */
  emit: place.min(1),
  /** What else the object must hold: sent as filters, and as path variables, compared where an item shows them. */
  scope: z.record(z.string(), template).exactOptional(),
})
export type RefEntry = z.infer<typeof ref>

/** How objects are found that this document does not manage. `{value}` is what is looked for. */
export const resolverOf = <Operation extends z.ZodType>(operation: Operation) =>
  z.strictObject({
    description: z.string().exactOptional(),
    list: operation.exactOptional(),
    items: place.default(''),
    retrieve: operation.exactOptional(),
    /** Where an item holds its name. */
    name: z.union([place.min(1), z.array(place.min(1)).min(1)]).default('name'),
    where: z.record(z.string(), json).exactOptional(),
  })
