import type { Diff, JsonTextDiff, ListDiff, ObjectDiff, SetDiff, TextDiff } from '../schema/diff.ts'
import type { Json, Path, Step } from '../schema/json.ts'
import { isMark } from '../schema/value.ts'
import type { CausesAt } from './causes-by-path.ts'
import { compareLines } from './compare-lines.ts'
import { columns } from './measure.ts'
import type { Row } from './row.ts'
import { textRow } from './row.ts'
import { showValue, showValueLines } from './show-value.ts'
import { sideOf } from './sides-of-diff.ts'
import { quoted, visible } from './visible.ts'
import { count } from './words.ts'

/** What stands beside a diff: why a path differs, and words about a path, `write-only` for example. */
export interface Beside {
  readonly causesAt: CausesAt
  readonly notesAt: (path: Path) => readonly string[]
}

/** Wider values that come or go as a whole are shown one line a member. */
const inlineColumns = 56
const contextLines = 3

/** The rows of a resource: its members, or the one row of whatever else it is. */
export const layOutDiff = (diff: Diff, beside: Beside): readonly Row[] =>
  diff.kind === 'object' || diff.kind === 'map' ? memberRows(diff, [], beside) : [rowOf(diff, '', [], beside)]

const isShown = (diff: Diff): boolean =>
  diff.action !== 'same' || diff.unknown === true || diff.forcesReplacement === true

const rowOf = (diff: Diff, label: string, path: Path, beside: Beside): Row => {
  const causes = beside.causesAt(path)
  const notes = [...beside.notesAt(path), ...(diff.forcesReplacement ? ['forces replacement'] : [])]
  const row = { kind: 'attribute' as const, action: diff.action, label, notes, causes, rows: [] }
  if (diff.sensitive) return { ...row, after: '(sensitive)' }
  if (diff.unknown || diff.kind === 'value' || isInline(diff)) return valueRow(diff, row)
  if (diff.kind === 'text') return textRows(diff, row)
  // The rows below tell why they differ.
  const parent = { ...row, causes: [] }
  if ('inner' in diff) return jsonRow(diff, parent, path, beside)
  return { ...parent, rows: innerRows(diff, path, beside) }
}

const innerRows = (diff: ObjectDiff | ListDiff | SetDiff, path: Path, beside: Beside): readonly Row[] => {
  if ('members' in diff) return memberRows(diff, path, beside)
  return diff.kind === 'set' ? setRows(diff, path, beside) : listRows(diff, path, beside)
}

/** What comes or goes as a whole, and is small. */
const isInline = (diff: Diff): boolean => {
  if (diff.action !== 'create' && diff.action !== 'delete') return false
  if (diff.kind === 'text') return false
  const value = sideOf(diff, diff.action === 'create' ? 'after' : 'before')
  return value === undefined || columns(showValue(value)) <= inlineColumns
}

const memberRows = (diff: ObjectDiff, path: Path, beside: Beside): readonly Row[] => {
  const members = Object.entries(diff.members)
  const shown = members.filter(([, inner]) => isShown(inner))
  const rows = shown.map(([member, inner]) =>
    rowOf(inner, diff.kind === 'map' ? keyLabel(member) : visible(member), [...path, member], beside),
  )
  return [...rows, ...fold(members.length - shown.length, diff.kind === 'map' ? 'entry' : 'attribute')]
}

const keyLabel = (key: string): string => (/^[\w.-]+$/.test(key) ? key : quoted(key))

const setRows = (diff: SetDiff, path: Path, beside: Beside): readonly Row[] => {
  const rows = diff.elements.flatMap(({ key, diff: inner }, position) => {
    const step: Step = key ?? position
    return isShown(inner) ? [rowOf(inner, visible(key ?? ''), [...path, step], beside)] : []
  })
  return [...rows, ...fold(diff.elements.length - rows.length, 'element')]
}

/** Unchanged elements are counted where they stand, so that the place of a change can be told. */
const listRows = (diff: ListDiff, path: Path, beside: Beside): readonly Row[] => {
  const rows: Row[] = []
  let unchanged = 0
  diff.elements.forEach(({ before, after, diff: inner }, position) => {
    if (!isShown(inner)) {
      unchanged += 1
      return
    }
    const step = after ?? before ?? position
    rows.push(...fold(unchanged, 'element'), rowOf(inner, `[${step}]`, [...path, step], beside))
    unchanged = 0
  })
  return [...rows, ...fold(unchanged, 'element')]
}

