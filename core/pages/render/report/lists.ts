import type { Note } from '../../../engine/schema/issue.ts'
import type { Position } from '../../../engine/schema/resource.ts'
import type { Move } from '../../../engine/schema/rules.ts'
import {
  type IdleEntry,
  type IdleRule,
  type Ignored,
  isReported,
  type LeftOut,
  type NotLookedInto,
  type Orphan,
  type Plan,
  type Unchecked,
  type Unmanaged,
  type Unobserved,
} from '../../../engine/schema/stored/plan.ts'
import { defined } from '../../../engine/values/defined.ts'
import { placeText } from '../../../engine/values/diagnose.ts'
import { causeKey } from '../../../engine/values/texts/causes.ts'
import { foreign, foreignList, type Prose, thousands, when } from '../characters/prose.ts'
import { visible } from '../characters/visible.ts'
import { showValue } from '../rows/show-value.ts'
import { leftOutWords } from '../shared/selection-words.ts'
import { unknownWords } from '../shared/unread-words.ts'
import { count, names, orphanWords, pathWords } from '../shared/words.ts'

/** One line of a list at the end of a page: what (not yet made safe), and what about it. */
export interface ListEntry {
  readonly what: string
  /** More of which the same is said. */
  readonly also?: readonly string[]
  readonly words: Prose
  /** What it is for a pipeline; absent: nothing. */
  readonly level?: FindingLevel
  /** Where it is in the files. */
  readonly place?: Position
}

/** `error`: it could not be checked. `difference`: it is not as it should be. `note`: it should be known. */
export type FindingLevel = 'error' | 'difference' | 'note'

/** If at least this many could not be read for one cause, the cause is written once. */
const fewAlike = 3

/** A format for pipelines has `each` by itself, with its own reason. */
const uncheckedEntries = (rows: readonly Unchecked[], each: boolean): readonly ListEntry[] => {
  if (each) return rows.map(uncheckedEntry)
  const groups = Map.groupBy(rows, (row) => `${causeKey(row)} ${row.attributes?.join()}`)
  return [...groups.values()].flatMap((alike) => {
    const [first, ...others] = alike
    if (first === undefined) return []
    return alike.length < fewAlike
      ? alike.map(uncheckedEntry)
      : [{ ...uncheckedEntry(first), also: others.map(({ address }) => address) }]
  })
}

const uncheckedEntry = ({ address, reason, detail, attributes = [], position }: Unchecked): ListEntry => ({
  what: address,
  level: 'error',
  ...defined({ place: position }),
  words: [
    ...foreignList(attributes.map((each) => pathWords([each]))),
    attributes.length === 0 ? '' : ': ',
    unknownWords[reason],
    ...when(detail !== '', ': ', foreign(detail)),
  ],
})

const byAddress = <Row extends { readonly address: string }>(rows: readonly Row[]): Map<string, Row[]> =>
  Map.groupBy(rows, (row) => row.address)

const unobservedEntries = (rows: readonly Unobserved[]): readonly ListEntry[] =>
  [...byAddress(rows)].map(([address, group]) => ({
    what: address,
    words: [...foreignList(group.map((row) => pathWords(row.path))), ': write-only, cannot be read back'],
  }))

const ignoredEntries = (rows: readonly Ignored[]): readonly ListEntry[] =>
  [...Map.groupBy(rows, (row) => row.rule)].map(([rule, group]) => {
    const places = [...byAddress(group)].map(
      ([address, own]) =>
        `${address} ${names(
          own.map((row) => pathWords(row.path)),
          3,
        )}`,
    )
    const more = places.length > 5 ? [` and ${thousands(places.length - 5)} more resources`] : []
    const words = [`${count(group.length, 'difference')}: `, ...foreignList(places.slice(0, 5)), ...more]
    return { what: rule, words }
  })

const idleWords = ({ why, expires }: IdleRule): string =>
  ({
    expired: `expired on ${expires}`,
    no_resource: 'no resource has this address',
    no_attribute: 'no resource with this address has this attribute',
    deleted: 'it covers no delete: includeDeletes: true would keep the object',
  })[why]

const idleEntries = (rows: readonly IdleRule[]): readonly ListEntry[] =>
  rows.map((row) => ({
    what: `ignore: ${row.path === undefined ? row.address : `${row.address} ${row.path}`}`,
    ...(row.why === 'deleted' && { level: 'note' as const }),
    words: [idleWords(row), ': ', foreign(`${row.reason} (${row.owner})`)],
  }))

const identityWords = ({ identity, names: known = {} }: Unmanaged): string =>
  Object.entries(identity)
    .map(
      ([member, value]) =>
        `${visible(member)}=${showValue(Object.hasOwn(known, member) ? (known[member] ?? value) : value)}`,
    )
    .join(' ')

