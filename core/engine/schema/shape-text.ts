import type * as z from 'zod'

/** `{ address: ..., owner: ... }`, of at most five keys. */
export const shapeText = (keys: readonly string[]): string =>
  `{ ${[...keys.slice(0, 5).map((key) => `${key}: ...`), ...(keys.length > 5 ? ['...'] : [])].join(', ')} }`

/** How a mapping or a list is written: the keys that it must have, or some that it may have; `undefined` for a plain value. */
const textOfShape = (schema: z.core.$ZodType): string | undefined => {
  const { def } = schema._zod
  if ('innerType' in def) return textOfShape(def.innerType as z.core.$ZodType)
  if (def.type === 'record') return '{ <name>: ... }'
  if (def.type === 'array') return `[${textOfShape((def as z.core.$ZodArrayDef).element) ?? '...'}]`
  if (def.type !== 'object') return undefined
  const { shape } = def as z.core.$ZodObjectDef
  const all = Object.keys(shape)
  const needed = all.filter((name) => shape[name]?._zod.optin === undefined)
  return shapeText(needed.length > 0 ? needed : all)
}

/** What an issue of the library does not have: the allowed keys, or the shape of the mapping or list that is expected. */
export const expectedIn = ({ code, inst }: z.core.$ZodRawIssue): string | undefined => {
  if (inst === undefined) return undefined
  if (code === 'unrecognized_keys') return 'shape' in inst ? Object.keys(inst.shape as object).join(' ') : undefined
  return code === 'invalid_type' ? textOfShape(inst as z.core.$ZodType) : undefined
}
