import * as z from 'zod'
import { isOwnName, ownNameRule } from '../../schema/described.ts'
import type { Json } from '../../schema/json.ts'
import { namePattern } from '../../values/addresses/declarable.ts'
import { allowed } from '../shared/words.ts'

/* What the shapes of several files are made of. */

// Any JSON; it is checked later, with positions and references.
export const anything = z.unknown() as unknown as z.ZodType<Json>
export const members = z.record(z.string(), anything)
export const nonEmpty = z.string().min(1, allowed.text)

export const name = z.string().regex(namePattern, allowed.name).refine(isOwnName, ownNameRule)

export const texts = z.array(nonEmpty)
