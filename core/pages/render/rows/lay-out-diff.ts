import type { Diff, JsonTextDiff, ListDiff, ObjectDiff, SetDiff } from '../../../engine/schema/diff.ts'
import { isObject, type Json, type Path, type Step } from '../../../engine/schema/json.ts'
import type { Cause } from '../../../engine/schema/stored/plan.ts'
import { isMark } from '../../../engine/schema/value.ts'
import { defined, present } from '../../../engine/values/defined.ts'
import { jsonInText } from '../../../engine/values/texts/json-in-text.ts'
import { columns, cutMiddle } from '../characters/measure.ts'
import { quoted, visible } from '../characters/visible.ts'
import { foldLater, foldMembers, foldRun, foldSet } from './fold-rows.ts'
import { hasLines, inlineColumns, linesRow, quotedParts, textRows } from './lay-out-lines.ts'
import type { Row } from './row.ts'
import { laterWords, showValue } from './show-value.ts'
import { isOpen, sideOf } from './sides-of-diff.ts'

/** Annotations of a diff: why a path differs, and words about a path, for example `write-only`. */
export interface Annotations {
  readonly causesAt: (path: Path) => readonly Cause[]
  readonly notesAt: (path: Path) => readonly string[]
  /** Where a value comes from that is known only after apply, for example `aws_vpc.main.id`. Not yet safe to print. */
  readonly sourcesAt?: (path: Path) => readonly string[]
  /** There is no comparison, so nothing is folded. */
  readonly whole?: true
}

/** No annotations. */
export const noAnnotations: Annotations = { causesAt: () => [], notesAt: () => [] }

/** The rows of a resource: its members, or the one row of whatever else it is. */
export const layOutDiff = (diff: Diff, annotations: Annotations): readonly Row[] => {
  const whole = membersOfValue(diff)
  if ((whole.kind === 'object' || whole.kind === 'map') && isOpen(whole)) return memberRows(whole, [], annotations)
  return isShown(whole, annotations) ? [rowOf(whole, '', [], annotations)] : []
}

/** A resource that is created, deleted or unchanged as a whole is shown by its members too. */
const membersOfValue = (diff: Diff): Diff => {
  if (diff.kind !== 'value' || diff.action === 'update' || !isOpen(diff)) return diff
  const { action } = diff
  const value = diff.after ?? diff.before
  if (!isObject(value) || isMark(value)) return diff
  const side = action === 'create' ? 'after' : 'before'
  const members = Object.entries(value).map(([name, inner]): [string, Diff] => [
    name,
    { kind: 'value', action, [side]: inner },
  ])
  return { ...diff, kind: 'object', members: Object.fromEntries(members) }
}

/** One row under a name of its own: an output. */
export const layOutNamed = (name: string, diff: Diff, annotations: Annotations): Row =>
  rowOf(diff, visible(name), [], annotations)

const isShown = (diff: Diff, annotations: Annotations): boolean => annotations.whole === true || isReported(diff)

/** Also a part that does not differ and forces the replacement, however deep it lies. */
const isReported = (diff: Diff): boolean =>
  diff.action !== 'same' || diff.unknown === true || diff.forcesReplacement === true || partsOf(diff).some(isReported)

const partsOf = (diff: Diff): readonly Diff[] => {
  if ('members' in diff) return Object.values(diff.members)
  if ('elements' in diff) return diff.elements.map((element) => element.diff)
  return 'inner' in diff ? [diff.inner] : []
}

