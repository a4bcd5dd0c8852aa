/** Plain JSON, the only currency between the steps: whatever is planned, stored or rendered is made of it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [member: string]: Json
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isArray = (value: unknown): value is readonly Json[] => Array.isArray(value)

/** One step into a value: a member's name or an element's index. */
export type Step = string | number
export type Path = readonly Step[]

/** RFC 6901, for example `/rrsets/0/ttl`. */
export const toPointer = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** The steps of a pointer; all are texts, those of a list too. */
export const fromPointer = (pointer: string): string[] =>
  pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** As people read it, and as an ignore rule names it: `rrsets[www.example.org. A].ttl`. */
export const pathText = (path: Path): string =>
  path
    .map((step, position) => {
      if (!/^[A-Za-z_][\w-]*$/.test(String(step))) return `[${step}]`
      return position === 0 ? step : `.${step}`
    })
    .join('')

/** The value at a path; `undefined` where there is none. */
export const valueAt = (value: Json | undefined, path: Path): Json | undefined =>
  path.reduce<Json | undefined>((inner, step) => {
    if (isArray(inner)) return inner[Number(step)]
    if (isObject(inner) && Object.hasOwn(inner, step)) return inner[step]
    return undefined
  }, value)
