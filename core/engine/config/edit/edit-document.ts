import { isArray, isObject, type Json, type JsonList, type JsonObject, type Path } from '../../schema/json.ts'
import { parseDocument } from '../syntax/parse-document.ts'
import { type EditDraft, spliced } from './draft.ts'
import { changeBlock, replaceInBlock } from './edit-block.ts'
import { changeFlow, type Insertion } from './edit-flow.ts'
import { jsonTree } from './json-tree.ts'
import { isEqualJson, type Match, matchElements } from './match-elements.ts'
import { styleOf } from './style-of.ts'
import {
  type CollectionNode,
  entryAt,
  type MapEntry,
  membersOf,
  type SyntaxTree,
  valueIn,
  written,
} from './syntax-tree.ts'
import { flowText, memberText } from './write-value.ts'
import { yamlTree } from './yaml-tree.ts'

/** A new value for the path of a written value. Values have the written form: a reference is a text. */
export interface Edit {
  readonly path: Path
  readonly value: Json
}

/**
 * For each element of a new list the index of the old element that it was. A list without an entry is matched by
 * comparing.
 */
export type Origins = Pick<WeakMap<object, readonly (number | undefined)[]>, 'get'>

/** `lost`: the text cannot be changed to exactly this value, for example because an anchor would be lost. */
export type Edited = { readonly text: string } | { readonly problem: 'notWritten' | 'lost' }

const byteOrderMark = '\uFEFF'

const eolOf = (text: string): string => /\r?\n/.exec(text)?.[0] ?? '\n'

const lastEnd = (text: string): string => (text.endsWith('\n') ? '' : eolOf(text))

/** Adds a missing last line end. `undefined` if the text has problems or no value. */
const parseTree = (file: string, text: string): SyntaxTree | undefined => {
  const isJson = file.endsWith('.json') || file.endsWith('.jsonc')
  const whole = text + lastEnd(text)
  const root = isJson ? jsonTree(whole) : yamlTree(whole)
  const { value, issues } = parseDocument(file, text)
  if (root === undefined || issues.length > 0 || !isEqualJson(value, valueIn(root))) return undefined
  return { text: whole, root, isJson }
}

/**
 * Changes the values at some paths of a text. The lines of all other values, all comments and all spelling stay. The
 * result is parsed again to verify that it has these values and otherwise the values of before, except where an alias
 * repeats a changed value.
 */
export const editDocument = (
  file: string,
  text: string,
  edits: readonly Edit[],
  origins: Origins = new WeakMap(),
): Edited => {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : ''
  const tree = parseTree(file, text.slice(mark.length))
  if (tree === undefined) return { problem: 'lost' }
  for (const isSafe of [false, true]) {
    const draft: EditDraft = { tree, style: styleOf(tree, isSafe), splices: [], changed: new Map(), origins }
    for (const { path, value } of edits) {
      const entry = entryAt(tree.root, path)
      if (entry === undefined) return { problem: 'notWritten' }
      if (!edit(draft, entry, value)) return { problem: 'lost' }
    }
    const whole = spliced(tree.text, draft.splices)
    if (whole === undefined) continue
    const open = lastEnd(text)
    const next = whole.endsWith(open) ? whole.slice(0, whole.length - open.length) : whole
    const { value, issues } = parseDocument(file, next)
    if (issues.length === 0 && isEqualJson(value, valueIn(tree.root, draft.changed))) return { text: mark + next }
  }
  return { problem: 'lost' }
}

/**
 * False if no text gives the value, because a member that comes from an alias or a merge key would have to be missing.
 */
const edit = (draft: EditDraft, place: MapEntry, value: Json): boolean => {
  const entry = written(place)
  const known = draft.changed.get(entry)
  if (known !== undefined) return isEqualJson(known, value)
  if (isEqualJson(valueIn(entry), value)) return true
  draft.changed.set(entry, value)
  const { node } = entry
  if (node.kind === 'map' && isObject(value) && Object.keys(value).length > 0 && node.style !== 'bare')
    return editMembers(draft, entry, node, value)
  if (node.kind === 'list' && isArray(value) && value.length > 0) return editElements(draft, entry, node, value)
  return replace(draft, entry, value)
}

const replace = (draft: EditDraft, entry: MapEntry, value: Json): boolean => {
  const { node, head, isFlow, lacksColon } = entry
  if (!isFlow) {
    if (entry === draft.tree.root) return false
    draft.splices.push(...replaceInBlock(draft, entry, value))
    return true
  }
  const like = node.kind === 'scalar' ? (node.style ?? 'plain') : undefined
  const text = flowText(value, draft.style, like)
  const isMissing = node.kind === 'scalar' && node.style === undefined
  if (!isMissing) draft.splices.push({ start: node.start, end: node.end, text })
  else draft.splices.push({ start: head, end: head, text: `${lacksColon ? ':' : ''} ${text}` })
  return true
}

