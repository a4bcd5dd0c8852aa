import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import type { DssOptions } from '../../builders/dss/dss-automation.ts'
import { type Dss, dssKey, startDss } from '../../builders/dss/dss-server.ts'
import { eachOf, long } from '../../builders/long.ts'
import { driveBundle, shippedBundle } from '../../builders/workspaces/example-workspace.ts'

/* The workspace of examples/dataiku as it is, over a stand-in that begins empty. */

const open = async (options: DssOptions = {}) => {
  const dss = await startDss(options)
  const given = { secrets: { 'env:DSS_API_KEY': dssKey }, base: `${dss.url}/dip/publicapi` }
  return { dss, drive: driveBundle(given, shippedBundle('dataiku', dss.url), 'dataiku-example') }
}

/** Everything is there and recorded, beside what others have. */
const settled = async () => {
  const { dss, drive } = await open()
  const { digest } = await drive.check()
  const { status, outcomes } = await drive.apply(digest)
  expect(outcomes.filter((outcome) => outcome.status !== 'succeeded')).toEqual([])
  expect(status).toBe('succeeded')
  const { variables, settings } = project(dss)
  Object.assign(variables['standard'] ?? {}, { other: 1 })
  const shared = settings['exposedObjects'] as { objects: Json[] }
  shared.objects.push({ type: 'DATASET', localName: 'other', rules: [{ targetProject: 'X' }] })
  await drive.check()
  dss.forget()
  return { dss, drive }
}

const project = (dss: Dss) => {
  const found = dss.projects.get('CHURN')
  if (found === undefined) throw new Error('there is no project')
  return found
}

describe('the workspace of the example', () => {
  it('is created from nothing, and then needs nothing, twice', long, async () => {
    const { dss, drive } = await open()
    await using _ = dss
    const { digest, lines } = await drive.check()
    expect(dss.writes()).toEqual([])
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(dss.writes()).toHaveLength(lines.length)
    // What nobody named, and a whole PUT would have dropped.
    expect(project(dss)).toMatchObject({
      permissions: { dashboardAuthorizations: { allAuthorized: true } },
      settings: { recipeEngines: {}, metrics: {} },
      metadata: { custom: { kv: {} } },
    })
    dss.forget()
    for (const _time of [1, 2]) expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    expect(dss.writes()).toEqual([])
    expect(await drive.apply((await drive.check()).digest)).toMatchObject({ outcomes: [] })
    expect(dss.writes()).toEqual([])
    expect(JSON.stringify(await drive.ledger())).not.toContain(dssKey)
  })

  eachOf(
    it,
    1,
  )<[string, (dss: Dss) => void, readonly string[], readonly string[]]>([
    [
      'a color',
      (dss) => void project(dss).zones.set('zn1Qx8', { ...project(dss).zones.get('zn1Qx8'), color: '#000000' }),
      ['dss_zone.raw color'],
      ['PUT /projects/CHURN/flow/zones/zn1Qx8'],
    ],
    [
      'a tag',
      (dss) => void Object.assign(project(dss).metadata, { tags: ['prod'] }),
      ['dss_project.churn tags'],
      ['PUT /projects/CHURN/metadata'],
    ],
    [
      'a grant',
      (dss) => void Object.assign(project(dss).permissions, { permissions: [] }),
      ['dss_project.churn permissions'],
      ['PUT /projects/CHURN/permissions'],
    ],
    [
      'a variable',
      (dss) => void Object.assign(project(dss).variables, { standard: { other: 1, months: 6, regions: ['eu', 'us'] } }),
      ['dss_variables.churn standard.months'],
      ['PUT /projects/CHURN/variables/'],
    ],
    [
      'the code of a recipe',
      (dss) => void Object.assign(project(dss).recipes.get('compute_monthly') ?? {}, { payload: 'import os\n' }),
      ['dss_recipe.monthly code'],
      ['PUT /projects/CHURN/recipes/compute_monthly'],
    ],
    [
      'a scenario that was switched off',
      (dss) => void Object.assign(project(dss).scenarios.get('NIGHTLY')?.definition ?? {}, { active: false }),
      ['dss_scenario.nightly active'],
      ['PUT /projects/CHURN/scenarios/NIGHTLY'],
    ],
    [
      'a script',
      (dss) => void Object.assign(project(dss).scenarios.get('WATCHDOG') ?? {}, { payload: '' }),
      ['dss_scenario.watchdog code'],
      ['PUT /projects/CHURN/scenarios/WATCHDOG/payload'],
    ],
    [
      'what is shared',
      (dss) => {
        const { objects } = project(dss).settings['exposedObjects'] as { objects: JsonObject[] }
        Object.assign(objects.find(({ localName }) => localName === 'monthly') ?? {}, { rules: [] })
      },
      ['dss_exposed_objects.churn objects'],
      ['PUT /projects/CHURN/settings'],
    ],
  ])('repairs a changed %s by one request, and leaves everything else', async (_what, move, changes, writes) => {
    const { dss, drive } = await settled()
    await using _ = dss
    const before = dss.dump()
    move(dss)
    expect(dss.dump()).not.toEqual(before)
    const { plan, digest } = await drive.check()
    expect(plan.changes.map(({ address }) => address)).toEqual(changes.map((line) => line.split(' ')[0]))
    expect(JSON.stringify(plan.changes)).toContain(changes[0]?.split(/[ .]/).at(-1))
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(dss.written().map(([line]) => line)).toEqual(writes)
    expect((await drive.check()).plan.inSync).toBe(true)
    expect(withoutTags(dss.dump())).toEqual(withoutTags(before))
  })
})

/** The server counts its writes. Tags are a set. */
const withoutTags = (value: Json): Json =>
  JSON.parse(
    JSON.stringify(value, (name, inner: unknown) => {
      if (name === 'versionTag') return undefined
      return name === 'tags' && Array.isArray(inner) ? inner.toSorted() : inner
    }),
  ) as Json

describe('a library', () => {
  it('exists when its clone is done, and a failure of git is a failed command with its words', long, async () => {
    const { dss, drive } = await open({ polls: 3, cloneError: 'branch main not found' })
    await using _ = dss
    const { outcomes, error } = await drive.apply((await drive.check()).digest)
    expect(outcomes.filter(({ status }) => status !== 'succeeded')).toMatchObject([
      { command: 'dss_git_library.features#1', status: 'failed' },
    ])
    expect(error?.message).toContain('it failed: branch main not found')
    expect(dss.lines().filter((line) => line.startsWith('GET /futures/'))).toHaveLength(4)
    expect((await drive.check()).lines.map(([line]) => line)).toEqual(['POST /projects/CHURN/git/lib-git-refs/'])
  })

  it('gets another branch, and then the files of that branch', long, async () => {
    const { dss, drive } = await settled()
    await using _ = dss
    const { files, entry } = drive.current.bundle
    const moved = files[entry]?.replace('checkout: main', 'checkout: stable') ?? ''
    drive.current.bundle = { entry, files: { ...files, [entry]: moved } }
    expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(dss.written()).toMatchObject([
      ['PUT /projects/CHURN/git/lib-git-refs/features', { checkout: 'stable', repository: expect.any(String) }],
      ['POST /projects/CHURN/git/lib-git-refs/action/reset', { gitRef: 'features' }],
    ])
    expect(project(dss).libraries.gitReferences['features']).toMatchObject({ checkout: 'stable', lastHash: 'd4e5f6' })
    expect((await drive.check()).plan.inSync).toBe(true)
  })
})
