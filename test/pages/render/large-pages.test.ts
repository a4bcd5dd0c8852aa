import { describe, expect, it } from 'vitest'
import type { Plan } from '#core'
import { showPart } from '../../../core/engine/plan/show-part.ts'
import { renderSarif } from '../../../core/pages/render/formats/ci/render-sarif.ts'
import { renderMarkdown } from '../../../core/pages/render/formats/markdown/render-markdown.ts'
import { renderText } from '../../../core/pages/render/formats/text/render-text.ts'
import { reportOfPlan } from '../../../core/pages/render/report/report-of-plan.ts'
import { long } from '../../builders/long.ts'
import { aCommand } from '../../builders/values/commands.ts'
import { aChange, aPlan } from '../../builders/values/records.ts'

const n = 3_334
const position = { file: 'plumbline.yaml', line: 7, column: 5 }
const named = (type: string): readonly string[] => Array.from({ length: n }, (_, k) => `${type}.r${k}`)

/** 10,000 findings of three kinds. */
const large = (): Plan => {
  const changed = named('pdns_zone').map((address, k) => ({
    ...aChange(address),
    diff: {
      kind: 'object' as const,
      action: 'update' as const,
      members: { ttl: { kind: 'value' as const, action: 'update' as const, before: k, after: k + 1 } },
    },
  }))
  const deleted = named('host_file').map((address) => aChange(address, { action: 'delete' }))
  return aPlan([...changed, ...deleted], [], {
    unchecked: named('shop_item').map((address) => ({
      address,
      reason: 'forbidden',
      detail: 'a role is missing',
      position,
    })),
    commands: changed.map(({ address }) => aCommand(`${address}#1`)),
  })
}

const plan = large()
const linesOf = (text: string): readonly string[] => text.split('\n')

describe('10,000 findings of three kinds', () => {
  it('fit on two screens of a terminal, and each of them is counted', () => {
    const text = renderText(reportOfPlan(plan), { brief: true, width: 100 })
    expect(linesOf(text).length).toBeLessThan(100)
    expect(text).toContain('and 3,333 more in which the same changes, with other values:')
    expect(text).toContain('and 3,333 for the same reason:')
    expect(text).toMatch(/Could not be checked \(3,334\)/)
    expect(text).toMatch(/Commands \(3,334\)/)
    expect(text).toContain('and 3,333 more, of what is not shown by itself')
  })
  it('are all in a pipe', long, () => {
    const text = renderText(reportOfPlan(plan))
    for (const address of [...named('pdns_zone'), ...named('host_file'), ...named('shop_item')])
      expect(text.includes(address), address).toBe(true)
    expect(text).not.toContain(' more, of what')
  })
  it('have each its own reason, file and line for a pipeline', long, () => {
    const sarif = renderSarif([reportOfPlan(plan, { each: true })])
    const found = JSON.parse(sarif).runs[0].results.filter(({ ruleId }: { ruleId: string }) => ruleId === 'unchecked')
    expect(found).toHaveLength(n)
    for (const { message, locations } of found) {
      expect(message.text).toContain('a role is missing')
      expect(locations[0].physicalLocation).toMatchObject({
        artifactLocation: { uri: 'plumbline.yaml' },
        region: { startLine: 7 },
      })
    }
  })
  it('fit into one comment, with equal reasons once', long, () => {
    const text = renderMarkdown([reportOfPlan(plan)])
    expect(text.length).toBeLessThanOrEqual(65_536)
    expect(text).toContain('3,333 more for the same reason')
  })
})

describe('a part of a page', () => {
  const shown = (
    ...[addresses, only]: readonly [(readonly string[])?, ('drift' | 'pending' | 'unchecked' | 'delete')?]
  ) => showPart(plan, { ...(addresses && { addresses }), ...(only && { only }) })

  it('has what was asked for, and the counts and digests of the whole', () => {
    const part = shown(['*.r7'])
    expect(part.changes.map(({ address }) => address)).toEqual(['pdns_zone.r7', 'host_file.r7'])
    expect(part.unchecked.map(({ address }) => address)).toEqual(['shop_item.r7'])
    expect(part.commands.map(({ id }) => id)).toEqual(['pdns_zone.r7#1'])
    expect({ counts: part.counts, digests: part.digests }).toEqual({ counts: plan.counts, digests: plan.digests })
  })
  it('cannot be approved, and says that it is a part', () => {
    const text = renderText(reportOfPlan(shown(['pdns_zone.r7'])))
    expect(text).toContain('only a part is shown: pdns_zone.r7; the counts are those of the whole')
    expect(text).not.toContain('approve their digest')
  })
  it.each([
    ['delete', n, 0],
    ['unchecked', 0, n],
  ] as const)('is only what is asked for: %j', (only, changes, unchecked) => {
    const part = shown(undefined, only)
    expect([part.changes.length, part.unchecked.length]).toEqual([changes, unchecked])
  })
  it('tells what changed outside from what the configuration changes', () => {
    const of = (cause: 'drift' | 'pending') => ({ ...aChange(`a_b.${cause}`), causes: [{ path: ['x'], cause }] })
    const mixed = aPlan([of('drift'), of('pending')])
    expect(showPart(mixed, { only: 'drift' }).changes.map(({ address }) => address)).toEqual(['a_b.drift'])
    expect(showPart(mixed, { only: 'pending' }).changes.map(({ address }) => address)).toEqual(['a_b.pending'])
  })
})
