/** Plain JSON. All data between the steps is made of it: what is planned, stored or rendered. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [member: string]: Json
}

export type JsonList = readonly Json[]
/** `undefined` if there is none. */
export type MaybeJson = Json | undefined

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isArray = (value: unknown): value is JsonList => Array.isArray(value)

/** One step into a value: a member's name or an element's index. */
export type Step = string | number
export type Path = readonly Step[]
