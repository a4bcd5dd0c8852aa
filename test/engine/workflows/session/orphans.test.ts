import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OrphanFate, ReadResult, RecordedResource } from '../../../../core/engine/schema/resource.ts'
import { loadWorkspace } from '../../../../core/engine/workflows/session/load/load-workspace.ts'
import { bindResources } from '../../../../core/engine/workflows/session/plan/bind-resources.ts'
import type { BoundResource } from '../../../../core/engine/workflows/session/plan/observation.ts'
import { planObserved } from '../../../../core/engine/workflows/session/plan/plan-observed.ts'
import { placeOf, typeOf } from '../../../../core/engine/workflows/session/shared/loaded-workspace.ts'
import { loadProviders } from '../../../../core/providers/load-providers.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { startShop } from '../../../builders/servers/fake-api.ts'
import { renderPlan } from '../../../builders/values/rendered.ts'
import { testSeal } from '../../../builders/workspaces/rest.ts'
import { digestOf, driveShop } from '../../../builders/workspaces/shop-workspace.ts'
import { yaml } from '../../../builders/workspaces/workspace.ts'

const names = ['a', 'b', 'c', 'd', 'e'] as const
const fates = ['delete', 'forget', 'report'] as const

/** A recorded file that may be declared, may have a rule of its own, may be removed, and of which something was read. */
interface Piece {
  readonly name: string
  readonly declared: boolean
  readonly own: OrphanFate | null
  readonly removed: boolean
  readonly successor: boolean
  readonly seen: 'same' | 'other' | 'absent' | 'unknown'
}

const piece = (name: string): fc.Arbitrary<Piece> =>
  fc.record({
    name: fc.constant(name),
    declared: fc.boolean(),
    own: fc.constantFrom(null, ...fates),
    removed: fc.boolean(),
    successor: fc.boolean(),
    seen: fc.constantFrom('same', 'other', 'absent', 'unknown'),
  })

const file = (name: string, content: string) => ({ path: name, content, mode: '0644' })

const resultOf = ({ name, seen }: Piece): ReadResult => {
  if (seen === 'absent') return { kind: 'absent' }
  if (seen === 'unknown') return { kind: 'unknown', reason: 'network', detail: 'down' }
  return { kind: 'present', attributes: file(name, seen === 'same' ? 'x' : 'y') }
}

const addressOf = ({ name, successor, declared }: Piece): string =>
  `host_file.${name}${successor && !declared ? ' (object 2)' : ''}`

const configurationText = (pieces: readonly Piece[], orphans: OrphanFate): string =>
  JSON.stringify({
    workspace: 'acme',
    providers: { files: { source: 'host', with: { root: '/srv' } } },
    orphans,
    resources: pieces
      .filter(({ declared }) => declared)
      .map(({ name }) => ({ type: 'host_file', name, spec: { path: name, content: 'x' } })),
    removed: pieces
      .filter(({ declared, removed }) => removed && !declared)
      .map(({ name }) => ({ address: `host_file.${name}`, reason: 'handed over' })),
  })

const planPieces = async (pieces: readonly Piece[], orphans: OrphanFate) => {
  const loaded = loadWorkspace(yaml(configurationText(pieces, orphans)), await loadProviders())
  const type = typeOf(loaded, 'files', 'host_file')
  if (type === undefined) throw new Error('no type')
  const recorded = pieces.map(
    (each): RecordedResource => ({
      address: addressOf(each),
      type: 'host_file',
      name: each.name,
      provider: 'files',
      attributes: file(each.name, 'x'),
      dependsOn: [],
      lifecycle: each.own === null ? {} : { orphan: each.own },
    }),
  )
  const bound = pieces.map((each, index): [string, BoundResource] => {
    const address = addressOf(each)
    const desired = loaded.configuration.resources.find((one) => one.address === address)
    const record = recorded[index]
    const attributes = desired?.attributes ?? file(each.name, 'x')
    return [
      address,
      {
        ...{ address, type, provider: 'files', place: placeOf(loaded, 'files', type), isOwn: true },
        ...{ target: { address, attributes }, observed: { result: resultOf(each) } },
        ...(desired === undefined ? {} : { desired, desiredAttributes: file(each.name, 'x') }),
        ...(record === undefined ? {} : { recorded: record }),
      },
    ]
  })
  return planObserved(
    { resources: bindResources(new Map(bound)), unmanaged: { found: [], unchecked: [], notLookedInto: [] } },
    { configuration: loaded.configuration, recorded, today: '2026-11-22', seal: testSeal },
  )
}

const fateOf = ({ own, removed }: Piece, orphans: OrphanFate): OrphanFate => (removed ? 'forget' : (own ?? orphans))

