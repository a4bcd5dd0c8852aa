import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import type { Change } from '../../../core/engine/schema/stored/plan.ts'
import { lawCases } from '../../builders/laws.ts'
import { everyType, type TypeCase } from '../../builders/waldur/every-type.ts'
import { byIds, outside } from '../../builders/waldur/outside.ts'
import { openWaldurSite, type WaldurSite } from '../../builders/waldur/waldur-site.ts'
import type { References } from '../../builders/waldur/waldur-state.ts'

/* Each type of the document, from its create to its end, in both forms of references. What one type makes, a later one names. */

/** What has another form in the release of 2024, with what it names. */
const of2024 = everyType
  .filter(({ type }) => /project$|ssh_key|group$|instance$|floating_ip/.test(type))
  .map(({ drifts, fixed: _, ...each }) => ({
    ...each,
    drifts: drifts.filter(({ at }) => /customer|rules|Groups/.test(at)),
  }))

describe.each<readonly [References, readonly TypeCase[]]>([
  ['url', everyType],
  ['object', of2024],
])('with references by %s', (references, types) => {
  let site: WaldurSite
  const drives = new Map<string, ReturnType<WaldurSite['drive']>>()
  beforeAll(async () => {
    site = await openWaldurSite({ references })
  })
  afterAll(() => site[Symbol.asyncDispose]())

  const resourceOf = ({ type, spec }: TypeCase) => ({ type, name: 'it', spec })
  const driveOf = (each: TypeCase) => {
    const drive = drives.get(each.type) ?? site.drive([resourceOf(each)])
    drives.set(each.type, drive)
    return drive
  }

  /** Everything that the server holds, by kind. Rules have other ids whenever they are set. */
  const dump = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(site.dump() as JsonObject).map(([kind, objects]) => [
        kind,
        JSON.stringify(objects, (name, value: unknown) => (name === 'id' ? undefined : value)),
      ]),
    )
  const apart = (before: ReturnType<typeof dump>): readonly string[] =>
    Object.entries(dump()).flatMap(([kind, text]) => (text === before[kind] ? [] : [kind]))

  /** The address of the site is another one in each run. */
  const pathsOf = (change: Change): string =>
    change.causes.map(({ path }) => path.join(' / ').replaceAll(/http:\S+\//g, '*')).join(', ')

  /** Without the address of the site, and with a star where check mode knows that an id comes with an answer. */
  const plain = (lines: readonly unknown[]): unknown =>
    JSON.parse(
      JSON.stringify(lines)
        .replaceAll(site.state.base, '')
        .replaceAll(/\(known after apply[^)]*\)|(a0){12}[0-9a-f]{8}/g, '*'),
    )

  const check = async (each: TypeCase) => {
    site.forget()
    const checked = await driveOf(each).check()
    expect(site.writes()).toEqual([])
    return checked
  }
  const expectPlan = async (each: TypeCase, at: string) => {
    const checked = await check(each)
    expect(checked.plan.unchecked).toEqual([])
    expect(checked.plan.changes.map(pathsOf)).toEqual([at])
    return checked
  }
  const apply = async (each: TypeCase, digest: string): Promise<void> => {
    const { status, outcomes } = await driveOf(each).apply(digest)
    const failed = outcomes.flatMap((outcome) => (outcome.status === 'succeeded' ? [] : [outcome.detail]))
    expect({ status, failed }).toEqual({ status: 'succeeded', failed: [] })
    expect(site.writes()).toHaveLength(outcomes.length)
  }
  const expectInSync = async (each: TypeCase): Promise<string> => {
    const { run, plan, digest } = await check(each)
    expect({ changes: plan.changes, unchecked: plan.unchecked }).toEqual({ changes: [], unchecked: [] })
    expect(run.status).toBe('in_sync')
    return digest
  }

  describe.each(types)('a new $type', (each) => {
    it('is created by exactly the requests that check mode logged, and leaves nothing anywhere else', async () => {
      const before = dump()
      const { plan, digest, lines } = await check(each)
      expect(plan.unchecked).toEqual([])
      expect(plan.changes.map(({ action }) => action)).toEqual(['create'])
      expect(await driveOf(each).apply(digest, 'check')).toMatchObject({ status: 'succeeded' })
      expect(site.writes()).toEqual([])
      expect(apart(before)).toEqual([])
      await apply(each, digest)
      expect(plain(site.written())).toEqual(plain(lines))
      expect(apart(before).toSorted()).toEqual(each.leaves.toSorted())
    })

    it('is in sync then, twice, and a further apply sends nothing', async () => {
      for (const _time of [1, 2]) {
        const digest = await expectInSync(each)
        expect(await driveOf(each).apply(digest)).toMatchObject({ status: 'succeeded', outcomes: [] })
        expect(site.writes()).toEqual([])
      }
    })
  })

  const changing = types.filter(({ drifts, fixed = [] }) => drifts.length + fixed.length > 0)
  describe.each(changing)('a $type that somebody else changes', (each) => {
    const back = (before: JsonObject): void => void site.set(each.kind, before, before)
    const rename = each.drifts.find(({ at }) => at === 'name')?.by

    it.each(each.fixed ?? [])('is reported at its "$at", and nothing is sent', async ({ at, by }) => {
      const before = site.one(each.kind, each.found)
      outside(each, by, site)
      const { plan } = await expectPlan(each, at)
      expect(plan.commands).toEqual([])
      back(before)
      await expectInSync(each)
    })

    it.each(rename === undefined ? [] : (each.fixed ?? []))(
      'is unchecked after a change of its name and its "$at", and nothing is ordered',
      async ({ by }) => {
        const before = site.one(each.kind, each.found)
        outside(each, by, site)
        outside(each, rename ?? {}, site)
        const { plan } = await check(each)
        expect(plan).toMatchObject({ commands: [], unchecked: [{ reason: 'ambiguous' }] })
        back(before)
        await expectInSync(each)
      },
    )

    it.each(lawCases(each.drifts))('differs at "$at" alone, and is repaired', async ({ at, by }) => {
      const before = dump()
      outside(each, by, site)
      const { digest } = await expectPlan(each, at)
      await apply(each, digest)
      // What was made anew has other ids.
      if (at === '' || each.isReplaced) await expectInSync(each)
      else expect(apart(before)).toEqual([])
    })
  })

  describe.each(types)('an old $type', (each) => {
    it('is in sync when it names other objects by their ids', async () => {
      const drive = driveOf(each)
      const named = { ...resourceOf(each), spec: byIds(each.spec, site) }
      drive.want([named])
      await expectInSync(each)
      drive.want([resourceOf(each)])
    })
  })

  describe.each(types.toReversed())('a $type at its end', (each) => {
    it('is deleted where it must not exist, and nothing of it comes back', async () => {
      const drive = driveOf(each)
      drive.want([{ ...resourceOf(each), absent: true }])
      const { plan, digest } = await check(each)
      expect(plan.unchecked).toEqual([])
      expect(plan.changes.map(({ action }) => action)).toEqual(['delete'])
      await apply(each, digest)
      await expectInSync(each)
    })
  })

  // The description is that of today.
  if (references === 'url')
    it('sent and received only what the description allows', () => {
      expect(site.violations()).toEqual([])
    })
})