const fold = (n: number, noun: 'attribute' | 'entry' | 'element'): readonly Row[] =>
  n === 0 ? [] : [textRow('fold', 'same', `(${count(n, `unchanged ${noun}`, `unchanged ${plurals[noun]}`)})`)]

const plurals = { attribute: 'attributes', entry: 'entries', element: 'elements' }

const jsonRow = (diff: JsonTextDiff, row: Row, path: Path, beside: Beside): Row =>
  isShown(diff.inner)
    ? { ...row, notes: ['JSON text', ...row.notes], rows: layOutInner(diff.inner, path, beside) }
    : { ...row, notes: ['only the spelling of the JSON text changes', ...row.notes] }

const layOutInner = (diff: Diff, path: Path, beside: Beside): readonly Row[] =>
  'members' in diff || 'elements' in diff ? innerRows(diff, path, beside) : [rowOf(diff, '', path, beside)]

const valueRow = (diff: Diff, row: Row): Row => {
  const before = sideOf(diff, 'before')
  const after = sideOf(diff, 'after')
  if (hasLines(before) || hasLines(after)) return linesRow(before, after, row)
  if (diff.action === 'same') return { ...row, after: showSide(after) ?? 'null' }
  const texts = { before: showSide(before), after: showSide(after) }
  return {
    ...row,
    ...(texts.before !== undefined && { before: texts.before }),
    ...(texts.after !== undefined && { after: texts.after }),
  }
}

const showSide = (value: Json | undefined): string | undefined =>
  // A reference without a source is the planner's bare "unknown".
  value === undefined ? undefined : showValue(value).replace('(known after apply:  )', '(known after apply)')

const hasLines = (value: Json | undefined): boolean => {
  if (typeof value === 'string') return value.includes('\n')
  return typeof value === 'object' && value !== null && !isMark(value) && columns(showValue(value)) > inlineColumns
}

const textRows = (diff: TextDiff, row: Row): Row => {
  const end = finalNewline(sideOf(diff, 'before'), sideOf(diff, 'after'))
  const last = diff.lines.at(-1)
  // Text that ends in a line feed has an empty last line, which is none to people.
  const spare = last?.text === '' && (last.action === 'same' || diff.action !== 'update' || end !== undefined)
  const rows = foldLines(spare ? diff.lines.slice(0, -1) : diff.lines)
  return { ...row, notes: end === undefined ? row.notes : [end, ...row.notes], rows }
}

const linesRow = (before: Json | undefined, after: Json | undefined, row: Row): Row => {
  const lines = foldLines(compareLines(linesOf(before), linesOf(after)))
  const end = finalNewline(before, after)
  return { ...row, notes: end === undefined ? row.notes : [end, ...row.notes], rows: lines }
}

const linesOf = (value: Json | undefined): readonly string[] => {
  if (value === undefined) return []
  if (typeof value !== 'string') return showValueLines(value, inlineColumns)
  return (value.endsWith('\n') ? value.slice(0, -1) : value).split('\n')
}

/** A difference that no line shows. */
const finalNewline = (before: Json | undefined, after: Json | undefined): string | undefined => {
  if (typeof before !== 'string' || typeof after !== 'string') return undefined
  if (before.endsWith('\n') === after.endsWith('\n')) return undefined
  return after.endsWith('\n') ? 'gains its final newline' : 'loses its final newline'
}

/** Three equal lines on each side of a change are shown, longer runs are counted. */
const foldLines = (lines: TextDiff['lines']): readonly Row[] => {
  const near = nearChange(lines)
  const rows: Row[] = []
  let hidden = 0
  const flush = () => {
    if (hidden > 0) rows.push(textRow('fold', 'same', `(${count(hidden, 'equal line')})`))
    hidden = 0
  }
  lines.forEach((line, position) => {
    if (near[position] === true) {
      flush()
      rows.push(textRow('line', line.action, lineText(line)))
    } else hidden += 1
  })
  flush()
  return rows
}

/** White space at the end of a changed line may be the whole change. */
const lineText = ({ action, text }: TextDiff['lines'][number]): string =>
  action === 'same' ? visible(text) : visible(text).replace(/ +$/, (blanks) => '\\u0020'.repeat(blanks.length))

const nearChange = (lines: TextDiff['lines']): readonly boolean[] => {
  const near = lines.map(() => false)
  lines.forEach((line, position) => {
    if (line.action !== 'same') {
      near.fill(true, Math.max(0, position - contextLines), position + contextLines + 1)
    }
  })
  return near
}
