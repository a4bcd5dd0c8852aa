import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { digest } from '../../../../core/engine/json/digest.ts'
import { verify } from '../../../../core/engine/ledger/verify.ts'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import type { RecordedResource } from '../../../../core/engine/schema/resource.ts'
import type { StateDocument } from '../../../../core/engine/schema/stored/state.ts'
import { createApply } from '../../../../core/engine/state/applies/applies.ts'
import { unfinishedWrite } from '../../../../core/engine/state/applies/unfinished-applies.ts'
import { readLedger, readWholeLedger } from '../../../../core/engine/state/ledger.ts'
import { loadRecorded, saveRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { openRecords } from '../../../../core/engine/workflows/records/open-records.ts'
import { forgetRecords } from '../../../../core/engine/workflows/state/forget-records.ts'
import { importState, type StateSource } from '../../../../core/engine/workflows/state/import-state.ts'
import { long } from '../../../builders/long.ts'
import { anApply, aResource } from '../../../builders/values/records.ts'
import { renderPlan } from '../../../builders/values/rendered.ts'
import { approver, type StateWorld, stateWorld } from '../../../builders/workspaces/state-world.ts'

let world: StateWorld
const request = { workspace: 'acme', actor: approver, reason: 'put it back' }
const recorded = () => loadRecorded(world.deps.store, 'acme')
const records = () => openRecords(world.deps.store, 'acme')
const exported = async () => (await records()).exportState()
const entries = () => Array.fromAsync(readLedger(world.deps.store, 'acme'))
const run = (source: StateSource) => importState({ ...request, source }, world.deps)
const file = (document: unknown) => run({ document: JSON.parse(JSON.stringify(document)) })
const save = async (...put: readonly RecordedResource[]) =>
  saveRecorded(world.deps.store, await recorded(), { put, remove: [] }, { lineage: 'first' })
/** As somebody would edit it who knows the format. */
const edited = (document: StateDocument, more: Partial<StateDocument>): StateDocument => {
  const { digest: _, ...rest } = { ...document, ...more }
  return { ...rest, digest: digest(rest) }
}

beforeEach(async () => {
  world = await stateWorld(['a', 'b'])
  world.write('a', 'right')
  world.write('b', 'right')
  await world.check()
})
afterEach(async () => {
  expect(await verify(readWholeLedger(world.deps.store, 'acme'), { workspace: 'acme' })).toMatchObject({ ok: true })
  world.folder.remove()
})

describe('an imported state', () => {
  it('takes the place of what was recorded, with an entry, a backup, and a larger serial', async () => {
    const document = await exported()
    await save(aResource('x'))
    const current = await exported()
    const changed = await file(edited(document, { serial: current.serial + 5 }))
    expect(changed).toMatchObject({
      change: 'imported',
      lineage: document.lineage,
      before: current.serial,
      after: current.serial + 6,
      digest: expect.stringMatching(/^sha256:/),
    })
    expect(changed).not.toHaveProperty('addresses')
    const after = await exported()
    expect(after.resources).toEqual(document.resources)
    expect((await entries()).at(-1)).toMatchObject({
      kind: 'imported',
      actor: approver,
      reason: request.reason,
      state: { before: current.serial, after: after.serial, digest: changed.digest, backup: changed.backup?.id },
    })
    expect(await (await records()).exportState(changed.backup?.id)).toEqual(current)
    expect(existsSync(join(world.folder.path, 'a'))).toBe(true)
    expect((await world.check()).run.status).toBe('in_sync')
  })

  it('may be the very version that is stored, and the serial still grows', async () => {
    const document = await exported()
    expect(await file(document)).toMatchObject({ before: document.serial, after: document.serial + 1 })
  })

  it('starts a state where nothing was recorded, with the lineage of the document and without a backup', async () => {
    const document = await exported()
    world.folder.remove()
    world = await stateWorld(['a', 'b'])
    const changed = await file(document)
    expect(changed).toMatchObject({ before: 0, after: document.serial + 1, lineage: document.lineage })
    expect(changed).not.toHaveProperty('backup')
    expect((await exported()).resources).toEqual(document.resources)
    expect(await (await records()).backups()).toEqual([])
  })

  it('of 5,000 resources is exported, imported and restored whole', long, async () => {
    const many = Array.from({ length: 5_000 }, (_, n) => aResource(`r${String(n).padStart(4, '0')}`, { ttl: n }))
    const small = await exported()
    const resources = many.map((each) => ({ ...each, digest: digest(each.attributes) }))
    await file(edited(small, { resources }))
    expect((await exported()).resources).toEqual(resources)
    const back = await file(edited(await exported(), { resources: small.resources }))
    expect((await exported()).resources).toEqual(small.resources)
    await run({ backup: back.backup?.id ?? '' })
    expect((await exported()).resources).toEqual(resources)
  })
})

describe('the delete of an object', () => {
  const planned = async (format: 'text' | 'markdown' = 'text') => {
    const { plan } = await world.check()
    if (plan === undefined) throw new Error('the check has a plan')
    return renderPlan(plan, { format, width: 1000 })
  }

  it('says that no apply of it is known, where an import recorded it', async () => {
    const document = await exported()
    const [first] = document.resources
    if (first === undefined) throw new Error('there are two')
    world.write('c', 'of somebody else')
    const attributes = { ...first.attributes, path: 'c', content: 'of somebody else' }
    const forged = { ...first, address: 'host_file.c', name: 'c', attributes, digest: digest(attributes) }
    await file(edited(document, { resources: [...document.resources, forged] }))
    for (const format of ['text', 'markdown'] as const)
      expect(await planned(format)).toMatch(
        /host_file.c.*will be destroyed.*no apply of it is known: a check or an import/,
      )
  })

  it('says nothing like it where an apply made it', async () => {
    await world.configure(['a', 'b', 'c'])
    await world.execute((await world.request()).id)
    await world.configure(['a', 'b'])
    const text = await planned()
    expect(text).toMatch(/host_file.c.*will be destroyed/)
    expect(text).not.toContain('no apply of it is known')
  })
})

describe('a backup', () => {
  it('is restored although it is older, and the replaced state has a backup too', async () => {
    const before = await exported()
    const forgotten = await forgetRecords({ ...request, addresses: ['host_file.a', 'host_file.b'] }, world.deps)
    await save(aResource('x'))
    const restored = await run({ backup: forgotten.backup?.id ?? '' })
    expect(restored).toMatchObject({ change: 'imported', before: before.serial + 2, after: before.serial + 3 })
    expect((await exported()).resources).toEqual(before.resources)
    await run({ backup: restored.backup?.id ?? '' })
    expect((await recorded()).resources).toEqual([aResource('x')])
  })

  it('that does not exist is refused, as it does not exist any more after 90 days', async () => {
    const missing = { code: 'BACKUP_NOT_FOUND', payload: { backup: 'nothing' } }
    await expect(run({ backup: 'nothing' })).rejects.toMatchObject(missing)
    const { backup } = await forgetRecords({ ...request, addresses: ['host_file.a'] }, world.deps)
    world.clock.forward(90 * 24 * 3600_000 - 1_000)
    expect(await (await records()).backups()).toHaveLength(1)
    world.clock.forward(2_000)
    expect(await (await records()).backups()).toEqual([])
    await expect(run({ backup: backup?.id ?? '' })).rejects.toMatchObject({ code: 'BACKUP_NOT_FOUND' })
  })
})

describe('an import is refused, and nothing is written:', () => {
  const refused = async (document: unknown, error: object) => {
    const [before, count] = [await recorded(), (await entries()).length]
    await expect(file(document)).rejects.toMatchObject(error)
    expect(await recorded()).toEqual(before)
    expect(await entries()).toHaveLength(count)
    expect(await (await records()).backups()).toEqual([])
  }
  const withFirst = (document: StateDocument, more: Json) => {
    const [first, ...others] = document.resources
    return edited(document, {
      resources: [{ ...first, ...(more as object) } as (typeof document.resources)[0], ...others],
    })
  }

  it('for a state of another workspace, or of another lineage', async () => {
    const document = await exported()
    await refused(edited(document, { workspace: 'beta' }), {
      code: 'STATE_FOREIGN',
      payload: { of: 'workspace', found: 'beta' },
    })
    await refused(edited(document, { lineage: 'x' }), { code: 'STATE_FOREIGN', payload: { of: 'lineage', found: 'x' } })
  })

  it('for an older state than the stored one', async () => {
    const document = await exported()
    await save(aResource('x'))
    await refused(document, {
      code: 'STATE_OUTDATED',
      payload: { stored: document.serial + 1, found: document.serial },
    })
  })

  it('for a newer format, and one that never existed', async () => {
    const document = await exported()
    await refused({ ...document, formatVersion: '3' }, { code: 'STATE_NEWER', payload: { found: '3', known: '2' } })
    await refused({ ...document, formatVersion: '0' }, { code: 'STATE_INVALID' })
    await refused({ ...document, formatVersion: 'toString' }, { code: 'STATE_INVALID' })
  })

  it.each([null, 'text', 7, [], {}, { formatVersion: 2 }])('for a document that is only %j', (value) =>
    refused(value, { code: 'STATE_INVALID' }),
  )

  it('for a document that was changed without its digest', async () => {
    const document = await exported()
    const [first, second] = document.resources
    if (first === undefined || second === undefined) throw new Error('there are two')
    const changes: readonly Partial<Record<keyof StateDocument, unknown>>[] = [
      { serial: document.serial + 1 },
      { resources: [second] },
      { resources: [first, first] },
      { resources: [{ ...first, attributes: { ...first.attributes, content: 'other' } }, second] },
      { digest: digest('other') },
      { more: 'x' } as object,
    ]
    for (const change of changes) await refused({ ...document, ...change }, { code: 'STATE_INVALID' })
    const text = JSON.stringify(document)
    for (let at = 0; at < text.length; at += 37) {
      const code = text.charCodeAt(at) ^ 1
      const flipped = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1)
      let value: unknown
      try {
        value = JSON.parse(flipped)
      } catch {
        continue
      }
      await refused(value, { code: expect.stringMatching(/^STATE_/) })
    }
  })

  it.each<[string, Json, RegExp]>([
    ['a record that is there twice', {}, /host_file\.b is in it twice/],
    ['a member that no record has', { secret: 'x' }, /\/resources\/0: unrecognized key/i],
    ['a record without its type', { type: '' }, /\/resources\/0\/type/],
    ['an empty address', { address: '' }, /\/resources\/0\/address/],
    ['an address that no key can hold', { address: `x.${'y'.repeat(2_000)}` }, /at most 900 bytes/],
    ['an address that is none', { address: 'a file' }, /"a file" is no address/],
    [
      'a module with a line feed',
      { address: 'module.a\nb.host_file.a' },
      /"module\.a\\nb\.host_file\.a" is no address/,
    ],
    ['a name that every object has', { address: 'host_file.__proto__' }, /is no address that a configuration/],
    [
      'a key that no configuration can have',
      { address: 'host_file.a["\\r\\n"]' },
      /\/resources\/0\/address: .*is no address/,
    ],
    [
      'another spelling of an address',
      { address: 'host_file.a["\\u0061"]' },
      /\/resources\/0\/address: .*is no address/,
    ],
    ['a need that is no address', { dependsOn: ['host_file.b', '../b'] }, /\/dependsOn\/1: "\.\.\/b" is no address/],
    [
      'the type of another address',
      { type: 'host_folder' },
      /\/resources\/0\/type: "host_folder": the address is host_file\.a/,
    ],
    ['the name of another address', { name: 'b' }, /\/resources\/0\/name: "b": the address is host_file\.a/],
    [
      'a module that its address does not name',
      { module: 'module.m' },
      /\/resources\/0\/module: "module\.m": the address/,
    ],
    [
      'no module where its address names one',
      { address: 'module.m.host_file.a' },
      /\/resources\/0\/module: nothing: the address/,
    ],
    ['a digest that is not that of the attributes', { digest: digest('other') }, /its digest is/],
  ])('for %s, even with the right digest', async (what, more, message) => {
    const document = await exported()
    const [first, second] = document.resources
    const wrong = what.includes('twice')
      ? edited(document, { resources: [first, second, second].flatMap((each) => each ?? []) })
      : withFirst(document, more)
    await refused(wrong, { code: 'STATE_INVALID', message: expect.stringMatching(message) })
  })

  it.each(['type', 'name', 'provider', 'module'])('for a %s that no configuration accepts', async (member) => {
    const document = await exported()
    for (const value of ['../../etc/passwd', 'a\r\nb', 'a\0', 'a\u202eb', '__proto__', 'constructor', 'host_file\n'])
      await refused(withFirst(document, { [member]: value }), {
        code: 'STATE_INVALID',
        message: expect.stringContaining(`/resources/0/${member}: ${JSON.stringify(value)}`),
      })
  })

  it.each<JsonObject>([
    { $secret: 'env:HOME' },
    { $literal: 'x', $secret: 'env:HOME' },
    { $sealed: 'in the clear' },
    { $sealed: 'hmac-sha256:00:ff', more: 'x' },
    { $after: 'x.y', pointer: '/id' },
    { $ref: 'x.y', pointer: '/id' },
    { $concat: ['a', { $secret: 'env:HOME' }] },
    { $live: 'x.y#z', except: [], without: [], with: {} },
    { $number: 'env:HOME' },
  ])('for %j in an attribute, even with the right digest', async (mark) => {
    const attributes = { list: [{ deep: mark }] }
    const wrong = withFirst(await exported(), { attributes, digest: digest(attributes) } as unknown as Json)
    await refused(wrong, { code: 'STATE_INVALID', message: expect.stringContaining('/attributes/list/0/deep') })
    const refs = withFirst(await exported(), { refs: { parent: mark } })
    await refused(refs, { code: 'STATE_INVALID', message: expect.stringContaining('/refs/parent') })
  })

  it('for half a character, and values that are nested too deeply', async () => {
    const document = await exported()
    await refused(
      { ...document, lineage: '\ud800' },
      { code: 'STATE_INVALID', message: expect.stringContaining('/lineage') },
    )
    const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)
    await refused(
      { ...document, resources: deep },
      { code: 'STATE_INVALID', message: expect.stringContaining('deeply') },
    )
  })

  it('while an apply has begun and not ended', async () => {
    const document = await exported()
    const begun = anApply(7, { status: 'running', startedAt: '2026-11-21T06:00:00.000Z' })
    await createApply(world.deps.store, begun, { further: [unfinishedWrite(begun, world.clock.now())] })
    await refused(document, { code: 'APPLY_UNFINISHED' })
  })
})
