import type { Attribute, NormaliserName } from '../../schema/attribute.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { mapMembers } from '../members.ts'
import { canonicalJsonText } from '../texts/json-text.ts'
import { htmlText } from './html-text.ts'
import { canonicalIp, canonicalNetwork } from './ip.ts'
import { canonicalIpv6 } from './ipv6.ts'
import { canonicalTimestamp, secondsOf } from './time-forms.ts'

const onText =
  (change: (text: string) => Json) =>
  (value: Json): Json =>
    typeof value === 'string' ? change(value) : value

/** Two ids beyond 2^53 that differ must not become one number; a fraction keeps 15 digits for sure. */
const isExact = (text: string): boolean => {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isInteger(value)) return Number.isSafeInteger(value)
  return Number.isFinite(value) && text.replaceAll(/\D/g, '').length <= 15
}

/** Pure functions to canonical forms. Each is idempotent and leaves values of another type as they are. */
const normalisers = {
  trim: onText((text) => text.trim()),
  lower: onText((text) => text.toLowerCase()),
  upper: onText((text) => text.toUpperCase()),
  /** DNS names: exactly one dot at the end. */
  trailingDot: onText((text) => (text === '' || text.endsWith('.') ? text : `${text}.`)),
  /** Numbers that an API gives or takes as text; one that no JavaScript number holds exactly stays text. */
  number: onText((text) => (isExact(text) ? Number(text) : text)),
  string: (value: Json): Json => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
  boolean: (value: Json): Json => (value === 'true' ? true : value === 'false' ? false : value),
  /** `a, b` in the write form, `["a","b"]` in the read form (RabbitMQ's tags). */
  commaList: (value: Json): Json =>
    typeof value === 'string'
      ? value
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '')
      : value,
  /** IPv6 addresses in the one spelling of RFC 5952; any other text stays. */
  ipv6: onText((text) => canonicalIpv6(text) ?? text),
  /** An IPv4 or IPv6 address, with its prefix where one is written; a mask becomes a prefix. */
  ip: onText((text) => canonicalIp(text) ?? text),
  /** A network: host bits are zero, and an address alone is `/32` or `/128`. */
  network: onText((text) => canonicalNetwork(text) ?? text),
  /** RFC 3339 in UTC: `2026-11-21T06:00:00Z`. */
  timestamp: onText((text) => canonicalTimestamp(text) ?? text),
  /** ISO 8601 (`PT1H30M`), Go (`1h30m`) or plain seconds, as a number of seconds. */
  duration: onText((text) => secondsOf(text) ?? text),
  /** A text that holds JSON: members in one order, no blanks. */
  json: onText((text) => canonicalJsonText(text) ?? text),
  /** What a reader sees of an HTML text, for servers that clean it. */
  htmlText: onText(htmlText),
  /** Runs of white space are one space, none at the ends. */
  oneSpace: onText((text) => text.trim().replaceAll(/\s+/g, ' ')),
  /** Text in double quotes, as DNS TXT records want it; what begins with a quote is taken to have them. */
  quoted: onText((text) => (text.startsWith('"') ? text : `"${text.replaceAll(/[\\"]/g, '\\$&')}"`)),
  /** One line feed at the end of a text, whatever an editor left there. */
  finalNewline: onText((text) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)),
} as const satisfies Readonly<Record<NormaliserName, (value: Json) => Json>>

/** In this order; a value of another type passes through each as it is. */
export const applyNormalisers = (value: Json, names: readonly NormaliserName[] = []): Json =>
  names.reduce<Json>((current, name) => normalisers[name](current), value)

/** The normalisers of a value. `around` are the objects that hold it, the outermost first, in canonical form. */
export const normalisersOf = (
  { normalise = [], cases = [] }: Pick<Attribute, 'normalise' | 'cases'>,
  around: readonly JsonObject[],
): readonly NormaliserName[] => {
  const holding = cases.filter((entry) =>
    Object.entries(entry.when).every(([member, values]) => {
      const holder = around.findLast((object) => Object.hasOwn(object, member))
      return holder !== undefined && values.some((value) => value === holder[member])
    }),
  )
  return [...normalise, ...holding.flatMap((entry) => entry.normalise)]
}

/** An object's own members in canonical form, for the cases of what it holds. Own normalisers only: cases do not chain. */
export const canonicalMembers = (attributes: Readonly<Record<string, Attribute>>, value: JsonObject): JsonObject =>
  mapMembers(value, (inner, member) => applyNormalisers(inner, attributes[member]?.normalise))
