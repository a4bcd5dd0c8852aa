import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { advanceEpisodes } from '../../../core/engine/alert/episode.ts'
import type { Attribute } from '../../../core/engine/schema/attribute.ts'
import type { JsonObject, Path } from '../../../core/engine/schema/json.ts'
import type { RecordedResource } from '../../../core/engine/schema/resource.ts'
import type { IgnoreRule, Severity } from '../../../core/engine/schema/rules.ts'
import type { Episode } from '../../../core/engine/schema/stored/findings.ts'
import type { Cause } from '../../../core/engine/schema/stored/plan.ts'
import { lawRuns } from '../../builders/laws.ts'
import { aRun } from '../../builders/values/records.ts'
import { apply, check, desiredOf, factsOf, planOf, present } from '../../builders/values/resources.ts'

/*
 * One resource over time: it moves outside, its configuration moves, rules begin and end, plans are applied. A model beside
 * it remembers for each leaf what both sides last agreed on; a rule that ignores a leaf agrees to nothing.
 */

const text: Attribute = { type: 'string' }
const facts = factsOf({
  a: text,
  o: { type: 'object', attributes: { p: text, q: text } },
  m: { type: 'map', element: text },
  s: { type: 'set', key: ['k'], element: { type: 'object', attributes: { k: text, v: text } } },
})

const leaves = ['a', 'o.p', 'o.q', 'm.x', 'm.y', 's.k1.v', 's.k2.v'] as const
type Leaf = (typeof leaves)[number]
/** Keys of a map come and go. */
const optional = new Set<Leaf>(['m.x', 'm.y'])
type Values = Readonly<Partial<Record<Leaf, string>>>

const attributesOf = (values: Values): JsonObject => {
  const member = (name: string, leaf: Leaf) => (values[leaf] === undefined ? {} : { [name]: values[leaf] })
  return {
    ...member('a', 'a'),
    o: { ...member('p', 'o.p'), ...member('q', 'o.q') },
    m: { ...member('x', 'm.x'), ...member('y', 'm.y') },
    s: [
      { k: 'k1', ...member('v', 's.k1.v') },
      { k: 'k2', ...member('v', 's.k2.v') },
    ],
  }
}
const leafOf = (path: Path): string => path.join('.')

/** What each rule covers, by hand. */
const rules: readonly (readonly [path: string | undefined, covers: readonly Leaf[]])[] = [
  ['a', ['a']],
  ['o', ['o.p', 'o.q']],
  ['o.q', ['o.q']],
  ['m[x]', ['m.x']],
  ['m', ['m.x', 'm.y']],
  ['s[k1]', ['s.k1.v']],
  ['s[*].v', ['s.k1.v', 's.k2.v']],
  [undefined, leaves],
]

const dayOf = (day: number): string => new Date(Date.UTC(2026, 10, 1 + day)).toISOString().slice(0, 10)

type Step =
  | { readonly kind: 'outside' | 'configure'; readonly leaf: Leaf; readonly value: string | undefined }
  | { readonly kind: 'begin'; readonly rule: number; readonly days: number | undefined }
  | { readonly kind: 'end'; readonly rule: number }
  | { readonly kind: 'apply' | 'day' }

const leaf = fc.constantFrom(...leaves)
const value = fc.constantFrom('1', '2', '3', undefined)
const rule = fc.nat(rules.length - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('outside' as const), leaf, value }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('configure' as const), leaf, value }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('begin' as const), rule, days: fc.constantFrom(undefined, 0, 1, 2) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), rule }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('apply' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('day' as const) }) },
)

const sequences = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 25 }),
  minSeverity: fc.constantFrom<Severity>('low', 'medium', 'high'),
})

const start: Values = Object.fromEntries(leaves.map((each) => [each, '1']))

/** What a check must say of a leaf that differs. `agreed` lacks leaves that never were. */
const expectedCause = (
  agreed: ReadonlyMap<Leaf, string | undefined>,
  each: Leaf,
  now: Values,
  wanted: Values,
): Cause => {
  if (!agreed.has(each)) return 'new'
  if (agreed.get(each) === now[each]) return 'pending'
  return agreed.get(each) === wanted[each] ? 'drift' : 'conflict'
}

const severityOf = (causes: readonly Cause[]): Severity =>
  causes.includes('conflict') ? 'high' : causes.includes('drift') ? 'medium' : 'low'
const ranks: Readonly<Record<Severity, number>> = { low: 0, medium: 1, high: 2 }

