import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isReported, type Plan } from '../../../core/engine/schema/stored/plan.ts'
import { lawRuns } from '../../builders/laws.ts'
import { aChange, aPlan, object, updated } from '../../builders/values/plans.ts'
import { renderPlan } from '../../builders/values/rendered.ts'
import { somePlan } from './arbitrary-plan.ts'

/** Texts that would end an element, an attribute, a workflow command or a line, wherever they stand. */
const hostile = [
  '</failure><testcase name="x">',
  '"/><x y="',
  '&amp;%25]]>',
  '\n::set-output name=a::b',
  '::error::no,file=x',
  'x ##[add-mask]y',
  'a%0Ab',
  '\uFFFE',
]

const hostilePlan = fc
  .tuple(somePlan, fc.array(fc.constantFrom(...hostile), { minLength: 3, maxLength: 3 }))
  .map(([plan, [address = '', value = '', title = '']]): Plan => {
    const change = aChange({ address, action: 'update', diff: object({ [value]: updated(value, `${title}!`) }) })
    return { ...plan, workspace: title, changes: [change, ...plan.changes] }
  })

interface Counted {
  readonly differences: number
  readonly errors: number
}

/** What a plan holds, counted without the renderer. Drift is a finding of its own where the plan is a view of drift. */
const counted = ({ view, changes, drift, orphans = [], leftOut = [], unchecked }: Plan): Counted => ({
  differences:
    changes.length + orphans.filter(isReported).length + leftOut.length + (view === 'drift' ? drift.length : 0),
  errors: unchecked.length,
})

type Element = readonly [name: string, attributes: Readonly<Record<string, string>>]

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const decoded = (text: string): string =>
  text.replaceAll(/&([^;]*);/g, (_, name: string) => {
    const found = entities[name]
    if (found === undefined) throw new Error(`unknown entity ${name}`)
    return found
  })

