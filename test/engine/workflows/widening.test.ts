import { describe, expect, it } from 'vitest'
import { advanceEpisodes } from '../../../core/engine/alert/episode.ts'
import type { Plan } from '../../../core/engine/schema/stored/plan.ts'
import type { Run } from '../../../core/engine/schema/stored/records.ts'
import { renderPlan } from '../../../core/pages/render/index.ts'
import { renderAlert } from '../../../core/pages/render/plain/render-alert.ts'
import { aThing, aWorld } from '../../semantics/world.ts'

const attributes = `
visibility: { access: [private, internal, public] }
reviews: { type: number, access: restricts }
members: { type: set, access: grants }
color: {}
`
const wanted = { visibility: 'private', reviews: 2, members: ['ada'] }

const worldOf = async (live: object, settings = {}) => {
  const things = { repo: { name: 'repo', ...wanted } }
  const world = await aWorld({ attributes, resources: [aThing('repo', wanted)], live: things, settings })
  await world.check()
  world.put('repo', { name: 'repo', ...wanted, ...live })
  return world
}

const alertOf = (plan: Plan, run: Run) => {
  const at = '2026-03-01T00:00:00.000Z'
  const { alerts } = advanceEpisodes({
    workspace: 'things',
    plan,
    run,
    open: [],
    at,
    newId: () => 'x',
    rules: { minSeverity: 'low' },
  })
  return alerts.find(({ about }) => about === 'drift')
}

describe('access that somebody gave outside', () => {
  it.each<[string, object, string]>([
    ['a visibility', { visibility: 'public' }, 'visibility'],
    ['fewer reviews', { reviews: 0 }, 'reviews'],
    ['another member', { members: ['ada', 'mallory'] }, 'members'],
  ])('is urgent as %s, and its repair may be sent whatever the policy is', async (_, live, path) => {
    await using world = await worldOf(live, { policy: { allowWidening: false } })
    const { plan, run, digest } = await world.check()
    expect(plan.changes[0]?.causes).toEqual([{ path: [path], cause: 'drift', access: 'narrows' }])
    const alert = alertOf(plan, run)
    expect(alert).toMatchObject({ severity: 'high', findings: [{ access: 'wider' }] })
    expect(alert && renderAlert(alert, { form: 'text' })).toContain('(gives more access than configured)')
    expect(await renderPlan(plan, { format: 'text', width: 100 })).toMatch(
      new RegExp(`${path}.*gives less access`, 's'),
    )
    expect((await world.apply(digest)).status).toBe('succeeded')
  })
})

describe('a change that gives more access', () => {
  it('is marked in the plan and in the alert, and refused by the policy', async () => {
    await using world = await worldOf({}, { policy: { allowWidening: false } })
    world.want([aThing('repo', { ...wanted, visibility: 'public', color: 'red' })])
    const { plan, run, digest } = await world.check()
    const text = await renderPlan(plan, { format: 'text', width: 100 })
    expect(text).toContain('1 change gives more access: api_thing.repo')
    expect(text).toMatch(/visibility.*gives more access/)
    expect(alertOf(plan, run)).toMatchObject({ severity: 'low', findings: [{ access: 'narrower' }] })
    expect(await world.apply(digest)).toMatchObject({
      status: 'refused',
      error: {
        message: expect.stringContaining('gives more access at visibility, and allowWidening is false') as string,
      },
    })
    expect(world.sent()).toEqual([])
  })

  it('is not the change of a colour', async () => {
    await using world = await worldOf({ color: 'red' }, { policy: { allowWidening: false } })
    world.want([aThing('repo', { ...wanted, color: 'blue' })])
    const { plan } = await world.check()
    expect(plan.changes[0]?.causes).toEqual([{ path: ['color'], cause: 'new' }])
  })

  it('may be an object that gives access by itself', async () => {
    const more = 'lifecycle: { access: grants }'
    await using world = await aWorld({ more, resources: [aThing('key', { size: 1 })] })
    const { plan } = await world.check()
    expect(plan.changes[0]?.causes).toEqual([{ path: [], cause: 'new', access: 'widens' }])
    expect(await renderPlan(plan, { format: 'text', width: 100 })).toContain(
      '1 change gives more access: api_thing.key',
    )
  })
})
