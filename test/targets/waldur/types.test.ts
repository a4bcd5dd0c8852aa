import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../core/schema/json.ts'
import type { Change } from '../../../core/schema/plan.ts'
import { tablesApart } from './installed.ts'
import { type Kind, kinds, type Outside, spare } from './kinds.ts'
import { openSite, type Site } from './site.ts'

/* Each type on the real server, from its create to its end. What one type makes, a later one may name. */

let site: Site
const drives = new Map<string, ReturnType<Site['drive']>>()

beforeAll(async () => {
  site = await openSite()
  // The seed's tenants have no way out, where floating IPs are.
  await site.sql("update openstack_tenant set external_network_id = 'ext'")
  const { check, apply } = site.drive([spare])
  expect(await apply((await check()).digest)).toMatchObject({ status: 'succeeded' })
})
afterAll(() => site?.close())

const resourceOf = ({ type, spec }: Kind) => ({ type, name: 'it', spec })
const driveOf = (kind: Kind) => {
  const drive = drives.get(kind.type) ?? site.drive([resourceOf(kind)])
  drives.set(kind.type, drive)
  return drive
}
const pathOf = async ({ collection, found }: Kind): Promise<string> => {
  const named = (await site.list(collection)).filter((each) =>
    Object.entries(found).every(([name, value]) => each[name] === value),
  )
  expect(named).toHaveLength(1)
  return `${collection}/${named[0]?.['uuid']}/`
}

const outside = async (kind: Kind, by: Outside): Promise<void> => {
  const path = await pathOf(kind)
  if ('sql' in by) await site.sql(by.sql)
  else if ('patch' in by) await site.ask('PATCH', path, by.patch)
  else if ('post' in by) await site.ask('POST', `${path}${by.post}/`, by.body as Json)
  else await site.ask('DELETE', path)
  await ('remove' in by ? site.gone(path) : site.settled(path))
}

/** The address of the site is another one in each run. */
const pathsOf = (change: Change): string =>
  change.causes.map(({ path }) => path.join(' / ').replaceAll(/http:\S+\//g, '*')).join(', ')

const check = async (kind: Kind) => {
  site.proxy.reset()
  const checked = await driveOf(kind).check()
  expect(site.proxy.writes).toEqual([])
  return checked
}

const expectPlan = async (kind: Kind, at: string) => {
  const checked = await check(kind)
  expect(checked.plan.unchecked).toEqual([])
  expect(checked.plan.changes.map(pathsOf)).toEqual([at])
  return checked
}

const expectInSync = async (kind: Kind): Promise<void> => {
  const { run, plan, digest } = await check(kind)
  expect({ changes: plan.changes, unchecked: plan.unchecked }).toEqual({ changes: [], unchecked: [] })
  expect(run.status).toBe('in_sync')
  expect(await driveOf(kind).apply(digest)).toMatchObject({ status: 'succeeded', outcomes: [] })
  expect(site.proxy.writes).toEqual([])
}

const apply = async (kind: Kind, digest: string): Promise<void> => {
  const applied = await driveOf(kind).apply(digest)
  const failed = applied.outcomes.flatMap(({ status, detail }) =>
    status === 'succeeded' ? [] : [`${status}: ${detail}`],
  )
  expect({ status: applied.status, failed }).toEqual({ status: 'succeeded', failed: [] })
  expect(site.proxy.writes).toHaveLength(applied.outcomes.length)
}

describe.each(kinds)('$type', (kind) => {
  it('is made, by exactly what check mode logged, and leaves nothing anywhere else', async () => {
    const before = await site.dump()
    const { plan, digest } = await check(kind)
    expect(plan.unchecked).toEqual([])
    expect(plan.changes.map(({ action }) => action)).toEqual(['create'])
    expect(await driveOf(kind).apply(digest, 'check')).toMatchObject({ status: 'succeeded' })
    expect(site.proxy.writes).toEqual([])
    expect(tablesApart(before, await site.dump())).toEqual([])
    await apply(kind, digest)
    expect(tablesApart(before, await site.dump())).toEqual(kind.leaves)
  })

  it('is in sync then, twice', async () => {
    for (const _time of [1, 2]) await expectInSync(kind)
  })
})

describe('after a restart of server and worker', () => {
  beforeAll(() => site.restart())
  it.each(kinds)('$type is in sync', expectInSync)
})

describe.each(kinds)('$type, changed by somebody else', (kind) => {
  it.each(kind.fixed ?? [])('$by is reported at "$at", and nothing is sent', async ({ at, by, back }) => {
    await outside(kind, by)
    const { plan } = await expectPlan(kind, at)
    expect(plan.commands).toEqual([])
    await site.sql(back)
    await expectInSync(kind)
  })

  const byName = kind.drifts.find(({ at }) => at === 'name')?.by
  const renamed = byName !== undefined && 'patch' in byName ? byName.patch : undefined

  it.each(renamed === undefined ? [] : (kind.fixed ?? []))(
    'renamed, and with another "$at", is unchecked, and nothing is ordered',
    async (fixed) => {
      const path = await pathOf(kind)
      const rename = async (members: JsonObject): Promise<void> => {
        await site.ask('PATCH', path, members)
        await site.settled(path)
      }
      await outside(kind, fixed.by)
      await rename(renamed ?? {})
      const { plan } = await check(kind)
      expect(plan).toMatchObject({ commands: [], unchecked: [{ reason: 'ambiguous' }] })
      await rename({ name: kind.found['name'] ?? null })
      await site.sql(fixed.back)
      await expectInSync(kind)
    },
  )

  it.each(kind.drifts)('$by shows at "$at" alone, and is repaired', async ({ at, by }) => {
    const before = await site.dump()
    await outside(kind, by)
    const { digest } = await expectPlan(kind, at)
    await apply(kind, digest)
    await expectInSync(kind)
    const isNew = at === '' || kind.isReplaced
    if (!isNew) expect(tablesApart(before, await site.dump())).toEqual([])
  })
})

describe.each(kinds.toReversed())('$type, at its end', (kind) => {
  it('goes where it shall not exist, and nothing of it comes back', async () => {
    const drive = driveOf(kind)
    drive.want([{ ...resourceOf(kind), absent: true }])
    const { plan, digest } = await check(kind)
    expect(plan.unchecked).toEqual([])
    expect(plan.changes.map(({ action }) => action)).toEqual(['delete'])
    await apply(kind, digest)
    await expectInSync(kind)
  })
})
