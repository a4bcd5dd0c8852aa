import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { digest } from '../../../../core/engine/json/digest.ts'
import type { RecordedResource } from '../../../../core/engine/schema/resource.ts'
import { stateDocumentShape, stateRecordShape } from '../../../../core/engine/schema/stored/state.ts'
import { loadRecorded, saveRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { openRecords } from '../../../../core/engine/workflows/records/open-records.ts'
import { renderState, renderStateShown } from '../../../../core/pages/render/plain/render-state.ts'
import { approver, type StateWorld, stateWorld } from '../../../builders/workspaces/state-world.ts'

let world: StateWorld
beforeEach(async () => {
  world = await stateWorld(['a', 'b'])
})
afterEach(() => world.folder.remove())

const records = () => openRecords(world.deps.store, world.workspace)
const save = async (...put: readonly RecordedResource[]) => {
  const base = await loadRecorded(world.deps.store, world.workspace)
  return saveRecorded(world.deps.store, base, { put, remove: [] }, { lineage: 'first' })
}
/** With every member that a record can have. */
const full: RecordedResource = {
  address: 'module.prod["eu/west"].pdns_zone.main["ü 1"]',
  type: 'pdns_zone',
  name: 'main',
  module: 'module.prod["eu/west"]',
  provider: 'dns',
  attributes: {
    name: 'acme.example.',
    key: { $sealed: 'hmac-sha256:1a2b:00ff' },
    ttl: { $number: '1e400' },
    none: null,
  },
  ids: { id: '4711' },
  refs: { parent: { id: '1' } },
  refersBy: ['parent'],
  doubted: 'several',
  sentBy: '01J',
  sent: { '/key': { digest: 'hmac-sha256:1a2b:00ff', witness: 'sha256:00' } },
  neverAgreed: ['/ttl'],
  lastApplied: { applyId: '01A', runId: '01R', actor: approver, at: '2026-11-22T18:00:00.000Z' },
  dependsOn: ['pdns_zone.parent'],
  lifecycle: {
    orphan: 'report',
    preventDestroy: true,
    ignoreChanges: ['ttl'],
    onImmutable: 'replace',
    manage: { rrsets: 'declared' },
  },
}

describe('the list of a state', () => {
  it('names each address with how the object is found, its doubt and its last apply', async () => {
    const queued = await world.request()
    await world.execute(queued.id)
    await save(full)
    const found = await (await records()).state()
    expect(found).toMatchObject({
      workspace: 'acme',
      lineage: expect.stringMatching(/\S/),
      resources: [
        { address: 'host_file.a', foundBy: 'keys', lastApplied: { applyId: queued.id } },
        { address: 'host_file.b', foundBy: 'keys', lastApplied: { actor: approver } },
        { address: full.address, foundBy: 'ids', doubted: 'several', digest: digest(full.attributes) },
      ],
    })
    expect(found.resources[0]).not.toHaveProperty('attributes')
    const [a, , c, head] = renderState(found).split('\n')
    expect(a).toMatch(/^host_file\.a {2,}by keys {2,}applied 2026-11-21 06:00:00Z by grace via api$/)
    expect(c).toContain('doubted: several objects had its name since it was last read')
    expect(c?.indexOf('by id')).toBe(a?.indexOf('by keys'))
    expect(head).toBe(`3 recorded resources of acme, serial ${found.serial}, lineage ${found.lineage}`)
  })

  it.each([
    ['*', 3],
    ['host_file.*', 2],
    ['module.prod["eu/west"].*', 1],
    [full.address, 1],
    ['host_file.aa', 0],
  ])('with %s shows %i', async (glob, expected) => {
    world.write('a', 'right')
    world.write('b', 'right')
    await world.check()
    await save(full)
    expect((await (await records()).state(glob)).resources).toHaveLength(expected)
  })

  it('is empty before the first record', async () => {
    expect(await (await records()).state()).toEqual({ workspace: 'acme', serial: 0, resources: [] })
    await expect((await records()).exportState()).rejects.toMatchObject({ code: 'STATE_NOT_FOUND', status: 404 })
  })
})

describe('a record on the screen', () => {
  it('shows attributes, ids, references, doubt and last apply', async () => {
    await save(full)
    const shown = await (await records()).recordOf(full.address)
    expect(shown).toEqual({
      workspace: 'acme',
      lineage: 'first',
      serial: 1,
      resource: { ...full, digest: digest(full.attributes) },
      doubt: 'several objects had its name since it was last read',
    })
    const text = renderStateShown(shown)
    for (const part of [
      '{"id":"4711"}',
      '{"parent":{"id":"1"}}',
      'grace via api',
      'apply 01A'.slice(6),
      'hmac-sha256:1a2b:00ff',
    ])
      expect(text).toContain(part)
  })

  it('is refused for an unknown address', async () => {
    await save(full)
    await expect((await records()).recordOf('pdns_zone.mian')).rejects.toMatchObject({
      code: 'RECORD_NOT_FOUND',
      payload: { address: 'pdns_zone.mian' },
    })
  })

  it('has one line for each value, whatever its texts contain', async () => {
    await save({ ...full, address: 'x.y\u001b[2J\n', attributes: { a: '\u202e\u001b]0;x\u0007' } })
    const text = renderStateShown(await (await records()).recordOf('x.y\u001b[2J\n'))
    const list = renderState(await (await records()).state())
    for (const character of ['\u001b', '\u0007', '\u202e']) {
      expect(text).not.toContain(character)
      expect(list).not.toContain(character)
    }
  })
})

describe('an export', () => {
  it('contains every member of every record, in a shape that knows them, and the same bytes each time', async () => {
    await save(full)
    const document = await (await records()).exportState()
    expect(document.resources).toEqual([{ ...full, digest: digest(full.attributes) }])
    expect(stateDocumentShape.safeParse(document).error).toBeUndefined()
    expect(stateRecordShape.safeParse(full).error).toBeUndefined()
    const { digest: told, ...rest } = document
    expect(told).toBe(digest(rest))
    expect(JSON.stringify(await (await records()).exportState())).toBe(JSON.stringify(document))
  })
})
