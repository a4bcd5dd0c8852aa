/** What is planned, stored or rendered is plain JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [member: string]: Json
}

export type JsonList = readonly Json[]
export type MaybeJson = Json | undefined

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isArray = (value: unknown): value is JsonList => Array.isArray(value)

/** A member's name or an element's index. */
export type Step = string | number
export type Path = readonly Step[]
