import type { Json, Path } from '../schema/json.ts'
import { isArray, isObject } from '../schema/json.ts'
import { shorten } from '../values/shorten.ts'

/** What a value is, in the words of a message. */
export const kindOf = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (isArray(value)) return 'a list'
  if (isObject(value)) return 'a mapping'
  return { string: 'text', number: 'a number', boolean: 'true or false' }[
    typeof value as 'string' | 'number' | 'boolean'
  ]
}

/** `resources[2].lifecycle.manage`, as people write a path. */
export const pathText = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    if (!/^[A-Za-z_$][\w$-]*$/.test(step)) return `${text}[${JSON.stringify(step)}]`
    return text === '' ? step : `${text}.${step}`
  }, '')

/** `pdns_zone.main.rrsets[0]`. */
export const attributeText = (address: string, path: Path): string => {
  const text = pathText(path)
  return text === '' || text.startsWith('[') ? `${address}${text}` : `${address}.${text}`
}

/** A value for an issue: short, and kinds only for what is no scalar. */
export const shown = (value: Json | undefined): string => {
  if (typeof value !== 'string')
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value)
  return JSON.stringify(shorten(value, 60))
}