const play = ({ steps, minSeverity }: { readonly steps: readonly Step[]; readonly minSeverity: Severity }) => {
  let [observed, desired]: [Values, Values] = [start, start]
  let day = 0
  let record: RecordedResource | undefined
  const active = new Map<number, number | undefined>()
  const agreed = new Map<Leaf, string | undefined>()
  let open: Episode | undefined
  /** What the open episode is about. */
  let told = new Set<Leaf>()

  const isIgnored = (each: Leaf): boolean =>
    [...active].some(([n, until]) => (until === undefined || day < until) && rules[n]?.[1].includes(each))
  const ignoreRules = (): IgnoreRule[] =>
    [...active].map(([n, until]) => {
      const path = rules[n]?.[0]
      const expires = until === undefined ? {} : { expires: dayOf(until) }
      return {
        address: 'thing.*',
        reason: 'r',
        owner: 'o',
        includeDeletes: false,
        ...(path ? { path } : {}),
        ...expires,
      }
    })
  const input = () => ({
    facts,
    desired: desiredOf(attributesOf(desired)),
    observed: present(attributesOf(observed)),
    ignoreRules: ignoreRules(),
    today: dayOf(day),
    ...(record === undefined ? {} : { recorded: record }),
  })

  const change = (each: Step): void => {
    if (each.kind === 'day') day += 1
    if (each.kind === 'end') active.delete(each.rule)
    if (each.kind === 'begin') active.set(each.rule, each.days === undefined ? undefined : day + each.days)
    if (each.kind === 'outside' || each.kind === 'configure') {
      const next = each.value ?? (optional.has(each.leaf) ? undefined : '1')
      const { [each.leaf]: _, ...rest } = each.kind === 'outside' ? observed : desired
      const values = { ...rest, ...(next === undefined ? {} : { [each.leaf]: next }) }
      if (each.kind === 'outside') observed = values
      else desired = values
    }
    if (each.kind !== 'apply' || record === undefined) return
    const { planned } = check(input())
    if (planned.change === undefined) return
    const applied = apply(input(), planned)
    record = applied.record
    for (const one of leaves) {
      if (isIgnored(one)) continue
      const { [one]: _, ...rest } = observed
      observed = { ...rest, ...(desired[one] === undefined ? {} : { [one]: desired[one] }) }
    }
  }

  let time = 0
  const look = (): void => {
    const { planned, record: next } = check(input())
    const differing = leaves.filter((each) => observed[each] !== desired[each])
    const shown = differing.filter((each) => !isIgnored(each))
    const causes = new Map(shown.map((each) => [each, expectedCause(agreed, each, observed, desired)]))
    expect(new Map(planned.change?.causes.map(({ path, cause }) => [leafOf(path), cause]))).toEqual(causes)
    expect(new Set(planned.ignored.map(({ path }) => leafOf(path)))).toEqual(new Set(differing.filter(isIgnored)))
    for (const each of leaves) if (!differing.includes(each)) agreed.set(each, observed[each])
    record = next

    time += 1
    const at = new Date(Date.UTC(2026, 0, 1, 0, time)).toISOString()
    const plan = planOf([planned])
    const stored = open === undefined ? [] : [open]
    const { episodes, alerts } = advanceEpisodes({
      workspace: 'w',
      plan,
      run: aRun(time, plan),
      open: stored,
      rules: { minSeverity },
      at,
      newId: () => `id-${time}`,
    })
    const isFound = shown.length > 0 && ranks[severityOf([...causes.values()])] >= ranks[minSeverity]
    const [alert] = alerts
    const wasOpen = open?.status === 'open'
    if (isFound) {
      expect(alert?.kind).toBe(wasOpen ? (alert === undefined ? undefined : 'changed') : 'opened')
      expect(alert?.severity ?? severityOf([...causes.values()])).toBe(severityOf([...causes.values()]))
      told = new Set(shown)
    } else if (wasOpen) {
      expect(alert?.kind).toBe('resolved')
      const covered = differing.some((each) => isIgnored(each) && told.has(each))
      const left = shown.length > 0 ? 'below_severity' : covered ? 'ignored' : undefined
      expect(alert?.findings.map((finding) => finding.left)).toEqual([left])
    } else expect(alert).toBeUndefined()
    open = episodes[0] ?? open
  }

  look()
  for (const each of steps) {
    change(each)
    look()
  }
}

describe('ignore rules that begin and end', () => {
  test('law: give the causes and episodes of a model in which ignored values are never agreed to', () =>
    fc.assert(fc.property(sequences, play), lawRuns(2_000)))

  test.each<[string, readonly Step[]]>([
    [
      'a drift under a rule is a drift when the rule ends',
      [
        { kind: 'begin', rule: 0, days: undefined },
        { kind: 'outside', leaf: 'a', value: '2' },
        { kind: 'end', rule: 0 },
      ],
    ],
    [
      'and when it expires',
      [{ kind: 'begin', rule: 7, days: 1 }, { kind: 'outside', leaf: 'm.x', value: undefined }, { kind: 'day' }],
    ],
    [
      'an apply of the rest agrees to nothing that a rule covers',
      [
        { kind: 'begin', rule: 2, days: undefined },
        { kind: 'outside', leaf: 'o.q', value: '2' },
        { kind: 'outside', leaf: 'o.p', value: '2' },
        { kind: 'apply' },
        { kind: 'end', rule: 2 },
      ],
    ],
    [
      'a rule that begins to cover closes the episode, and says so',
      [
        { kind: 'outside', leaf: 's.k1.v', value: '2' },
        { kind: 'begin', rule: 5, days: undefined },
      ],
    ],
  ])('keep drift and episodes as they would be without the rules: %s', (_, steps) => {
    for (const minSeverity of ['low', 'medium'] as const) play({ steps, minSeverity })
  })
})