const change = (
  draft: EditDraft,
  node: CollectionNode,
  removed: ReadonlySet<MapEntry>,
  inserted: readonly Insertion[],
) => {
  if (removed.size + inserted.length === 0) return
  const changes = { removed, inserted }
  draft.splices.push(...(node.style === 'block' ? changeBlock(draft, node, changes) : changeFlow(draft, node, changes)))
}

const editMembers = (draft: EditDraft, entry: MapEntry, node: CollectionNode, value: JsonObject): boolean => {
  const members = membersOf(node)
  const own = new Set(node.entries)
  const removed = new Set<MapEntry>()
  for (const [key, member] of members) {
    const wanted = Object.hasOwn(value, key) ? value[key] : undefined
    if (wanted === undefined && !own.has(member)) return false
    if (wanted === undefined) removed.add(member)
    else if (!edit(draft, member, wanted)) return false
  }
  const inserted = Object.entries(value)
    .filter(([key]) => !members.has(key))
    .map(([key, inner]): Insertion => ({ at: node.entries.length, key, value: inner }))
  if (isOutside(draft, entry, node, inserted.length)) return replace(draft, entry, value)
  const isWhole = removed.size > 0 && removed.size === node.entries.length
  if (isWhole && node.merged.length === 0) return replace(draft, entry, value)
  if (isWhole && node.style !== 'block') return false
  change(draft, node, ...swapped(draft, node, removed, inserted))
  return true
}

/** `{}` and `[]` become a block if they are not inside brackets. */
const isOutside = (
  { style }: EditDraft,
  { isFlow }: MapEntry,
  { entries, merged, style: own }: CollectionNode,
  added: number,
) => !isFlow && own === 'flow' && entries.length + merged.length === 0 && added > 0 && !style.isJson

/** In a mapping in brackets a new member takes the place of a removed one, so that the commas stay. */
const swapped = (
  draft: EditDraft,
  node: CollectionNode,
  removed: ReadonlySet<MapEntry>,
  inserted: readonly Insertion[],
): readonly [ReadonlySet<MapEntry>, readonly Insertion[]] => {
  if (node.style === 'block' || node.kind === 'list') return [removed, inserted]
  const count = Math.min(removed.size, inserted.length)
  const gone = [...removed]
  for (const [place, entry] of gone.slice(0, count).entries()) {
    const { key = '', value = null } = inserted[place] ?? {}
    const text = memberText(key, value, draft.style)
    const end = Math.max(entry.head, entry.node.end)
    draft.splices.push({ start: entry.start, end, text })
  }
  return [new Set(gone.slice(count)), inserted.slice(count)]
}

/** `undefined` if the known places are not in ascending order. */
const knownMatches = (length: number, places: readonly (number | undefined)[]): readonly Match[] | undefined => {
  const matches: Match[] = []
  let next = 0
  for (const [after, before] of places.entries()) {
    if (before !== undefined && before < next) return undefined
    for (; before !== undefined && next < before; next++) matches.push({ before: next })
    matches.push(before === undefined ? { after } : { before, after })
    next = before === undefined ? next : before + 1
  }
  for (; next < length; next++) matches.push({ before: next })
  return matches
}

/**
 * Orders the changes between two elements that stay. In brackets a new element takes the place of a removed one, so
 * that the commas stay; in a block new elements come first.
 */
const inGaps = (matches: readonly Match[], style: CollectionNode['style']): readonly Match[] => {
  const ordered: Match[] = []
  let gone: Match[] = []
  let added: Match[] = []
  const close = (): void => {
    const count = style === 'block' ? 0 : Math.min(gone.length, added.length)
    for (let place = 0; place < count; place++) ordered.push({ ...gone[place], ...added[place] })
    ordered.push(...added.slice(count), ...gone.slice(count))
    gone = []
    added = []
  }
  for (const match of matches) {
    if (match.after === undefined) gone.push(match)
    else if (match.before === undefined) added.push(match)
    else {
      close()
      ordered.push(match)
    }
  }
  close()
  return ordered
}

const editElements = (draft: EditDraft, entry: MapEntry, node: CollectionNode, value: JsonList): boolean => {
  const { entries } = node
  const places = draft.origins.get(value)
  const matches =
    (places && knownMatches(entries.length, places)) ??
    matchElements(
      entries.map((each) => valueIn(each)),
      value,
    )
  const removed = new Set<MapEntry>()
  const inserted: Insertion[] = []
  let at = 0
  for (const { before, after } of inGaps(matches, node.style)) {
    const element = before === undefined ? undefined : entries[before]
    const wanted = after === undefined ? undefined : value[after]
    if (element === undefined) inserted.push({ at, value: wanted ?? null })
    else if (after === undefined) removed.add(element)
    else if (!edit(draft, element, wanted ?? null)) return false
    if (element !== undefined) at += 1
  }
  const isWhole = removed.size > 0 && removed.size === entries.length
  if (isOutside(draft, entry, node, inserted.length) || isWhole) return replace(draft, entry, value)
  change(draft, node, removed, inserted)
  return true
}
