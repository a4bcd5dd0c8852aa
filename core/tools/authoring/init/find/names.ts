import { toPointer } from '../../../../engine/json/pointer.ts'
import { isOwnName } from '../../../../engine/schema/described.ts'
import type { Path } from '../../../../engine/schema/json.ts'
import { wordList, wordsOf } from '../../../../engine/values/texts/name-words.ts'

const unchanged = /(ss|us|is|os|as|news|series|dns|https|sms|tls|aws|alias|bus|gas)$/

/** `policies` becomes `policy`, `addresses` `address`, and `status` stays. Descriptions are in English. */
export const singularOf = (word: string): string => {
  if (word.length < 3) return word
  if (/ies$/.test(word) && word.length > 4) return word.replace(/ies$/, 'y')
  if (/(ss|sh|ch|x|z)es$/.test(word)) return word.replace(/es$/, '')
  if (/(alias|status|bus)es$/.test(word)) return word.replace(/es$/, '')
  return unchanged.test(word) || !word.endsWith('s') ? word : word.slice(0, -1)
}

/** Tells whether a name is a resource's own: `droplet` and `droplets` for a droplet. */
export const isNameOf = (name: string, resource: readonly string[]): boolean => {
  const words = wordsOf(name)
  const last = words.map((word, index) => (index === words.length - 1 ? singularOf(word) : word)).join('')
  return last === resource.join('') || singularOf(words.at(-1) ?? '') === resource.at(-1)
}

const generic = new Set(
  wordList(
    `api apis rest restful http https the a an open openapi swagger public official service server sample simple web and for of s`,
  ),
)

export const prefixOf = (title: string): string => {
  const words = title
    .replaceAll(/['’]s\b/g, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return (
    words.find((word) => isOwnName(word) && /^[a-z]/.test(word) && !/^v\d+$/.test(word) && !generic.has(word)) ?? 'api'
  )
}

export const attributeName = (name: string): string => {
  const plain = name
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+(?=[A-Za-z])/, '')
    .replace(/(?<=.)_+$/, '')
  return /^[A-Za-z_]/.test(plain) && isOwnName(plain) ? plain : `_${plain}`
}

export const numbered = (wanted: string, taken: ReadonlySet<string>): string => {
  let name = wanted
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}_${count}`
  return name
}

export const freeName = (property: string, taken: Set<string>): string => {
  const name = numbered(attributeName(property), taken)
  taken.add(name)
  return name
}

/**
 * Chooses a name for each property. Those of `first` (a key) choose first, then those whose name is valid unchanged.
 */
export const nameMembers = (
  properties: readonly string[],
  taken: Set<string>,
  first: readonly string[] = [],
): ReadonlyMap<string, string> => {
  const rank = (property: string): number =>
    first.includes(property) ? 0 : property === attributeName(property) ? 1 : 2
  const ordered = properties.toSorted((left, right) => rank(left) - rank(right))
  const chosen = new Map(ordered.map((property) => [property, freeName(property, taken)]))
  return new Map(properties.map((property) => [property, chosen.get(property) ?? property]))
}

/** Writes a place as a document does, also with unusual member names. */
export const placeText = (path: Path): string =>
  path.every((step) => /^[^./][^.]*$/.test(String(step))) ? path.join('.') : toPointer(path)
