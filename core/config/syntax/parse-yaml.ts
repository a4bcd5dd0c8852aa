import type { Alias, Document, Node, Pair, YAMLError, YAMLMap } from 'yaml'
import { isAlias, isMap, isScalar, isSeq, parseAllDocuments, Scalar } from 'yaml'
import type { Located, Member, Parsed, Problem } from './located.ts'
import {
  addMember,
  exactNumber,
  locatedList,
  locatedMap,
  locatedScalar,
  maxAliased,
  maxDepth,
  tooDeep,
  wellFormedText,
} from './located.ts'

/** What the library calls each mistake. Its own messages may quote the text, which can hold a secret. */
const mistakes: Readonly<Record<string, readonly [message: string, fix: string]>> = {
  TAB_AS_INDENT: ['a tab in the indentation', 'indent with spaces'],
  BAD_INDENT: ['the indentation does not fit', 'align it with its neighbours, or close the bracket before it'],
  BLOCK_AS_IMPLICIT_KEY: [
    'a second ": " or a nested block where one value belongs',
    'put the value in quotes, or on a line of its own',
  ],
  BLOCK_IN_FLOW: ['a block inside { } or [ ]', 'close the bracket first, or write everything inside it in { } form'],
  MISSING_CHAR: ['a character is missing here', 'close the quote or bracket, or put a space after ":", "-" or ","'],
  MULTILINE_IMPLICIT_KEY: ['a key over several lines', 'put a ":" after the key, and the key on one line'],
  UNEXPECTED_TOKEN: [
    'something that does not belong here',
    'look at the line before; put text with special characters in quotes',
  ],
  BAD_DQ_ESCAPE: ['an unknown escape after "\\"', 'write "\\\\" for a backslash, or use single quotes'],
  BAD_SCALAR_START: ['a value cannot start with this character', 'put the value in quotes'],
  TAG_RESOLVE_FAILED: ['a tag (!...) that is not known here', 'remove the tag'],
  BAD_ALIAS: ['an alias that cannot be used', 'name an anchor (&name) that stands before it'],
  BAD_DIRECTIVE: ['a directive (%...) that is not known', 'remove the line'],
  RESOURCE_EXHAUSTION: ['the nesting is too deep', 'write it flatter'],
}

const ofError = (error: YAMLError): Problem => {
  const [message, fix] = mistakes[error.code] ?? ['this is not valid YAML', 'look at this line and the one before it']
  return { at: error.pos[0], message, fix }
}

/** After the first mistake the parser has lost its place: that what follows is unexpected tells nothing. */
const withoutEchoes = (errors: readonly YAMLError[]): readonly YAMLError[] =>
  errors.filter(({ code }, index) => index === 0 || code !== 'UNEXPECTED_TOKEN')

interface Walk {
  readonly anchors: Map<string, Located>
  readonly problems: Problem[]
  readonly lineOf: (offset: number) => number
  aliased: number
}

const startOf = (
  node: { readonly range?: readonly number[] | null | undefined } | null | undefined,
  or: number,
): number => node?.range?.[0] ?? or

const fromAlias = (node: Alias, at: number, walk: Walk): Located => {
  const target = walk.anchors.get(node.source)
  if (target === undefined) {
    walk.problems.push({
      at,
      message: `the alias *${node.source} has no anchor before it`,
      fix: `write &${node.source} before the value that it repeats, outside that value`,
    })
    return locatedScalar(null, at)
  }
  const before = walk.aliased
  walk.aliased += target.weight
  if (walk.aliased <= maxAliased) return target
  if (before <= maxAliased) {
    walk.problems.push({
      at,
      message: `the aliases expand to more than ${maxAliased} values`,
      fix: 'write out less by aliases of aliases',
    })
  }
  return locatedScalar(null, at)
}

