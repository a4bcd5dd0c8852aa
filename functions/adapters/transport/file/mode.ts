import { isObject, type Json } from '#core'

export const modeOf = (body: Json | undefined): number | undefined | 'invalid' => {
  const mode = isObject(body) ? body['mode'] : undefined
  if (mode === undefined) return undefined
  return typeof mode === 'string' && /^0?[0-7]{3,4}$/.test(mode) ? Number.parseInt(mode, 8) : 'invalid'
}

export const modeText = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, '0')
