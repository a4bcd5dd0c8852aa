import * as z from 'zod'
import type { Json } from './json.ts'

const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

/**
 * False for names that every object inherits, such as `constructor`: looking them up would find the inherited value.
 */
export const isOwnName = (name: string): boolean => !inherited.has(name)

export const ownNameRule = 'every object has this name already: use another one'

/*
 * docs/provider-reference.md and the schema for editors are generated from these functions. A shape with a title is a
 * chapter.
 */

export const described = <Shape extends z.ZodType>(
  shape: Shape,
  description: string,
  ...examples: z.input<Shape>[]
): Shape => shape.meta({ description, ...(examples.length === 0 ? {} : { examples }) })

/** A member that may be absent, but not null. */
export const optional = <Shape extends z.ZodType>(
  shape: Shape,
  description: string,
  ...examples: z.input<Shape>[]
): z.ZodExactOptional<Shape> => described(shape, description, ...examples).exactOptional()

export const chapter = <Shape extends z.ZodType>(id: string, title: string, description: string, shape: Shape): Shape =>
  shape.meta({ id, title, description })

/** A chapter about an object that has exactly these members. */
export const objectChapter = <Members extends z.core.$ZodShape>(
  id: string,
  title: string,
  description: string,
  members: Members,
): z.ZodObject<Members, z.core.$strict> => chapter(id, title, description, z.strictObject(members))

export const json = (z.json() as z.ZodType<Json>).register(z.globalRegistry, { id: 'json', description: 'Any value.' })

export const name = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, 'letters, digits, _ and -, not starting with a digit')
  .refine(isOwnName, ownNameRule)
  .meta({
    id: 'name',
    description:
      'Letters, digits, `_` and `-`, not starting with a digit, and no name that every object has (`constructor`).',
  })

/** Names of types in configurations, documents and packages. */
export const typePattern = /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/

export const typeName = z
  .string()
  .regex(typePattern, 'lower case letters and digits, with a _ after the prefix')
  .meta({ id: 'type', description: 'Name of a type: lower case letters and digits, with a `_` after the prefix.' })