describe('a resource that left the configuration', () => {
  it('law: only the fate "delete" has commands, each orphan is named with its rule, and a reported one is never in sync', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(...names.map(piece)), fc.constantFrom(...fates), async (pieces, orphans) => {
        const { plan, resources } = await planPieces(pieces, orphans)
        for (const each of pieces.filter(({ declared }) => !declared)) {
          const address = addressOf(each)
          const fate = fateOf(each, orphans)
          const there = each.seen === 'same' || each.seen === 'other'
          const about = <One extends { readonly address: string }>(all: readonly One[] = []): readonly One[] =>
            all.filter((one) => one.address === address)
          expect(about(plan.commands)).toHaveLength(fate === 'delete' && there ? 1 : 0)
          expect(about(plan.changes).map(({ action }) => action)).toEqual(fate === 'delete' && there ? ['delete'] : [])
          expect(about(plan.unchecked)).toHaveLength(fate !== 'forget' && each.seen === 'unknown' ? 1 : 0)
          expect(about(plan.orphans).map((one) => one.fate)).toEqual(fate === 'forget' || there ? [fate] : [])
          expect(resources.get(address)?.planned.forgotten === true).toBe(fate === 'forget' || each.seen === 'absent')
          if (fate === 'report' && there) expect(plan.inSync).toBe(false)
        }
        const reported = plan.orphans?.filter(({ fate }) => fate === 'report') ?? []
        expect(plan.inSync).toBe(plan.changes.length + plan.unchecked.length + reported.length === 0)
      }),
      lawRuns(200),
    )
  })

  it('leaves the digests of plans alone that have no reported orphan', async () => {
    const gone: Piece = { name: 'a', declared: false, own: null, removed: false, successor: false, seen: 'same' }
    const kept: Piece = { ...gone, name: 'b', declared: true }
    const { plan: byWorkspace } = await planPieces([gone, kept], 'delete')
    const { plan: byRecord } = await planPieces([{ ...gone, own: 'delete' }, kept], 'report')
    expect(byRecord.digests).toEqual(byWorkspace.digests)
    const { plan: reported } = await planPieces([gone, kept], 'report')
    const { plan: without } = await planPieces([kept], 'report')
    expect(reported.digests.plan).not.toBe(without.digests.plan)
  })

  it('is not an orphan while it is the successor of a declared one', async () => {
    const a: Piece = { name: 'a', declared: true, own: null, removed: false, successor: false, seen: 'same' }
    const loose: Piece = { ...a, name: 'a', declared: false, successor: true, seen: 'absent' }
    const { plan, resources } = await planPieces([a, { ...loose, seen: 'unknown' }], 'forget')
    expect(plan.orphans).toBeUndefined()
    expect(resources.get('host_file.a (object 2)')?.planned.forgotten).toBeUndefined()
  })
})

const label = (name: string, more = ''): string =>
  `{ type: shop_label, name: ${name}, spec: { name: ${name}, text: all }${more} }`

const setUp = async (more: string, own = '') => {
  const shop = await startShop()
  const drive = driveShop(shop, [label('kept'), label('old', own)])
  await drive.apply(digestOf(await drive.check()))
  const { store, ids } = drive.deps
  const { clock } = drive
  clock.forward(60_000)
  const begin = shop.writes().length
  const second = driveShop(shop, [label('kept')], { more, store, clock, ids })
  const see = async () => {
    const { run, plan } = await second.check()
    if (plan === undefined) throw new Error('not planned')
    return { run, plan, text: renderPlan(plan, { format: 'text' }) }
  }
  return {
    shop,
    see,
    second,
    written: () => shop.writes().length - begin,
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  }
}

describe('over a real server, a resource that left the configuration', () => {
  it('is deleted by default, and the first screen says by which rule', async () => {
    await using here = await setUp('')
    const { plan, text, ...checked } = await here.see()
    expect(plan.orphans).toEqual([{ address: 'shop_label.old', fate: 'delete', by: 'workspace' }])
    expect(text).toContain('! 1 resource left the configuration: delete (orphans: delete)')
    await here.second.apply(digestOf(checked))
    expect(here.shop.state.labels.has('old')).toBe(false)
    expect((await here.see()).run.status).toBe('in_sync')
  })

  it('is reported again and again, opens an alert, and is never in sync nor deleted', async () => {
    await using here = await setUp('orphans: report')
    for (let n = 0; n < 2; n += 1) {
      const { plan, text, run } = await here.see()
      expect(run.status).toBe('changes')
      expect(run.counts?.orphaned).toBe(1)
      expect(plan.commands).toEqual([])
      expect(text).toContain('! 1 resource left the configuration: report only, nothing is deleted (orphans: report)')
      expect(text).toContain('shop: no changes, 1 orphaned resource')
    }
    expect(here.second.alerts.map(({ kind, findings }) => [kind, findings.map((one) => one.kind)])).toEqual([
      ['opened', ['orphaned']],
    ])
    expect(here.written()).toBe(0)
  })

  it.each([
    ['orphans: forget', '', 'forget, nothing is deleted (orphans: forget)'],
    ['removed: [{ address: shop_label.old, reason: handed over }]', '', 'forget, nothing is deleted (removed)'],
    ['orphans: delete', ', lifecycle: { orphan: forget }', 'forget, nothing is deleted (lifecycle.orphan: forget)'],
  ])('with %s%s is forgotten with a note, and stays in the target', async (more, own, words) => {
    await using here = await setUp(more, own)
    const first = await here.see()
    expect(first.text).toContain(`! 1 resource left the configuration: ${words}`)
    expect(first.run.status).toBe('in_sync')
    const second = await here.see()
    expect(second.plan.orphans).toBeUndefined()
    expect(second.text.includes('nothing is recorded under this address')).toBe(more.startsWith('removed'))
    expect(second.run.status).toBe('in_sync')
    expect(here.written()).toBe(0)
    expect(here.shop.state.labels.has('old')).toBe(true)
  })
})
