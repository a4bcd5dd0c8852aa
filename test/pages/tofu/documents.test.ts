import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lawRuns } from '../../builders/laws.ts'
import { readHtml, textOf } from '../../builders/values/read-html.ts'
import { formatNames } from '../../builders/values/rendered.ts'
import { canary, networkSchemas, objectsState, resourceChange, tofuPlan, tofuPlans } from './builders/documents.ts'
import { pageOf } from './builders/read-reports.ts'
import { viewOf } from './builders/read-views.ts'
import { renderView } from './builders/rendered.ts'

type Format = (typeof formatNames)[number]

const schemas = networkSchemas
const documents: Readonly<Record<string, object>> = { ...tofuPlans, state: objectsState() }
const pageAs = (format: Format, name: string, document: object, width = 100): string =>
  renderView(viewOf(document, { schemas }), { format, title: `${name}.json`, width })

describe('each kind of document', () => {
  it.each([
    ['summary', 'documents.summary.txt'],
    ['json', 'documents.jsonl'],
  ] as const)('has one line for each finding or document as %s', async (format, file) => {
    const pages = Object.entries(documents).map(([name, document]) => pageAs(format, name, document))
    await expect(pages.join('\n')).toMatchFileSnapshot(`./goldens/${file}`)
  })

  it.each(Object.keys(documents))('makes the pages of Plumbline and of both products: %s', async (name) => {
    const document = documents[name] ?? {}
    for (const format of ['text', 'markdown'] as const)
      await expect(pageAs(format, name, document)).toMatchFileSnapshot(`./goldens/${format}/${name}.txt`)
    for (const compat of ['opentofu', 'terraform'] as const)
      await expect(pageOf(document, { schemas, compat })).toMatchFileSnapshot(`./goldens/${compat}/${name}.txt`)
  })

  it.each(Object.keys(documents))('has each object of the text page on its HTML page: %s', (name) => {
    const document = documents[name] ?? {}
    const html = readHtml(pageAs('html', name, document))
    const view = viewOf(document, { schemas })
    const shown = view.kind === 'plan' ? [...view.changes, ...view.drift] : view.objects
    for (const { address } of shown) expect(textOf(html)).toContain(address)
  })

  it.each(Object.keys(documents))('shows no secret in any format: %s', (name) => {
    const document = documents[name] ?? {}
    for (const format of formatNames) expect(pageAs(format, name, document)).not.toContain(canary)
    for (const compat of ['opentofu', 'terraform'] as const)
      expect(pageOf(document, { schemas, compat })).not.toContain(canary)
  })

  it.each(Object.keys(documents))('makes the same page in any order of members: %s', (name) => {
    const document = documents[name] ?? {}
    expect(pageAs('text', name, turned(document) as object)).toBe(pageAs('text', name, document))
  })
})

/** Members in reverse order, at any depth. */
const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, inner]) => [name, turned(inner)]),
  )
}

/** Values that can be found again on a page: `q7q`, as a text, in lines, in JSON, in lists and objects. */
const token = fc.nat(14).map((n) => `q${n}q`)
const { value } = fc.letrec<{ value: unknown; leaf: unknown }>((tie) => ({
  leaf: fc.oneof(
    token,
    token.map((text) => `first\n${text}\nlast`),
    fc.tuple(token, token).map(([a, b]) => JSON.stringify({ k: a, l: [b] })),
    fc.constantFrom(null, '', true, 1, {}, []),
  ),
  value: fc.oneof(
    { maxDepth: 3 },
    tie('leaf'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('name', 'size', 'k'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))
const names = ['a', 'b', 'c', 'd'] as const
const side = fc.record({ a: value, b: value, c: value, d: value }, { requiredKeys: [], noNullPrototype: true })
const secrets = fc.subarray([...names])

const tokensOf = (whole: object, only: (name: string) => boolean): ReadonlySet<string> =>
  new Set(
    Object.entries(whole)
      .filter(([name]) => only(name))
      .flatMap(([, inner]) => JSON.stringify(inner).match(/q\d+q/g) ?? []),
  )
const marks = (hidden: readonly string[]) => Object.fromEntries(hidden.map((name) => [name, true]))
const wide = 1_000_000

describe('any update in a plan', () => {
  it('is shown with all values that come and go, and without those of a secret', () =>
    fc.assert(
      fc.property(side, side, secrets, secrets, (before, after, hiddenBefore, hiddenAfter) => {
        const change = { before, after, before_sensitive: marks(hiddenBefore), after_sensitive: marks(hiddenAfter) }
        const document = tofuPlan([resourceChange(['update'], change)])
        // A mark without a value hides nothing, for null is no value here.
        const isHidden = (name: string): boolean =>
          [[before, hiddenBefore] as const, [after, hiddenAfter] as const].some(
            ([whole, hidden]) => hidden.includes(name as 'a') && (whole[name as 'a'] ?? null) !== null,
          )
        const old = tokensOf(before, (name) => !isHidden(name))
        const now = tokensOf(after, (name) => !isHidden(name))
        const open = old.union(now)
        const secret = tokensOf(before, isHidden).union(tokensOf(after, isHidden)).difference(open)
        for (const format of formatNames) {
          const page = pageAs(format, 'any', document, wide)
          for (const text of secret) expect(page).not.toContain(text)
          if (format !== 'summary') for (const text of old.symmetricDifference(now)) expect(page).toContain(text)
        }
        const [own, shown] = [true, false].map((is) =>
          tokensOf(before, (name) => hiddenBefore.includes(name as 'a') === is).union(
            tokensOf(after, (name) => hiddenAfter.includes(name as 'a') === is),
          ),
        )
        for (const text of own?.difference(shown ?? own) ?? []) expect(pageOf(document)).not.toContain(text)
      }),
      lawRuns(300),
    ))

  it('shows a difference exactly where there is one', () =>
    fc.assert(
      fc.property(side, side, (before, after) => {
        const document = tofuPlan([resourceChange(['update'], { before, after })])
        const page = pageAs('text', 'any', document, wide)
        const again = tofuPlan([resourceChange(['update'], { before, after: turned(before) })])
        expect(pageAs('text', 'any', again, wide)).toContain('but the plan shows no difference')
        expect(page.includes('but the plan shows no difference')).toBe(!/\n {5} *[-+~] /.test(page))
      }),
      lawRuns(200),
    ))
})
