import type { Attribute, NormaliserName } from '../../schema/attribute.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { isLargeNumber } from '../large-integer.ts'
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

/**
 * Whether no digit is lost: two different ids above 2^53 must not become the same number; 15 digits of a fraction are
 * exact.
 */
const isExact = (text: string): boolean => {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isInteger(value)) return Number.isSafeInteger(value)
  return Number.isFinite(value) && text.replaceAll(/\D/g, '').length <= 15
}

/**
 * Every value begins with the length of the type in four bytes:
 * https://datatracker.ietf.org/doc/html/rfc4253#section-6.6
 */
const sshKeyForm = /^\s*([\w.@-]+)[ \t]+(AAAA[A-Za-z0-9+/]+={0,2})(?:[ \t][^\r\n]*)?\s*$/

/** Pure functions that return canonical forms. Each is idempotent and returns values of another type unchanged. */
const normalisers = {
  trim: onText((text) => text.trim()),
  lower: onText((text) => text.toLowerCase()),
  upper: onText((text) => text.toUpperCase()),
  /** DNS names: exactly one dot at the end. */
  trailingDot: onText((text) => (text === '' || text.endsWith('.') ? text : `${text}.`)),
  /** Numbers that an API returns or accepts as text; a number that JavaScript cannot represent exactly stays text. */
  number: onText((text) => (isExact(text) ? Number(text) : text)),
  string: (value: Json): Json => {
    if (isLargeNumber(value)) return value.$number
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  },
  boolean: (value: Json): Json => (value === 'true' ? true : value === 'false' ? false : value),
  /** `a, b` in writes and `["a","b"]` in reads (RabbitMQ's tags). */
  commaList: (value: Json): Json =>
    typeof value === 'string'
      ? value
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '')
      : value,
  /** IPv6 addresses in the spelling of RFC 5952; any other text is unchanged. */
  ipv6: onText((text) => canonicalIpv6(text) ?? text),
  /** An IPv4 or IPv6 address, with its prefix if the text has one; a mask becomes a prefix. */
  ip: onText((text) => canonicalIp(text) ?? text),
  /** A network: host bits are zero, and an address alone is `/32` or `/128`. */
  network: onText((text) => canonicalNetwork(text) ?? text),
  /** RFC 3339 in UTC: `2026-11-21T06:00:00Z`. */
  timestamp: onText((text) => canonicalTimestamp(text) ?? text),
  /** ISO 8601 (`PT1H30M`), Go (`1h30m`) or plain seconds, as a number of seconds. */
  duration: onText((text) => secondsOf(text) ?? text),
  /** A text that contains JSON: members in one order, no white space. */
  json: onText((text) => canonicalJsonText(text) ?? text),
  /** The text that a reader of the HTML sees, for servers that sanitise HTML. */
  htmlText: onText(htmlText),
  /** White space becomes one space, and is removed at both ends. */
  oneSpace: onText((text) => text.trim().replaceAll(/\s+/g, ' ')),
  /** Text in double quotes, as DNS TXT records need it; a text that begins with a quote counts as quoted. */
  quoted: onText((text) => (text.startsWith('"') ? text : `"${text.replaceAll(/[\\"]/g, '\\$&')}"`)),
  /** Exactly one line feed at the end of the text, whatever an editor wrote. */
  finalNewline: onText((text) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)),
  /** A public key as `ssh-keygen` writes it: type and value, without the comment. */
  sshKey: onText((text) => sshKeyForm.exec(text)?.slice(1).join(' ') ?? text),
} as const satisfies Readonly<Record<NormaliserName, (value: Json) => Json>>

/** Applies them in this order; a value of another type passes each of them unchanged. */
export const applyNormalisers = (value: Json, names: readonly NormaliserName[] = []): Json =>
  names.reduce<Json>((current, name) => normalisers[name](current), value)

/** `around` are the objects that enclose the value, the outermost first, in canonical form. */
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

/**
 * The canonical members that the cases of inner values read. Only their own normalisers are applied: cases do not
 * chain.
 */
export const canonicalMembers = (attributes: Readonly<Record<string, Attribute>>, value: JsonObject): JsonObject =>
  mapMembers(value, (inner, member) => applyNormalisers(inner, attributes[member]?.normalise))
