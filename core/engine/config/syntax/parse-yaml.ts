import {
  type Alias,
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Parser,
  parseAllDocuments,
  Scalar,
  type YAMLError,
  type YAMLMap,
} from 'yaml'
import { present } from '../../values/defined.ts'
import {
  addMember,
  exactNumber,
  type Located,
  locatedList,
  locatedMap,
  locatedScalar,
  type Member,
  type Mistake,
  maxAliased,
  maxDepth,
  mistaken,
  type Parsed,
  type Walk,
  wellFormedText,
} from './located.ts'
import { say } from './words.ts'

/** An unexpected token after the first syntax error is only its consequence. */
const withoutEchoes = (errors: readonly YAMLError[]): readonly YAMLError[] =>
  errors.filter(({ code }, index) => index === 0 || code !== 'UNEXPECTED_TOKEN')

interface YamlWalk extends Walk {
  readonly anchors: Map<string, Located>
  aliased: number
}

const startOf = (node: Pick<Node, 'range'> | null, or: number): number => node?.range?.[0] ?? or

const fromAlias = (node: Alias, at: number, walk: YamlWalk): Located => {
  const target = walk.anchors.get(node.source)
  if (target === undefined) return mistaken(walk, at, say('noAnchor', node.source))
  const before = walk.aliased
  walk.aliased += target.weight
  if (walk.aliased <= maxAliased) return target
  return before <= maxAliased ? mistaken(walk, at, say('aliases', maxAliased)) : locatedScalar(null, at)
}

const fromScalar = (node: Scalar, at: number, walk: YamlWalk): Located => {
  const value: unknown = node.value
  if (typeof value === 'number') return exactNumber(node.source ?? String(value), value, at, walk)
  if (typeof value === 'string') return wellFormedText(value, at, walk)
  if (value === null || typeof value === 'boolean') return locatedScalar(value, at)
  return mistaken(walk, at, say('notJson'))
}

const keyOf = (key: unknown, at: number, walk: YamlWalk): string | undefined => {
  if (isScalar(key) && ['string', 'number', 'boolean'].includes(typeof key.value)) {
    return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))
  }
  mistaken(walk, at, say('keyNotText'))
  return undefined
}

const isMerge = (pair: Pair): boolean =>
  isScalar(pair.key) && pair.key.value === '<<' && (pair.key.type === undefined || pair.key.type === Scalar.PLAIN)

/**
 * Adds the members of `<<: *one` or `<<: [*one, *two]` that are not written here; the first mapping that has a member
 * wins.
 */
const merge = (members: Map<string, Member>, source: Located, walk: YamlWalk): void => {
  for (const each of source.items ?? [source]) {
    if (each.members === undefined) mistaken(walk, each.at, say('mergedNoMapping'))
    for (const [key, member] of each.members ?? []) if (!members.has(key)) members.set(key, member)
  }
}

const fromMap = (node: YAMLMap, at: number, walk: YamlWalk, depth: number): Located => {
  const members = new Map<string, Member>()
  const merges: Located[] = []
  for (const pair of node.items) {
    const keyAt = startOf(pair.key as Node | null, at)
    const inner = locate(pair.value as Node | null, keyAt, walk, depth + 1)
    const key = isMerge(pair) ? undefined : keyOf(pair.key, keyAt, walk)
    if (isMerge(pair)) merges.push(inner)
    else if (key !== undefined) addMember(members, key, { node: inner, keyAt }, walk)
  }
  for (const source of merges) merge(members, source, walk)
  return locatedMap(members, at)
}

const locate = (node: Node | null, or: number, walk: YamlWalk, depth: number): Located => {
  const at = startOf(node, or)
  if (depth > maxDepth) return mistaken(walk, at, say('nesting', maxDepth))
  if (isAlias(node)) return fromAlias(node, at, walk)
  const found = fromNode(node, at, walk, depth)
  // The anchor is registered after its value is complete, so a value cannot contain itself.
  if (node?.anchor !== undefined) walk.anchors.set(node.anchor, found)
  return found
}

const fromNode = (node: Node | null, at: number, walk: YamlWalk, depth: number): Located => {
  if (isMap(node)) return fromMap(node, at, walk, depth)
  if (isScalar(node)) return fromScalar(node, at, walk)
  const items = isSeq(node) ? node.items.map((item) => locate(item as Node | null, at, walk, depth + 1)) : undefined
  return items === undefined ? locatedScalar(null, at) : locatedList(items, at)
}

/**
 * Finds the first value that is nested too deeply. The error of the library has no stable position, because it depends
 * on the stack.
 */
const tooDeepAt = (text: string): number | undefined => {
  const open = [...new Parser().parse(text)].toReversed().map((token) => ({ token, depth: -1 }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next
    if (depth > maxDepth) return token.offset
    open.push(...innerTokens(token).map((inner) => ({ token: inner, depth: depth + 1 })))
  }
  return undefined
}

/** In reverse order, for a stack. */
const innerTokens = (token: CST.Token): readonly CST.Token[] => {
  if (token.type === 'document') return present(token.value)
  const items = 'items' in token ? token.items : []
  return items.flatMap(({ key, value }) => [...present(key ?? undefined), ...present(value)]).toReversed()
}

/** YAML 1.2 (core schema) with anchors, aliases and merge keys. Never throws. */
export const parseYaml = (text: string, lineOf: (offset: number) => number): Parsed => {
  const documents = [...parseAllDocuments(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' })]
  const isExhausted = documents.some(({ errors }) => errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION'))
  const tooDeep = isExhausted ? tooDeepAt(text) : undefined
  if (tooDeep !== undefined) return { mistakes: [{ at: tooDeep, ...say('nesting', maxDepth) }] }
  const mistakes: Mistake[] = documents
    .flatMap((document) => [...withoutEchoes(document.errors), ...document.warnings])
    .map(({ code, pos }) => ({ at: pos[0], ...say('invalidYaml', code) }))
  const [first, second] = documents
  if (second !== undefined) mistakes.push({ at: startOf(second, 0), ...say('secondDocument') })
  if (mistakes.length > 0 || first === undefined || first.contents === null) return { mistakes }
  const walk: YamlWalk = { anchors: new Map(), mistakes, lineOf, aliased: 0 }
  return { root: locate(first.contents as Node, 0, walk, 0), mistakes }
}