const unmanagedEntries = (rows: readonly Unmanaged[]): readonly ListEntry[] =>
  rows.map((row) => ({ what: row.type, words: [foreign(identityWords(row))] }))

/** Types with the same text are in one line. */
const notLookedEntries = (rows: readonly NotLookedInto[]): readonly ListEntry[] =>
  [...Map.groupBy(rows, ({ detail }) => detail)].map(([detail, group]) => ({
    what: names(
      [...new Set(group.map(({ type }) => type))].map((type) => visible(type)),
      5,
    ),
    words: [foreign(detail)],
  }))

const movedEntries = (rows: readonly Move[]): readonly ListEntry[] =>
  rows.map(({ from, to }) => ({
    what: to,
    words: ['renamed from ', foreign(from), ': same object, no request is sent'],
  }))

const leftOutEntries = (rows: readonly LeftOut[]): readonly ListEntry[] =>
  rows.map((row) => ({ what: row.address, level: 'difference', words: leftOutWords(row) }))

/** The change of a delete shows it already. */
const orphanEntries = (rows: readonly Orphan[]): readonly ListEntry[] =>
  rows
    .filter(({ fate }) => fate !== 'delete')
    .map((row) => ({ what: row.address, level: isReported(row) ? 'difference' : 'note', words: orphanWords(row) }))

const idleEntryWords = ({ kind, to, why, near, provider }: IdleEntry): Prose => {
  if (why === 'present') return ['its object is there; remove the entry']
  if (why === 'taken')
    return to === undefined
      ? ['another object is recorded; the entry has effect only once that is gone']
      : ['its record stays: ', foreign(to), ' has one of its own']
  return [
    provider === undefined ? 'nothing is recorded under this address; ' : 'no object was seen at this place; ',
    ...(near === undefined ? ['remove the entry'] : ['did you mean ', foreign(near), '?']),
    ...when(kind === 'moved', ' (to ', foreign(to ?? ''), ')'),
  ]
}

const idleEntryEntries = (rows: readonly IdleEntry[]): readonly ListEntry[] =>
  rows.map((row) => ({
    what: `${row.kind}: ${row.provider === undefined ? '' : `${row.provider} `}${row.address}`,
    // Without its effect an object may be destroyed that the entry was to keep.
    ...((row.kind === 'moved' || row.near !== undefined) && { level: 'note' as const }),
    words: [...idleEntryWords(row), ...when(row.reason !== undefined, ': ', foreign(row.reason ?? ''))],
  }))

/** A note says where it is in the files; one of a module also which call leads there. */
const noteEntries = (rows: readonly Note[]): readonly ListEntry[] =>
  rows.map(({ code, message, fix, level, ...place }) => ({
    what: placeText(place),
    level: 'note',
    place,
    words: [`${level}: `, foreign(`${message}${code === undefined ? '' : ` (${code})`}`), '; ', foreign(fix)],
  }))

export interface ReportList {
  readonly title: string
  /** Of its entries on a page of one line each; those without are not on it. */
  readonly symbol?: string
  /** The label before their words there; the title if absent. */
  readonly brief?: string
  readonly entries: readonly ListEntry[]
}

/** How many things a list is about. */
export const countIn = ({ entries }: ReportList): number =>
  entries.reduce((sum, { also = [] }) => sum + 1 + also.length, 0)

/** Lists of findings that are not changes, the most severe first; empty lists are left out. */
export const listsOf = (plan: Plan, { each = false }: { readonly each?: boolean } = {}): readonly ReportList[] =>
  [
    {
      title: 'Not selected, stays different',
      symbol: '',
      brief: 'not selected: ',
      entries: leftOutEntries(plan.leftOut ?? []),
    },
    { title: 'Could not be checked', symbol: '?', entries: uncheckedEntries(plan.unchecked, each) },
    { title: 'Left the configuration', symbol: '!', brief: '', entries: orphanEntries(plan.orphans ?? []) },
    { title: 'Renamed', entries: movedEntries(plan.moved ?? []) },
    { title: 'Not observable', entries: unobservedEntries(plan.unobserved) },
    { title: 'Ignored by rules', entries: ignoredEntries(plan.ignored) },
    {
      title: 'Entries without effect',
      entries: [...idleEntryEntries(plan.idleEntries ?? []), ...idleEntries(plan.idleRules ?? [])],
    },
    { title: 'Notes on the configuration', entries: noteEntries(plan.notes ?? []) },
    { title: 'Exists but is not declared', entries: unmanagedEntries(plan.unmanaged) },
    { title: 'Not searched for undeclared objects', entries: notLookedEntries(plan.notLookedInto ?? []) },
  ].filter((list) => list.entries.length > 0)
