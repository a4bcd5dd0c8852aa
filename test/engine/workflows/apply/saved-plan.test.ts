import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSavedPlan, savePlan } from '../../../../core/engine/plan/saved-plan.ts'
import type { Selection } from '../../../../core/engine/schema/stored/plan.ts'
import {
  type Basis,
  basisParts,
  engineVersion,
  type SavedPlan,
} from '../../../../core/engine/schema/stored/saved-plan.ts'
import { narrowPlan } from '../../../../core/engine/workflows/apply/approved/select-targets.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { startShop } from '../../../builders/servers/fake-api.ts'
import { driveShop, workspace } from '../../../builders/workspaces/shop-workspace.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'

const label = (name: string, text = 'all'): string =>
  `{ type: shop_label, name: ${name}, spec: { name: ${name}, text: ${text} } }`

const open = async () => {
  const shop = await startShop()
  const drive = driveShop(shop, [label('sale')])
  const first = await drive.check()
  await drive.apply(first.run.digests?.commands ?? '')
  drive.configure([label('sale'), label('new'), label('other')])
  const save = async (selection: Selection = {}): Promise<SavedPlan> => {
    drive.clock.forward(60_000)
    const { run, plan } = await drive.check()
    if (plan === undefined) throw new Error('not planned')
    return savePlan(run, narrowPlan(plan, selection), '2026-11-22T06:00:00.000Z')
  }
  const apply = async ({ commandsDigest: digest, runId, basis, targets, exclude }: SavedPlan) => {
    const selection = { ...(targets && { targets }), ...(exclude && { exclude }) }
    const { id } = await requestApply(
      { workspace, mode: 'execute', digest, runId, basis, ...selection, reason: 'r', actor },
      drive.deps,
    )
    const before = shop.writes().length
    const ended = await drive.runAgain(id)
    return { ...ended, sent: shop.writes().length - before }
  }
  return { shop, drive, save, apply, [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose]() }
}

const other: Basis = {
  lineage: 'another history',
  serial: 999,
  configurationDigest: `sha256:${'1'.repeat(64)}`,
  observedDigest: `sha256:${'2'.repeat(64)}`,
  engineVersion: '9.9.9',
}

const names = {
  lineage: 'lineage of the recorded state',
  serial: 'serial of the recorded state',
  configurationDigest: 'configuration',
  observedDigest: 'observed objects',
  engineVersion: 'engine version',
} as const

describe('a saved plan', () => {
  it('law: is refused with everything that changed since, and nothing else, and sends nothing', async () => {
    await using here = await open()
    const saved = await here.save()
    await fc.assert(
      fc.asyncProperty(fc.subarray([...basisParts], { minLength: 1 }), async (moved) => {
        const basis = { ...saved.basis, ...Object.fromEntries(moved.map((part) => [part, other[part]])) }
        const { status, error, sent } = await here.apply({ ...saved, basis })
        expect([status, error?.code, sent]).toEqual(['refused', 'SAVED_PLAN_STALE', 0])
        for (const part of basisParts) expect(error?.message.includes(names[part])).toBe(moved.includes(part))
      }),
      lawRuns(20),
    )
    expect(await here.apply(saved)).toMatchObject({ status: 'succeeded', sent: 2, basis: saved.basis })
  })

  it('sends exactly the selected part', async () => {
    await using here = await open()
    const saved = await here.save({ exclude: ['shop_label.new'] })
    expect(await here.apply(saved)).toMatchObject({ status: 'succeeded', sent: 1, exclude: ['shop_label.new'] })
    expect(await here.apply(saved)).toMatchObject({ status: 'refused', error: { code: 'SAVED_PLAN_STALE' }, sent: 0 })
  })

  it.each<[string, (here: Awaited<ReturnType<typeof open>>) => unknown, readonly string[]]>([
    [
      'a file',
      ({ drive }) => drive.configure([label('sale'), label('new'), label('other'), label('more')]),
      ['configuration', 'not as it was: shop_label.more;'],
    ],
    [
      'an object that the plan does not touch',
      ({ shop }) => shop.state.labels.set('sale', { name: 'sale', text: 'none' }),
      ['observed objects', 'not as it was: shop_label.sale;'],
    ],
  ])('is refused where %s changed', async (_, move, parts) => {
    await using here = await open()
    const saved = await here.save()
    move(here)
    const { error, sent } = await here.apply(saved)
    expect([error?.code, sent]).toEqual(['SAVED_PLAN_STALE', 0])
    for (const part of parts) expect(error?.message).toContain(part)
  })

  it('is not made stale by its own check, nor by another check with the same finding', async () => {
    await using here = await open()
    here.shop.state.labels.set('new', { name: 'new', text: 'all' })
    const saved = await here.save()
    expect((await here.save()).basis).toEqual(saved.basis)
    expect(await here.apply(saved)).toMatchObject({ status: 'succeeded', sent: 1 })
  })

  it('is read back as it was written, and is refused if any value of it was changed', async () => {
    await using here = await open()
    const saved = await here.save({ targets: ['shop_label.*'] })
    const text = JSON.stringify(saved)
    expect(readSavedPlan('plan.json', text)).toEqual(saved)
    expect(text).not.toContain('key')
    const changed = [
      { ...saved, commandsDigest: other.configurationDigest },
      { ...saved, basis: { ...saved.basis, serial: saved.basis.serial + 1 } },
      { ...saved, targets: ['shop_label.new'] },
    ]
    for (const each of changed) {
      expect(() => readSavedPlan('plan.json', JSON.stringify(each))).toThrow('it was changed after it was written')
    }
    const twice = text.replace('"targets":', '"targets":["*"],"targets":')
    expect(() => readSavedPlan('plan.json', twice)).toThrow('it was changed after it was written')
    for (const each of ['', '[]', '{}', 'workspace: a', JSON.stringify({ ...saved, formatVersion: '2' })]) {
      expect(() => readSavedPlan('plan.json', each)).toThrow('it is not a plan that')
    }
  })

  it('names the version of this package', () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8'))
    expect(engineVersion).toBe(version)
  })
})
