import type { Json } from '../../../../engine/schema/json.ts'
import { isArray, isObject } from '../../../../engine/schema/json.ts'
import { defined, present } from '../../../../engine/values/defined.ts'
import { oneLine } from '../../../../engine/values/texts/shorten.ts'

/** A mapping in its written order, with comments above its keys. */
export interface Entry {
  readonly key: string
  readonly node: Node
  readonly comments?: readonly string[]
}

export type Node =
  | { readonly kind: 'value'; readonly value: Json }
  /** `open`: always one key per line; otherwise one line if that is short enough. */
  | { readonly kind: 'map'; readonly entries: readonly Entry[]; readonly open?: boolean }
  | { readonly kind: 'list'; readonly items: readonly (readonly Entry[])[] }

/** `undefined` if there is no value. */
export const entry = (key: string, of: Json | undefined, comments?: readonly string[]): Entry | undefined =>
  of === undefined ? undefined : { key, node: { kind: 'value', value: of }, ...defined({ comments }) }

type Some = Entry | undefined | false
export const map = (...entries: readonly Some[]): Node => ({ kind: 'map', entries: present(...entries) })
export const openMap = (...entries: readonly Some[]): Node => ({
  kind: 'map',
  entries: present(...entries),
  open: true,
})

const width = 120

/** Writes a value on one line, valid at any place: quoted if a plain text could be read as something else. */
export const flow = (of: Json): string => {
  if (isArray(of)) return `[${of.map(flow).join(', ')}]`
  if (isObject(of)) {
    const members = Object.entries(of).map(([key, inner]) => `${flow(key)}: ${flow(inner)}`)
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
  }
  return typeof of === 'string' && isPlain(of) ? of : escaped(JSON.stringify(of))
}

const words = /^(true|false|null|yes|no|on|off|y|n)$/i

/** Matches texts that YAML reads as nothing else, at any place. */
const isPlain = (text: string): boolean => /^[A-Za-z_/][\w./+$@-]*( [\w./+$@-]+)*$/.test(text) && !words.test(text)

/** JSON in double quotes is YAML, once the characters that YAML calls unprintable are escaped. */
const escaped = (json: string): string =>
  json.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\uFEFF\uFFFE\uFFFF]/gu,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/**
 * Returns the value of a node that may be on one line; `undefined` for lists, open mappings, and mappings with
 * comments.
 */
const plainOf = (node: Node): Json | undefined => {
  if (node.kind === 'value') return node.value
  if (node.kind === 'list' || node.open) return undefined
  const members: [string, Json][] = []
  for (const { key, node: inner, comments = [] } of node.entries) {
    const plain = comments.length > 0 ? undefined : plainOf(inner)
    if (plain === undefined) return undefined
    members.push([key, plain])
  }
  return Object.fromEntries(members)
}

const entryLines = ({ key, node, comments = [] }: Entry, indent: string): readonly string[] => {
  const head = `${indent}${flow(key)}:`
  const plain = plainOf(node)
  const line = plain === undefined ? undefined : `${head} ${flow(plain)}`
  const above = comments.map((comment) => `${indent}# ${oneLine(comment)}`)
  if (line !== undefined && (node.kind === 'value' || line.length <= width)) return [...above, line]
  if (node.kind === 'value') return [...above, head]
  const inner = `${indent}  `
  if (node.kind === 'map') return [...above, head, ...node.entries.flatMap((entry) => entryLines(entry, inner))]
  return [...above, head, ...node.items.flatMap((item) => itemLines(item, inner))]
}

const itemLines = (entries: readonly Entry[], indent: string): readonly string[] => {
  const lines = entries.flatMap((entry) => entryLines(entry, `${indent}  `))
  return lines.map((line, index) => (index === 0 ? `${indent}- ${line.trimStart()}` : line))
}

/** The same entries give the same text. */
export const writeYaml = (entries: readonly Entry[], header: readonly string[]): string =>
  `${[...header.map((line) => `# ${oneLine(line)}`), ...entries.flatMap((entry) => entryLines(entry, ''))].join('\n')}\n`
