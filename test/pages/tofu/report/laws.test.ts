import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visible } from '../../../../core/pages/render/characters/visible.ts'
import { renderSummary } from '../../../../core/pages/render/formats/text/render-summary.ts'
import { renderText } from '../../../../core/pages/render/formats/text/render-text.ts'
import { layOutDiff } from '../../../../core/pages/render/rows/lay-out-diff.ts'
import type { Row } from '../../../../core/pages/render/rows/row.ts'
import { reportOfView } from '../../../../core/pages/tofu/report/plan-report.ts'
import { objectName } from '../../../../core/pages/tofu/report/words.ts'
import type { View } from '../../../../core/pages/tofu/view/plan-view.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { object } from '../../../builders/values/plans.ts'
import { digestOfSecret, pairedDiff, someDiff } from '../../render/arbitrary-plan.ts'
import { canary, withCanaries } from '../../render/canaries.ts'
import { aPlanView, aViewChange } from '../builders/views.ts'
import { someView, someViewChange } from './arbitrary-view.ts'

const formats = { text: renderText, summary: renderSummary } as const
const names = Object.keys(formats) as (keyof typeof formats)[]
const page = (view: View, format: keyof typeof formats, options: Parameters<typeof renderText>[1] = {}): string =>
  formats[format](reportOfView(view, 'p\u001b[2J.json'), options)

/** Control, format and separator characters other than our own line feeds; the joiner of emoji is harmless. */
const unsafe = /(?![\n\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

describe.each(names)('any view as %s', (format) => {
  it('never fails, holds no digest of a secret and no raw control character', () =>
    fc.assert(
      fc.property(someView, fc.integer({ min: 1, max: 200 }), (view, width) => {
        const shown = page(view, format, { width })
        expect(shown).not.toContain(digestOfSecret)
        expect(shown).not.toMatch(unsafe)
        expect(shown).not.toMatch(/in sync|undefined|\[object/)
        expect(shown.endsWith('\n')).toBe(true)
      }),
      lawRuns(200),
    ))

  it('has the same text with and without colours', () =>
    fc.assert(
      fc.property(someView, (view) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colours
        expect(page(view, format, { color: true }).replaceAll(/\u001b\[\d+m/g, '')).toBe(page(view, format))
      }),
      lawRuns(200),
    ))

  it('shows nothing of what a diff calls sensitive', () =>
    fc.assert(
      fc.property(someViewChange, fc.constantFrom('changes', 'drift', 'outputs', 'objects'), (change, place) => {
        const diff = withCanaries(change.diff)
        const changes = [{ ...change, diff }]
        const outputs = [{ name: 'a', diff }]
        const view: View =
          place === 'objects'
            ? {
                kind: 'state',
                newer: false,
                unknownMembers: [],
                objects: [{ ...change, diff, tainted: false }],
                outputs,
                checks: [],
                problems: [],
              }
            : aPlanView({ [place]: place === 'outputs' ? outputs : changes })
        expect(page(view, format)).not.toContain(canary)
      }),
      lawRuns(200),
    ))

  it('names every object, also those whose change is folded', () =>
    fc.assert(
      fc.property(fc.array(someViewChange, { maxLength: 5 }), fc.integer({ min: 60, max: 160 }), (some, width) => {
        const changes = [...some, ...some.map((change) => ({ ...change, address: `${change.address}.again` }))]
        const shown = page(aPlanView({ changes }), format, { width }).replaceAll(/\s/g, '')
        for (const change of changes) expect(shown).toContain(visible(objectName(change)).replaceAll(/\s/g, ''))
      }),
      lawRuns(200),
    ))
})

it('every page shows the last step of every changed path', () =>
  fc.assert(
    fc.property(pairedDiff, fc.integer({ min: 40, max: 160 }), ({ diff, paths }, width) => {
      fc.pre(diff.kind === 'object' || diff.kind === 'set')
      const view = aPlanView({ changes: [aViewChange({ address: 'a_b.c', diff: object({ root: diff }) })] })
      const shown = page(view, 'text', { width })
      for (const path of paths) expect(shown).toMatch(new RegExp(`[+~!-] +${path.at(-1)}\\b`))
    }),
    lawRuns(200),
  ))

/** What the rows of one level stand for: themselves, and the count of each fold. */
const standFor = (rows: readonly Row[]): number =>
  rows.reduce(
    (sum, row) => sum + (row.kind === 'fold' ? Number(/\d[\d,]*/.exec(row.label)?.[0].replaceAll(',', '')) : 1),
    0,
  )

it('every page accounts for every member: each is shown or counted', () =>
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), someDiff, { maxKeys: 6, noNullPrototype: true }),
      (members) => {
        const rows = layOutDiff(object(members, 'update'), { causesAt: () => [], notesAt: () => [] })
        expect(standFor(rows)).toBe(Object.keys(members).length)
      },
    ),
    lawRuns(200),
  ))
