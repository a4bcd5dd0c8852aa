import { present } from '../../../engine/values/defined.ts'
import { intern } from '../../../engine/values/texts/common-ends.ts'
import { parseHeld } from '../read/parse-value.ts'
import type { TofuAction } from '../read/shapes.ts'
import { areEqual, elementsOf, identityOf, isList, isMap, keysOf, kindOf, type Value } from '../read/value.ts'
import { alignLists } from './align.ts'
import type { HiddenKind, TofuLine, TofuMembers, TofuNode, TofuPart, TofuScalar } from './report.ts'
import type { DifferRules } from './rules.ts'
import {
  asCreated,
  asDeleted,
  asUnchanged,
  atIndexes,
  atKey,
  joinAll,
  leadsHere,
  type Sides,
  sidesOf,
} from './side-by-side.ts'

const node = (action: TofuAction, part: TofuPart): TofuNode => ({ action, replace: false, ...part })

const asScalar = (value: Value): TofuScalar => (isList(value) || isMap(value) ? null : value)

/** What makes a node of a place. */
export type DiffPart = (child: Sides) => TofuNode

export interface DiffedMembers {
  readonly action: TofuAction
  readonly members: TofuMembers
}

/** Compares two values by their JSON form, without a type. Nothing below is marked as the reason of a replacement. */
export const diffJson = (sides: Sides): TofuNode =>
  hideSensitive(sides, 'sensitive', diffJson) ?? unknownJson(sides) ?? knownJson(sides)

/** The node of a place where either side is sensitive as a whole. */
export const hideSensitive = (sides: Sides, kind: HiddenKind, diff: DiffPart): TofuNode | undefined => {
  const beforeSensitive = sides.beforeSensitive === true
  const afterSensitive = sides.afterSensitive === true
  if (!beforeSensitive && !afterSensitive) return undefined
  const inner = diff({ ...sides, beforeSensitive: null, afterSensitive: null })
  const nothing = sides.before === null && sides.after === null && !sides.beforeExplicit && !sides.afterExplicit
  const flips = inner.action === 'no-op' && beforeSensitive !== afterSensitive && !nothing
  const part: TofuPart = { kind, innerAction: inner.action, beforeSensitive, afterSensitive }
  return { action: flips ? 'update' : inner.action, replace: inner.replace, ...part }
}

const unknownJson = (sides: Sides): TofuNode | undefined => {
  if (sides.unknown !== true) return undefined
  if (sides.before === null) return node('create', { kind: 'unknown' })
  return node('update', { kind: 'unknown', before: diffJson(asDeleted(sides)) })
}

const knownJson = (sides: Sides): TofuNode => {
  const before = kindOf(sides.before)
  const after = kindOf(sides.after)
  const created = before === 'null' && !sides.beforeExplicit
  const deleted = after === 'null' && !sides.afterExplicit
  if (before === after || created || deleted) return diffAs(sides, before === 'null' ? after : before)
  return node('update', {
    kind: 'type-change',
    before: diffAs(asDeleted(sides), before),
    after: diffAs(asCreated(sides), after),
  })
}

const diffAs = (sides: Sides, kind: ReturnType<typeof kindOf>): TofuNode => {
  if (kind === 'object') return diffObject(sides)
  if (kind === 'array') return diffArray(sides)
  const action = jsonAction(sides)
  return node(action, scalarPart(sides, action))
}

/** Unlike that of a typed value: equal values are equal, however they came here. */
const jsonAction = ({ before, after, beforeExplicit, afterExplicit }: Sides): TofuAction => {
  const wasThere = before !== null || beforeExplicit
  const isThere = after !== null || afterExplicit
  if (wasThere !== isThere) return presence(wasThere, isThere)
  return areEqual(before, after) ? 'no-op' : 'update'
}

const presence = (before: boolean, after: boolean): TofuAction => {
  if (before === after) return 'no-op'
  return before ? 'delete' : 'create'
}

/** All members that any part of the plan names. */
export const allKeys = ({ before, after, unknown, beforeSensitive, afterSensitive }: Sides): string[] =>
  keysOf([before, after, unknown, beforeSensitive, afterSensitive])

export const valueKeys = ({ before, after }: Sides): string[] => keysOf([before, after])

/** A place that no relevant path leads to counts as unchanged. */
export const whereRelevant = (sides: Sides): Sides => (leadsHere(sides.relevant) ? sides : asUnchanged(sides))

/** The parts of a map by key, with the action of the whole. */
export const diffKeys = (sides: Sides, keys: readonly string[], diff: DiffPart): DiffedMembers => {
  const members = keys.map((key) => [key, diff(whereRelevant(atKey(sides, key)))] as const)
  const action = presence(isMap(sides.before), isMap(sides.after))
  return {
    action: joinAll(
      action,
      members.map(([, child]) => child),
    ),
    members,
  }
}

const diffObject = (sides: Sides): TofuNode => {
  const { action, members } = diffKeys(sides, allKeys(sides), diffJson)
  return node(action, { kind: 'object', nested: false, members })
}

