import * as z from 'zod'
import type { Json } from '../../schema/json.ts'

/* The words that the shapes of a provider document are made of. */

export const name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, 'letters, digits, _ and -, not starting with a digit')
export const status = z.number().int().min(100).max(599)
export const count = z.number().int().positive()
export const scalar = z.union([z.string(), z.number(), z.boolean()])
export const json = z.json() as z.ZodType<Json>
/** Text with `{variables}`. */
export const template = z.string()
/** `a.b` or, for names with dots, the JSON pointer `/a.b/c`. Empty: the whole value. */
export const place = z.string()
/** A place of an answer's body, or one of its headers. */
export const spot = z.union([place.min(1), z.strictObject({ header: z.string().min(1) })])
export type Spot = z.infer<typeof spot>