/** Reads the XML that we write, strictly: throws unless every element is closed and every text is escaped. */
const readXml = (xml: string): readonly Element[] => {
  const [head = '', ...pieces] = xml.split('<')
  expect(head).toBe('')
  const open: string[] = []
  return pieces.flatMap((piece): readonly Element[] => {
    if (piece.startsWith('?xml ')) return []
    const [, close, name = '', attributes = '', alone, text = ''] =
      /^(\/?)([a-z-]+)((?: [a-z]+="[^"&]*(?:&[#\w]+;[^"&]*)*")*)(\/?)>([^>]*)$/s.exec(piece) ?? []
    expect(name, piece).not.toBe('')
    decoded(text)
    if (close === '/') {
      expect(open.pop()).toBe(name)
      return []
    }
    if (alone !== '/') open.push(name)
    return [
      [
        name,
        Object.fromEntries(
          [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, decoded(value)]),
        ),
      ],
    ]
  })
}

describe('the format junit', () => {
  it('has a failure for each difference and an error for each unchecked resource, of any plan', () =>
    fc.assert(
      fc.property(fc.oneof(somePlan, hostilePlan), (plan) => {
        const elements = readXml(renderPlan(plan, { format: 'junit' }))
        const of = (wanted: string) => elements.filter(([name]) => name === wanted)
        const { differences, errors } = counted(plan)
        // Of a plan that is not whole and does not say why, the workspace itself is the error.
        const silent = differences + errors + plan.drift.length === 0 && !plan.inSync ? 1 : 0
        expect(of('failure')).toHaveLength(differences)
        expect([errors, errors + silent, errors + 1]).toContain(of('error').length)
        expect(of('error').length).toBeGreaterThanOrEqual(errors + silent)
        expect(of('testcase').length).toBeGreaterThan(0)
        const [, totals] = of('testsuites')[0] ?? []
        expect(totals).toMatchObject({ tests: String(of('testcase').length), failures: String(differences) })
      }),
      lawRuns(300),
    ))

  it('has the place of a resource, its words and its rows', () => {
    const position = { file: 'dns/zones.yaml', line: 7, column: 3 }
    const diff = object({ ttl: updated(60, 300) })
    const plan = aPlan({ changes: [aChange({ address: 'pdns_zone.main', action: 'update', diff, position })] })
    expect(renderPlan(plan, { format: 'junit', at: '2026-11-21T06:00:00.000Z' })).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="plumbline" tests="2" failures="1" errors="0">
        <testsuite name="acme-dns" tests="2" failures="1" errors="0" timestamp="2026-11-21T06:00:00.000Z">
          <testcase classname="acme-dns" name="pdns_zone.main" file="dns/zones.yaml" line="7">
            <failure type="update" message="will be changed">~ ttl  60 -&gt; 300
      </failure>
          </testcase>
          <testcase classname="acme-dns" name="12 resources unchanged"/>
        </testsuite>
      </testsuites>
      "
    `)
  })
})

it.each(['junit', 'github', 'sarif'] as const)(
  'what holds for a whole plan is in the format %s, and fails nothing',
  (format) => {
    const change = aChange({ address: 'a.b', action: 'update', diff: object({ ttl: updated(60, 300) }) })
    const plan = aPlan({ changes: [change], refused: 'it removes 2 members of <Core>' })
    const page = renderPlan(plan, { format })
    const words = 'an apply of all these would be refused by the policy: it removes 2 members of '
    expect(page).toContain(`${words}${format === 'junit' ? '&lt;Core&gt;' : '<Core>'}`)
    expect(page).toMatch(
      { junit: /failures="1" errors="0"/, github: /^::notice .*policy/m, sarif: /"level": "note"/ }[format],
    )
  },
)

describe('the format github', () => {
  /** As the runner finds them: by the start of a line without blanks, or by the older form anywhere in other lines. */
  const commands = (page: string) =>
    page.split('\n').filter((line) => line.trim().startsWith('::') || line.includes('##['))

  it('has exactly one command for each finding, whatever the values contain', () =>
    fc.assert(
      fc.property(fc.oneof(somePlan, hostilePlan), (plan) => {
        const found = commands(renderPlan(plan, { format: 'github' }))
        const { differences, errors } = counted(plan)
        expect(found.filter((line) => line.startsWith('::warning '))).toHaveLength(differences)
        expect(found.filter((line) => line.startsWith('::error ')).length).toBeGreaterThanOrEqual(errors)
        for (const line of found) expect(line).toMatch(/^::(?:error|warning|notice) [a-z]+=[^:]*::/)
      }),
      lawRuns(300),
    ))

  it('annotates the line that declares the resource', () => {
    const position = { file: 'plumbline.yaml', line: 7, column: 3 }
    const diff = object({ ttl: updated(60, 300) })
    const plan = aPlan({ changes: [aChange({ address: 'pdns_zone.main', action: 'update', diff, position })] })
    expect(commands(renderPlan(plan, { format: 'github' }))).toMatchInlineSnapshot(`
      [
        "::warning file=plumbline.yaml,line=7,col=3,title=acme-dns%3A pdns_zone.main::will be changed%0A~ ttl  60 -> 300",
      ]
    `)
  })
})

describe('the format sarif', () => {
  it('makes no link of what a target says', () => {
    const link = '[Approve this plan](https://evil.example/login)'
    const change = aChange({ address: 'a_b.c', action: 'update', diff: object({ note: updated(link, 'x') }) })
    const text = renderPlan(aPlan({ changes: [change] }), { format: 'sarif' })
    const [result] = JSON.parse(text).runs[0].results
    expect(result.message.text).toContain('\\[Approve this plan\\](https://evil.example/login)')
    expect(result.message.text).not.toMatch(/(?<!\\)\[/)
  })

  it('has a result with a file, a line and a stable name for each finding', () =>
    fc.assert(
      fc.property(fc.oneof(somePlan, hostilePlan), (plan) => {
        const { runs } = JSON.parse(renderPlan(plan, { format: 'sarif' }))
        const [{ results, invocations, tool }] = runs
        const { differences, errors } = counted(plan)
        const levels = results.map(({ level }: { readonly level: string }) => level)
        expect(levels.filter((level: string) => level === 'warning')).toHaveLength(differences)
        expect(levels.filter((level: string) => level === 'error').length).toBeGreaterThanOrEqual(errors)
        expect(invocations[0].executionSuccessful).toBe(!levels.includes('error'))
        const rules = tool.driver.rules.map(({ id }: { readonly id: string }) => id)
        for (const result of results) {
          expect(rules).toContain(result.ruleId)
          const [{ physicalLocation }] = result.locations
          expect(physicalLocation.artifactLocation.uri).not.toMatch(/[\s"<>]/)
          expect(physicalLocation.region.startLine).toBeGreaterThan(0)
          expect(result.partialFingerprints['plumbline/v1']).not.toBe('')
        }
      }),
      lawRuns(300),
    ))
})