const rowOf = (diff: Diff, label: string, path: Path, annotations: Annotations): Row => {
  const causes = annotations.causesAt(path)
  const inline = diff.kind !== 'value' && isInline(diff)
  const notes = present(
    diff.secrecy && secrecyWords[diff.secrecy],
    ...annotations.notesAt(path),
    (diff.forcesReplacement === true || (inline && holdsForced(diff))) && 'forces replacement',
  )
  const row = { kind: 'attribute' as const, action: diff.action, label, notes, causes, rows: [] }
  if (diff.writeOnly) return { ...row, after: '(write-only)' }
  if (diff.sensitive) return { ...row, after: '(sensitive)' }
  if (diff.unknown) return valueRow(diff, row, annotations, annotations.sourcesAt?.(path))
  if (diff.kind === 'value' || inline) {
    const parsed = wholeJson(diff)
    return parsed === undefined
      ? valueRow(diff, row, annotations)
      : jsonRow(parsed, { ...row, causes: [] }, path, annotations)
  }
  if (diff.kind === 'text') return textRows(diff, row, annotations.whole)
  // The rows below tell why they differ.
  const parent = { ...row, causes: [] }
  if ('inner' in diff) return jsonRow(diff, parent, path, annotations)
  return { ...parent, rows: innerRows(diff, path, annotations) }
}

const secrecyWords = { gained: 'becomes sensitive', lost: 'the new value is not sensitive' } as const

const holdsForced = (diff: Diff): boolean => diff.forcesReplacement === true || partsOf(diff).some(holdsForced)

const innerRows = (diff: ObjectDiff | ListDiff | SetDiff, path: Path, annotations: Annotations): readonly Row[] => {
  if ('members' in diff) return memberRows(diff, path, annotations)
  return diff.kind === 'set' ? setRows(diff, path, annotations) : listRows(diff, path, annotations)
}

/** What comes, goes or stays as a whole, and is small. */
const isInline = (diff: Diff): boolean => {
  if (diff.action === 'update' || diff.kind === 'text' || 'inner' in diff) return false
  if (diff.action === 'same' && partsOf(diff).some(isReported)) return false
  const value = sideOf(diff, diff.action === 'delete' ? 'before' : 'after')
  return value === undefined || columns(showValue(value)) <= inlineColumns
}

const memberRows = (diff: ObjectDiff, path: Path, annotations: Annotations): readonly Row[] => {
  const members = Object.entries(diff.members)
  const shown = members.filter(([, inner]) => isShown(inner, annotations))
  const later = shown.filter(([member, inner]) => isPlainlyLater(inner, [...path, member], annotations))
  const apart = later.length > 1 ? later.map(([member]) => member) : []
  const isApart = new Set(apart)
  const rows = shown
    .filter(([member]) => !isApart.has(member))
    .map(([member, inner]) =>
      rowOf(inner, diff.kind === 'map' ? keyLabel(member) : visible(member), [...path, member], annotations),
    )
  const noun = diff.kind === 'map' ? 'entry' : 'attribute'
  return [...rows, ...foldLater(apart, noun), ...foldMembers(members.length - shown.length, noun)]
}

/** A value that is made with the object: only its existence is known. */
const isPlainlyLater = (diff: Diff, path: Path, annotations: Annotations): boolean => {
  const { unknown, action, forcesReplacement, sensitive, writeOnly } = diff
  if (!unknown || action !== 'create' || forcesReplacement || sensitive || writeOnly) return false
  const said = [...annotations.notesAt(path), ...annotations.causesAt(path), ...(annotations.sourcesAt?.(path) ?? [])]
  return said.length === 0 && showSide(sideOf(diff, 'after')) === laterWords([])
}

const keyLabel = (key: string): string => (/^[\w.-]+$/.test(key) ? key : quoted(key))

const widestName = 60

/** What tells an element from its neighbours. What comes or goes in one line shows that by itself. */
const named = (label: string | undefined): string | undefined =>
  label === undefined ? undefined : cutMiddle(visible(label), widestName)

const likened = 'similar elements, shown as one change'

const setRows = (diff: SetDiff, path: Path, annotations: Annotations): readonly Row[] => {
  const rows: Row[] = []
  const hidden: (string | undefined)[] = []
  diff.elements.forEach(({ key, label, likened: isLikened, diff: inner }, position) => {
    const name = key === undefined ? named(label) : visible(key)
    if (!isShown(inner, annotations)) {
      hidden.push(name)
      return
    }
    const step: Step = key ?? position
    const row = rowOf(inner, key === undefined && isInline(inner) ? '' : (name ?? ''), [...path, step], annotations)
    rows.push({
      ...row,
      label: row.label === '' && (row.before ?? row.after) === undefined ? '(element)' : row.label,
      notes: isLikened ? [likened, ...row.notes] : row.notes,
    })
  })
  return [...rows, ...foldSet(hidden)]
}