const shareLine = (a: string, b: string): boolean => {
  const lines = new Set(a.split('\n'))
  return b.split('\n').some((line) => lines.has(line))
}

/** Texts of several lines with a common line count as one text that changed. */
export const areLikeTexts = (a: Value | undefined, b: Value | undefined): boolean =>
  typeof a === 'string' && typeof b === 'string' && (a.includes('\n') || b.includes('\n')) && shareLine(a, b)

/** The elements of a list in the order of the page, with the action of the whole. */
export const diffElements = (sides: Sides, inPlace: typeof areLikeTexts, diff: DiffPart) => {
  const before = elementsOf(sides.before)
  const after = elementsOf(sides.after)
  const [left, right] = intern(before.map(identityOf), after.map(identityOf))
  const elements = alignLists(left, right, {
    ...sides.rules,
    inPlace: (i, j) => inPlace(before[i], after[j]),
  }).map(([i, j]) => diff(atIndexes(sides, i, j)))
  const action = presence(isList(sides.before), isList(sides.after))
  return { action: joinAll(action, elements), elements }
}

const diffArray = (sides: Sides): TofuNode => {
  const alike: typeof areLikeTexts = (a, b) => areLikeTexts(a, b) || (isMap(a) && isMap(b))
  const { action, elements } = diffElements(sides, alike, diffJson)
  return node(action, { kind: 'list', nested: false, elements })
}

/** A value without parts, with its action; a text may contain JSON. */
export const scalarPart = (sides: Pick<Sides, 'before' | 'after' | 'rules'>, action: TofuAction): TofuPart => {
  const { rules } = sides
  const before = asScalar(sides.before)
  const after = asScalar(sides.after)
  if (action === 'update') return changedText(before, after, rules) ?? { kind: 'scalar', before, after }
  const whole = action === 'delete' ? before : after
  return (typeof whole === 'string' ? wholeText(whole, action, rules) : undefined) ?? { kind: 'scalar', before, after }
}

/** The object or array that a text holds or, for OpenTofu, starts with. */
const heldBy = (text: string, { jsonEndsText }: DifferRules): Value | undefined =>
  /^[[{]/.test(text) ? parseHeld(text, !jsonEndsText) : undefined

const jsonPart = (before: Value, after: Value, action: TofuAction, rules: DifferRules): TofuPart => {
  const inner = diffJson(
    sidesOf({ before, after, beforeExplicit: action !== 'create', afterExplicit: action !== 'delete', rules }),
  )
  return { kind: 'json', inner, spaceOnly: inner.action === 'no-op' && action === 'update' }
}

const linesOf = (text: string): readonly string[] => trimSpace(text).split('\n')

/** The characters that Go counts as space at the ends of a text; JavaScript counts others. */
const space = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'
const spaceAtStart = new RegExp(`^${space}+`)
const isSpace = new RegExp(space)

const trimSpace = (text: string): string => {
  let end = text.length
  while (end > 0 && isSpace.test(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end).replace(spaceAtStart, '')
}

const wholeText = (text: string, action: TofuAction, rules: DifferRules): TofuPart | undefined => {
  const held = heldBy(text, rules)
  if (held !== undefined) {
    return jsonPart(action === 'create' ? null : held, action === 'delete' ? null : held, action, rules)
  }
  if (!text.includes('\n')) return undefined
  return { kind: 'lines', lines: linesOf(text).map((line) => ({ action: 'no-op', text: line })) }
}

const changedText = (before: TofuScalar, after: TofuScalar, rules: DifferRules): TofuPart | undefined => {
  const texts = [before, after].filter((side) => typeof side === 'string')
  if (texts.length === 0 || [before, after].some((side) => side !== null && typeof side !== 'string')) return undefined
  const was = typeof before === 'string' ? heldBy(before, rules) : undefined
  const is = typeof after === 'string' ? heldBy(after, rules) : undefined
  if (was !== undefined && is !== undefined) return jsonPart(was, is, 'update', rules)
  if (was !== undefined || is !== undefined) {
    return {
      kind: 'type-change',
      before: node('delete', scalarPart({ before, after: null, rules }, 'delete')),
      after: node('create', scalarPart({ before: null, after, rules }, 'create')),
    }
  }
  return texts.some((text) => text.includes('\n')) ? changedLines(before, after, rules) : undefined
}

const changedLines = (before: TofuScalar, after: TofuScalar, rules: DifferRules): TofuPart => {
  // A side without value is a line of its own.
  const [left, right] = [before, after].map((side) =>
    typeof side === 'string' ? (side.includes('\n') ? linesOf(side) : [side]) : ['null'],
  )
  const was = left ?? []
  const is = right ?? []
  const lines = alignLists(...intern(was, is), { ...rules, inPlace: () => false }).flatMap(([i, j]): TofuLine[] => {
    const gone = was[i]
    const come = is[j]
    if (gone === come) return [{ action: 'no-op', text: gone ?? '' }]
    return present(
      gone !== undefined && { action: 'delete', text: gone },
      come !== undefined && { action: 'create', text: come },
    )
  })
  return { kind: 'lines', lines }
}
