import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml'
import type { Json, MaybeJson } from '../../schema/json.ts'
import { asForeign, numberAsWritten } from '../../values/marks/marks.ts'
import { isWrapped } from '../../values/texts/json-in-text.ts'

// The library is imported statically. A check loads it anyway to read its configuration, and a differ that waits for a
// module would make all planning asynchronous.

export interface YamlText {
  readonly value: Json
  readonly comments: string
  /** Texts that another version of YAML would read as another type if they had no quotes. */
  readonly doubtful: { readonly plain: ReadonlySet<string>; readonly quoted: ReadonlySet<string> }
}

/** Characters; a longer text is compared by its lines, because parsing takes about 1 us per character. */
const maxLength = 100_000
/** Deeper nesting is not configuration. */
const maxDepth = 100

/**
 * Every line at the left margin must be a comment, an element, or a key without spaces, which excludes prose and
 * scripts.
 */
const marginLine = /^(?:$|[\s#]|-(?:\s|$)|---\s*$|(?:"[^"]*"|'[^']*'|[^\s"'#&*!|>%@`{}[\],?:-][^\s:(){}]*):(?:\s|$))/

/**
 * The mapping or list in a text of several lines; `undefined` for any other text. Prose and scripts may parse as YAML:
 * a plain text over several lines, or a list of plain texts, counts as prose. Texts with anchors, tags, directives,
 * several documents, or keys that are repeated or not scalars are compared by their lines.
 */
export const yamlInText = (text: string): YamlText | undefined => {
  if (!text.includes('\n', text.search(/\S/)) || text.length > maxLength || isWrapped(text)) return undefined
  if (!text.split(/\r?\n/).every((line) => marginLine.test(line))) return undefined
  const document = parsed(text)
  if (document === undefined || isProse(document, text)) return undefined
  const value = heldBy(document.contents, 0)
  return value === undefined ? undefined : { value, comments: commentsOf(document), doubtful: doubtfulOf(document) }
}

const parsed = (text: string): Document | undefined => {
  try {
    const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent', schema: 'core', uniqueKeys: false })
    const { errors, warnings, contents } = document
    const sound = errors.length + warnings.length === 0
    return sound && isCollection(contents) ? (document as Document) : undefined
  } catch {
    return undefined // The nesting was too deep for the parser.
  }
}

const isProse = (document: Document, text: string): boolean => {
  let mappings = 0
  let folded = false
  visit(document, {
    Map: () => {
      mappings++
    },
    Scalar: (_, { type, range }) => {
      if (type !== 'PLAIN' || !text.slice(range?.[0], range?.[1]).includes('\n')) return undefined
      folded = true
      return visit.BREAK
    },
  })
  return folded || mappings === 0
}

/** `undefined` if the node contains more than plain mappings, lists and scalars. */
const heldBy = (node: unknown, depth: number): MaybeJson => {
  if (node === null) return null
  if (depth > maxDepth || isAlias(node) || !isPlain(node)) return undefined
  if (isScalar(node)) return scalarOf(node)
  if (isSeq(node)) {
    const elements = node.items.map((item) => heldBy(item, depth + 1))
    return elements.every((element) => element !== undefined) ? elements : undefined
  }
  if (!isMap(node)) return undefined
  const members = new Map<string, Json>()
  for (const { key, value } of node.items) {
    const name = isScalar(key) && isPlain(key) ? (key.source ?? String(key.value)) : undefined
    const inner = name === undefined || members.has(name) ? undefined : heldBy(value, depth + 1)
    if (inner === undefined) return undefined
    members.set(name as string, inner)
  }
  return asForeign(Object.fromEntries(members))
}

const isPlain = (node: unknown): boolean =>
  typeof node === 'object' && node !== null && !('anchor' in node && node.anchor) && !('tag' in node && node.tag)

const scalarOf = ({ value, source }: Scalar): MaybeJson => {
  if (typeof value === 'number' || typeof value === 'bigint') return numberAsWritten(source ?? String(value))
  return typeof value === 'string' || typeof value === 'boolean' || value === null ? value : undefined
}

const commentsOf = (document: Document): string => {
  const comments: unknown[] = [document.commentBefore, document.comment]
  visit(document, (_, node) => {
    if (typeof node !== 'object' || node === null || isPair(node)) return
    if ('commentBefore' in node) comments.push(node.commentBefore)
    if ('comment' in node) comments.push(node.comment)
  })
  return comments.filter((comment) => typeof comment === 'string').join('\n')
}

/**
 * Texts that YAML 1.1 (which many readers still use) or even YAML 1.2 reads as another type without quotes: `yes`,
 * `1:30`, `2020-01-01`, `<<`.
 */
const isDoubtful = (text: string): boolean => /^(?:y|n|yes|no|on|off|true|false|null|~|=|<<|[-+.]*\d.*)$/i.test(text)

/**
 * Includes every scalar key, because the name of a member is always a text, but only those values that are texts,
 * because other values differ by their kind.
 */
const doubtfulOf = (document: Document): YamlText['doubtful'] => {
  const plain = new Set<string>()
  const quoted = new Set<string>()
  visit(document, {
    Scalar: (place, { value, source, type }) => {
      const text = typeof value === 'string' || place === 'key' ? source : undefined
      if (text !== undefined && isDoubtful(text)) (type === 'PLAIN' ? plain : quoted).add(text)
    },
  })
  return { plain, quoted }
}

/** Whether both sides have the same spelling wherever it may matter. */
export const isWrittenAlike = (before: YamlText, after: YamlText): boolean =>
  before.comments === after.comments &&
  before.doubtful.plain.isDisjointFrom(after.doubtful.quoted) &&
  after.doubtful.plain.isDisjointFrom(before.doubtful.quoted)
