import { isArray, isObject, type Json, type JsonObject, type Path } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import { isMark, isSecret, isSensitive, isUnknown } from '../../schema/value.ts'
import { isLargeNumber } from '../../values/large-integer.ts'
import { looksMarked } from '../../values/marks/marks.ts'
import { whySecretRefused } from '../../values/secret-source.ts'
import { kindOf } from '../../values/words.ts'
import { fitsText, joinParts, orHole } from '../expressions/references.ts'
import { isSecretForm, type Part, parseTemplate, readSecret } from '../expressions/template.ts'
import { say } from '../shared/words.ts'
import { maxDepth } from '../syntax/located.ts'
import type { Frame, Lazy } from './frame.ts'
import { forceLazy, namedValue } from './named-values.ts'
import { type Context, inside, keyOf, measure, once, type Scope, type Site, type Uses } from './resolution.ts'

export interface Resolver {
  /** Resolves references and secrets; `undefined` if the value as a whole has a problem, which is reported. */
  value(frame: Frame, value: Json, path: Path): Json | undefined
  /** For a spec or a `with`: the object itself is never a secret or a mark, whatever members it has. */
  members(frame: Frame, value: JsonObject, path: Path, owner?: Address): JsonObject
  /** Reports the problems of a value that nothing uses. */
  check(lazy: Lazy): void
  usesOf(address: Address): Uses
}

/** Limit of one value after its references are resolved, in characters; each member counts as 16. */
const maxWeight = 4_000_000

/** The limit for all values together, because each of many values may be below its own limit. */
const maxTotal = 20_000_000

const ofPart = (context: Context, site: Site, part: Part): Json | undefined => {
  if ('text' in part) return part.text
  const value = namedValue(context, site, part.expression, resolveNode)
  if (value === undefined || fitsText(value)) return value
  return site.frame.report(site.path, say('notInText', part.written, kindOf(value)))
}

const templateOf = ({ templates }: Context, text: string): ReturnType<typeof parseTemplate> => {
  const known = templates.get(text)
  if (known !== undefined) return known
  const template = parseTemplate(text)
  templates.set(text, template)
  return template
}

const resolveParts = (context: Context, site: Site, text: string): Json | undefined => {
  const template = templateOf(context, text)
  if ('wrong' in template) return site.frame.report(site.path, template.wrong)
  const [only, second] = template.parts
  const value =
    only !== undefined && second === undefined && 'expression' in only
      ? namedValue(context, site, only.expression, resolveNode)
      : ofParts(template.parts.map((part) => ofPart(context, site, part)))
  if (value === undefined) return undefined
  const { weight, depth } = measure(context.sizes, value)
  if (weight > maxWeight || depth > maxDepth) return site.frame.report(site.path, say('tooLarge'))
  return spend(context, weight) ? value : site.frame.report(site.path, say('tooMuch'))
}

const spend = ({ spent }: Context, weight: number): boolean => {
  spent.weight += weight
  return spent.weight <= maxTotal
}

const ofParts = (parts: readonly (Json | undefined)[]): Json | undefined =>
  parts.every((part) => part !== undefined) ? joinParts(parts) : undefined

const resolveText = (context: Context, site: Site, text: string): Json | undefined => {
  if (site.frame.literal || !text.includes('${')) return text
  const key = keyOf(site)
  if (context.texts.has(key)) return context.texts.get(key)
  // The problem is reported at the first value beyond the limit; the others are not built.
  if (context.spent.weight > maxTotal) return undefined
  const value = once(context, site, () => resolveParts(context, site, text))
  context.texts.set(key, value)
  return value
}

const resolveSecret = (context: Context, site: Site, written: string): Json | undefined => {
  const { workspace, secrets } = context.scope
  const { path } = inside(site, 'secret')
  const text = resolveText(context, { ...site, path }, written)
  if (text === undefined || isSecret(text)) return text
  const meaning = typeof text === 'string' ? readSecret(text) : 'plain'
  if (typeof text !== 'string' || meaning === 'plain') return { secret: text }
  const refused = meaning === 'source' ? secrets && whySecretRefused(text, workspace, secrets) : meaning
  return refused === undefined ? { $secret: text } : site.frame.report(path, refused)
}

const resolveMembers = (context: Context, site: Site, written: JsonObject): JsonObject => {
  const known = resolveEntries(context, site, written)
  for (const [key, , at] of known) if (typeof key !== 'string') site.frame.report(at.path, say('laterKey'))
  return Object.fromEntries(known.flatMap(([key, value]) => (typeof key === 'string' ? [[key, value]] : [])))
}

/** Members with their keys, which may contain references; a text is a key that is known. */
const resolveEntries = (
  context: Context,
  site: Site,
  written: JsonObject,
): readonly (readonly [key: Json, value: Json, at: Site])[] => {
  const keys = new Set<string>()
  return Object.entries(written).flatMap(([name, child]) => {
    const at = inside(site, name)
    const key = keyFor(context, at, name)
    if (key === undefined) return []
    if (typeof key === 'string' && keys.has(key)) {
      site.frame.report(at.path, say('keyTwice', key))
      return []
    }
    if (typeof key === 'string') keys.add(key)
    return [[key, orHole(resolveNode(context, at, child)), at] as const]
  })
}

const keyFor = (context: Context, at: Site, written: string): Json | undefined => {
  // Not through the texts that are known by their place: the value of the member has the same one.
  const key = at.frame.literal || !written.includes('${') ? written : resolveParts(context, at, written)
  if (typeof key === 'number') return String(key)
  if (isLargeNumber(key)) return key.$number
  if (key === undefined || typeof key === 'string' || (isUnknown(key) && !isSensitive(key))) return key
  return at.frame.report(at.path, say('noKey', written, isMark(key) ? 'a secret' : kindOf(key)))
}

const resolveObject = (context: Context, site: Site, written: JsonObject): Json | undefined => {
  if (isLargeNumber(written)) return written
  if (isSecretForm(written)) return resolveSecret(context, site, written.secret)
  const entries = resolveEntries(context, site, written)
  if (entries.some(([key]) => typeof key !== 'string')) return { $entries: entries.map(([key, value]) => [key, value]) }
  const members = Object.fromEntries(entries.map(([key, value]) => [String(key), value]))
  if (!looksMarked(written)) return members
  if (Object.values(members).some(isUnknown)) site.frame.report(site.path, say('laterInMark'))
  return { $literal: members }
}

const resolveNode = (context: Context, site: Site, value: Json): Json | undefined => {
  if (typeof value === 'string') return resolveText(context, site, value)
  if (isArray(value)) return value.map((child, index) => orHole(resolveNode(context, inside(site, index), child)))
  return isObject(value) ? resolveObject(context, site, value) : value
}

/** Resolves the values of a configuration. Each problem is reported once, at the text that contains the reference. */
export const createResolver = (scope: Scope): Resolver => {
  const context: Context = {
    scope,
    templates: new Map(),
    texts: new Map(),
    forced: new Map(),
    sizes: new WeakMap(),
    spent: { weight: 0 },
    uses: new Map(),
    chain: new Map(),
  }
  return {
    value: (frame, value, path) => resolveNode(context, { frame, path, owner: undefined }, value),
    members: (frame, value, path, owner) => resolveMembers(context, { frame, path, owner }, value),
    check: (lazy) => forceLazy(context, lazy, resolveNode),
    usesOf: (address) => context.uses.get(address) ?? { addresses: new Set(), attributes: new Set() },
  }
}
