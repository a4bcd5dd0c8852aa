const stamp = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?\s?([Zz]|[+-]\d\d(?::?\d\d)?)$/

/**
 * RFC 3339 and similar forms (a space instead of the T, an offset without a colon) as one text: UTC, `Z`, no zeros at
 * the end of a fraction. `undefined` for any other text, also for a time without an offset, because its moment is
 * unknown. https://www.rfc-editor.org/rfc/rfc3339
 */
export const canonicalTimestamp = (text: string): string | undefined => {
  const found = stamp.exec(text.trim())
  if (found === null) return undefined
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', fraction = '', zone = 'Z'] = found
  const date = `${year}-${month}-${day}`
  const moment = Date.parse(`${date}T${hour}:${minute}:${second === '60' ? '59' : second}Z`)
  // `Date` would turn a day that does not exist into another day.
  if (Number.isNaN(moment) || new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10) !== date) return undefined
  if (hour === '24' || Number(second) > 60) return undefined
  const utc = new Date(moment - minutesOf(zone) * 60_000).toISOString().slice(0, 17)
  const digits = fraction.replace(/0+$/, '')
  return `${utc}${second}${digits === '' ? '' : `.${digits}`}Z`
}

const minutesOf = (zone: string): number => {
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** https://pkg.go.dev/time#ParseDuration */
const goUnits: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
}

const number = String.raw`\d+(?:\.\d+)?`
const iso = new RegExp(
  `^([+-])?P(?:(${number})W)?(?:(${number})D)?(?:T(?:(${number})H)?(?:(${number})M)?(?:(${number})S)?)?$`,
)
const go = new RegExp(`^([+-])?(?:${number}(?:ns|us|µs|μs|ms|s|m|h|d|w))+$`)

/**
 * Seconds. Accepts ISO 8601 without years and months, which have no fixed length; Go's `1h30m`; a plain number.
 * `undefined` for any other text.
 */
export const secondsOf = (text: string): number | undefined => {
  const plain = text.trim()
  if (/^[+-]?\d+(\.\d+)?$/.test(plain)) return exact(Number(plain))
  const parts = iso.exec(plain)
  if (parts !== null) {
    const [, sign, ...units] = parts
    if (units.every((unit) => unit === undefined) || plain.endsWith('T')) return undefined
    const seconds = [604_800, 86_400, 3600, 60, 1]
    const sum = units.reduce((all, unit, index) => all + Number(unit ?? 0) * (seconds[index] ?? 0), 0)
    return exact(sign === '-' ? -sum : sum)
  }
  if (!go.test(plain)) return undefined
  const sum = [...plain.matchAll(/(\d+(?:\.\d+)?)([a-zµμ]+)/g)].reduce(
    (all, [, count = '0', unit = '']) => all + Number(count) * (goUnits[unit] ?? 0),
    0,
  )
  return exact(plain.startsWith('-') ? -sum : sum)
}

/** Removes the rounding noise of binary fractions. */
const exact = (seconds: number): number => Number(seconds.toPrecision(15)) + 0
