import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxCharacters } from '../../../core/pages/render/formats/markdown/render-markdown.ts'
import { lawCases, lawRuns } from '../../builders/laws.ts'
import { aChange, aPlan, object } from '../../builders/values/plans.ts'
import { formatNames, renderPlan } from '../../builders/values/rendered.ts'
import { digestOfSecret, pairedDiff, somePlan } from './arbitrary-plan.ts'

/** Control, format and separator characters other than our own line feeds; the joiner of emoji is harmless. */
const unsafe = /(?![\n\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

describe.each(formatNames)('any plan as %s', (format) => {
  it('never fails, holds no digest of a secret and no raw control character', () =>
    fc.assert(
      fc.property(somePlan, fc.integer({ min: 1, max: 200 }), (plan, width) => {
        const page = renderPlan(plan, { format, width })
        expect(page).not.toContain(digestOfSecret)
        // In JSON the standard's own escapes do this; format characters are plain text there.
        if (format !== 'json') expect(page).not.toMatch(unsafe)
        expect(page.endsWith('\n')).toBe(true)
      }),
      lawRuns(300),
    ))

  it('says "in sync" only of a plan that is', () => {
    const dirty = [
      aPlan({ unchecked: [{ address: 'a_b.c', reason: 'timeout', detail: '' }] }),
      aPlan({ inSync: false }),
      // A plan that contradicts itself is not believed.
      aPlan({ inSync: true, unchecked: [{ address: 'a_b.c', reason: 'timeout', detail: '' }] }),
      aPlan({ inSync: true, changes: [aChange({ address: 'a_b.c', action: 'update', diff: object({}) })] }),
    ]
    for (const plan of dirty) expect(renderPlan(plan, { format })).not.toMatch(/in sync/i)
    const isMute = format === 'json' || format === 'sarif'
    if (!isMute) expect(renderPlan(aPlan(), { format })).toContain('in sync')
  })
})

it('colours add nothing but colours', () =>
  fc.assert(
    fc.property(somePlan, (plan) => {
      const painted = renderPlan(plan, { format: 'text', color: true })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colours
      expect(painted.replaceAll(/\u001b\[\d+m/g, '')).toBe(renderPlan(plan, { format: 'text' }))
    }),
    lawRuns(200),
  ))

it.each([' ', '\t', '\u00a0', '\u2003', '\u3000'])(
  'the white space %j at the end of a changed line is visible',
  (blank) => {
    const diff = { kind: 'text', action: 'update', lines: [{ action: 'delete', text: `a${blank}` }] } as const
    const drift = [{ address: '', type: 'a_b', name: 'c', kind: 'changed', diff }] as const
    const [plain, painted] = [false, true].map((color) => renderPlan(aPlan({ drift }), { format: 'text', color }))
    expect(plain).toMatch(/- \| a\\\S+\n/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colours
    expect(painted?.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain)
  },
)

it.each(['text', 'markdown'] as const)('the last step of every changed path is shown in %s', (format) =>
  fc.assert(
    fc.property(pairedDiff, fc.integer({ min: 40, max: 160 }), ({ diff, paths }, width) => {
      fc.pre(diff.kind === 'object' || diff.kind === 'set')
      const change = aChange({
        address: 'a_b.c',
        action: 'update',
        diff: object({ root: diff }),
        causes: paths.map((path) => ({ path: ['root', ...path], cause: 'drift' })),
      })
      const page = renderPlan(aPlan({ changes: [change] }), { format, width })
      for (const path of paths) expect(page).toMatch(new RegExp(`[+~!-] +${path.at(-1)}\\b`))
    }),
    lawRuns(300),
  ),
)

it('markdown stays within the size of a comment', () =>
  fc.assert(
    fc.property(somePlan, fc.integer({ min: 1, max: 400 }), (plan, times) => {
      const many = { ...plan, changes: Array.from({ length: times }, () => plan.changes).flat() }
      expect(renderPlan(many, { format: 'markdown' }).length).toBeLessThanOrEqual(maxCharacters)
    }),
    lawRuns(30),
  ))

it.each(lawCases(formatNames, 3))('a plan of many changes is rendered as %s', (format) => {
  const one = aChange({
    address: 'a_b.c',
    action: 'delete',
    diff: object({ v: { kind: 'value', action: 'delete', before: 1 } }, 'delete'),
  })
  const unchecked = Array.from(
    { length: 150_000 },
    () => ({ address: 'a_b.c', reason: 'timeout', detail: '' }) as const,
  )
  const page = renderPlan(aPlan({ changes: Array.from({ length: 5_000 }, () => one), unchecked }), { format })
  expect(page).toMatch(/155,000|errors="150000"|5,000 changes|resource_changes|"results"/)
})