const fromScalar = (node: Scalar, at: number, walk: Walk): Located => {
  const value: unknown = node.value
  if (typeof value === 'number') return exactNumber(value, at, walk.problems)
  if (typeof value === 'string') return wellFormedText(value, at, walk.problems)
  if (value === null || typeof value === 'boolean') return locatedScalar(value, at)
  walk.problems.push({ at, message: 'a value that JSON does not have', fix: 'put it in quotes, or remove its tag' })
  return locatedScalar(null, at)
}

const keyOf = (key: unknown, at: number, walk: Walk): string | undefined => {
  if (isScalar(key) && ['string', 'number', 'boolean'].includes(typeof key.value)) {
    return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))
  }
  walk.problems.push({ at, message: 'a key that is not text', fix: 'write the key as text, in quotes if need be' })
  return undefined
}

const isMerge = (pair: Pair): boolean =>
  isScalar(pair.key) && pair.key.value === '<<' && (pair.key.type === undefined || pair.key.type === Scalar.PLAIN)

/** `<<: *one` or `<<: [*one, *two]`: what is not written here comes from there, the first that has it wins. */
const merge = (members: Map<string, Member>, source: Located, walk: Walk): void => {
  for (const each of source.items ?? [source]) {
    if (each.members === undefined) {
      walk.problems.push({ at: each.at, message: '"<<" merges mappings only', fix: 'give it an alias of a mapping' })
    }
    for (const [key, member] of each.members ?? []) if (!members.has(key)) members.set(key, member)
  }
}

const fromMap = (node: YAMLMap, at: number, walk: Walk, depth: number): Located => {
  const members = new Map<string, Member>()
  const merges: Located[] = []
  for (const pair of node.items) {
    const keyAt = startOf(pair.key as Node | null, at)
    const inner = locate(pair.value as Node | null, keyAt, walk, depth + 1)
    const key = isMerge(pair) ? undefined : keyOf(pair.key, keyAt, walk)
    if (isMerge(pair)) merges.push(inner)
    else if (key !== undefined) addMember(members, key, { node: inner, keyAt }, walk.problems, walk.lineOf)
  }
  for (const source of merges) merge(members, source, walk)
  return locatedMap(members, at)
}

const locate = (node: Node | null, or: number, walk: Walk, depth: number): Located => {
  const at = startOf(node, or)
  if (depth > maxDepth) {
    walk.problems.push(tooDeep(at))
    return locatedScalar(null, at)
  }
  if (isAlias(node)) return fromAlias(node, at, walk)
  const found = isMap(node)
    ? fromMap(node, at, walk, depth)
    : isSeq(node)
      ? locatedList(
          node.items.map((item) => locate(item as Node | null, at, walk, depth + 1)),
          at,
        )
      : isScalar(node)
        ? fromScalar(node, at, walk)
        : locatedScalar(null, at)
  // Registered when it is complete: an anchor cannot hold itself.
  if (node?.anchor !== undefined) walk.anchors.set(node.anchor, found)
  return found
}

const severalDocuments = (documents: readonly Document[]): Problem[] => {
  const second = documents[1]
  return second === undefined
    ? []
    : [
        {
          at: startOf(second, 0),
          message: 'a second document starts here',
          fix: 'keep one document a file: remove the "---"',
        },
      ]
}

/** YAML 1.2 (core schema) with anchors, aliases and merge keys. Never throws. */
export const parseYaml = (text: string, lineOf: (offset: number) => number): Parsed => {
  const documents = [...parseAllDocuments(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' })]
  const mistaken = documents.flatMap((document) =>
    [...withoutEchoes(document.errors), ...document.warnings].map(ofError),
  )
  const problems = [...mistaken, ...severalDocuments(documents)]
  const first = documents[0]
  if (problems.length > 0 || first === undefined || first.contents === null) return { problems }
  const walk: Walk = { anchors: new Map(), problems, lineOf, aliased: 0 }
  const root = locate(first.contents as Node, 0, walk, 0)
  return { root, problems }
}