/** Unchanged elements are counted where they stand, so that the place of a change can be shownAfter. */
const listRows = (diff: ListDiff, path: Path, annotations: Annotations): readonly Row[] => {
  const [only] = diff.elements
  // A block that there is only one of needs no index.
  if (diff.syntax === 'block' && diff.elements.length === 1 && only !== undefined && isKept(only.diff)) {
    return memberRows(only.diff, [...path, only.after ?? 0], annotations)
  }
  const rows: Row[] = []
  let hidden: string[] = []
  diff.elements.forEach(({ before, after, label, diff: inner }, position) => {
    const step = after ?? before ?? position
    const place = `[${step}]`
    const full = label === undefined ? place : `${place} ${named(label)}`
    if (!isShown(inner, annotations)) {
      hidden.push(full)
      return
    }
    rows.push(...foldRun(hidden), rowOf(inner, isInline(inner) ? place : full, [...path, step], annotations))
    hidden = []
  })
  return [...rows, ...foldRun(hidden)]
}

const isKept = (diff: Diff): diff is ObjectDiff =>
  'members' in diff && isOpen(diff) && (diff.action === 'update' || diff.action === 'same') && !diff.forcesReplacement

/** A JSON text that comes or goes as a whole, by its members, as one that changes. */
const wholeJson = (diff: Diff): JsonTextDiff | undefined => {
  if (diff.kind !== 'value' || (diff.action !== 'create' && diff.action !== 'delete')) return undefined
  const side = diff.action === 'create' ? 'after' : 'before'
  const text = diff[side]
  const value = typeof text === 'string' ? jsonInText(text) : undefined
  return value === undefined || Object.keys(value ?? {}).length === 0
    ? undefined
    : {
        kind: 'json',
        action: diff.action,
        inner: membersOfValue({ kind: 'value', action: diff.action, [side]: value }),
      }
}

const jsonRow = (diff: JsonTextDiff, row: Row, path: Path, annotations: Annotations): Row => {
  const language = diff.kind === 'json' ? 'JSON' : 'YAML'
  return isShown(diff.inner, annotations)
    ? { ...row, notes: [`${language} text`, ...row.notes], rows: layOutInner(diff.inner, path, annotations) }
    : { ...row, notes: [`only the spelling of the ${language} text changes`, ...row.notes] }
}

const layOutInner = (diff: Diff, path: Path, annotations: Annotations): readonly Row[] =>
  ('members' in diff || 'elements' in diff) && isOpen(diff)
    ? innerRows(diff, path, annotations)
    : [rowOf(diff, '', path, annotations)]

const valueRow = (diff: Diff, row: Row, annotations: Annotations, sources: readonly string[] = []): Row => {
  const before = sideOf(diff, 'before')
  const after = sideOf(diff, 'after')
  if (hasLines(before) || hasLines(after)) return linesRow(before, after, row, annotations.whole)
  const shown = { before: showSide(before), after: showSide(after) }
  if (diff.action === 'same') return { ...row, after: shown.after ?? 'null' }
  const shownAfter = shown.after === laterWords([]) ? laterWords(sources) : shown.after
  return {
    ...row,
    ...defined({ before: shown.before, after: shownAfter }),
    ...changedOf(diff, before, after),
  }
}

const changedOf = (diff: Diff, before: Json | undefined, after: Json | undefined): Pick<Row, 'changed'> =>
  diff.kind === 'value' && diff.changed !== undefined && typeof before === 'string' && typeof after === 'string'
    ? { changed: { before: quotedParts(before, diff.changed.before), after: quotedParts(after, diff.changed.after) } }
    : {}

const showSide = (value: Json | undefined): string | undefined => (value === undefined ? undefined : showValue(value))
