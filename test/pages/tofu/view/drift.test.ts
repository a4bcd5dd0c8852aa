import { describe, expect, test } from 'vitest'
import {
  actionsPlan,
  canary,
  driftPlan,
  emptyPlan,
  host,
  networkSchemas,
  resourceChange,
  tofuPlan,
  twinsPlan,
} from '../builders/documents.ts'
import { good } from '../builders/one-change.ts'
import { changeNamed, planViewOf, viewOf } from '../builders/read-views.ts'

const schemas = networkSchemas

describe('the drift and its relations', () => {
  test('connect an object that goes with an equal one that is created', () => {
    const twins = planViewOf(twinsPlan(), { schemas }).changes.map(({ address, twin }) => [address, twin])
    expect(twins).toEqual([
      ['net_host.web', 'net_host.front'],
      ['net_host.front', 'net_host.web'],
      ['net_host.shard["eu"]', 'net_host.shard["eu-west"]'],
      ['net_host.shard["eu-west"]', 'net_host.shard["eu"]'],
      ['net_host.other', undefined],
      ['net_host.another', undefined],
    ])
  })

  test.each<[string, object, object, object, boolean]>([
    ['nothing is known of it', { id: 'a' }, {}, { id: true, name: true }, false],
    ['an element more', { ports: [1] }, { ports: [1, 2] }, {}, false],
    ['a part of it is known later', { tags: { a: 'x', b: 'y' } }, { tags: { a: 'x' } }, { tags: { b: true } }, true],
    ['one attribute less', { name: 'a', image: 'b' }, { name: 'a' }, {}, false],
    ['a secret that is the same', { name: 'a', password: canary }, { name: 'a', password: canary }, {}, true],
    ['another secret', { name: 'a', password: canary }, { name: 'a', password: `${canary}!` }, {}, false],
  ])('are right for twins: %s', (_, before, after, after_unknown, are) => {
    const plan = tofuPlan([
      resourceChange(['delete'], { before }, { name: 'old' }),
      resourceChange(['create'], { after, after_unknown }, { name: 'new' }),
    ])
    expect(changeNamed(planViewOf(plan, { schemas }), 'old').twin).toBe(are ? 'net_host.new' : undefined)
  })

  test('name the actions of providers with their triggers', () => {
    const { invocations } = planViewOf(actionsPlan(), { schemas })
    expect(invocations).toMatchObject([
      { address: 'action.net_page.team', trigger: { address: 'net_host.a', side: 'after' } },
      { address: 'action.net_page.all' },
      { address: 'action.net_page.later', deferred: 'provider_config_unknown' },
    ])
    expect(Object.keys(invocations?.[2]?.config ?? {})).toContain('members')
  })

  test('tell of an action that is no object, or cannot be read', () => {
    const { problems } = planViewOf({ ...actionsPlan(), action_invocations: [7, { address: '' }] }, { schemas })
    expect(problems).toEqual([
      { address: '', detail: 'the action has no address' },
      { address: '', detail: 'the action has no address' },
    ])
  })

  test('make the drift of an instance relevant where the resource as a whole is', () => {
    const view = planViewOf(driftPlan(), { schemas })
    expect(view.drift.map(({ address }) => address)).toEqual([
      'net_host.source[0]',
      'net_host.source[1]',
      'net_zone.lost',
    ])
    expect(view.otherDrift).toBe(1)
  })

  test.each([
    ['module.a.net_host.b', 'module.a["x.y"].net_host.b[0]', true],
    ['module.a["x"].net_host.b', 'module.a["y"].net_host.b', false],
    ['net_host.b[0]', 'net_host.b[1]', false],
    ['net_host.b', 'net_host.b_2', false],
    ['net_host.b', 'module.a.net_host.b', false],
    ['', 'net_host.b', true],
  ])('compare paths: %j covers %s: %s', (resource, address, covers) => {
    const drifted = { ...resourceChange(['update'], { before: host(), after: host({ size: 9 }) }), address }
    const more = { resource_drift: [drifted], relevant_attributes: [{ resource, attribute: ['size'] }] }
    expect(planViewOf(tofuPlan([], more), { mode: 'normal' }).drift).toHaveLength(covers ? 1 : 0)
  })

  test('only count a change beside the relevant attribute', () => {
    const drifted = resourceChange(['update'], { before: host(), after: host({ size: 9 }) })
    const more = { resource_drift: [drifted], relevant_attributes: [{ resource: 'net_host.a', attribute: ['image'] }] }
    expect(planViewOf(tofuPlan([good], more))).toMatchObject({ drift: [], otherDrift: 1 })
  })

  test('show all drift in documents from before relevance existed', () => {
    const drifted = resourceChange(['update'], { before: host(), after: host({ size: 9 }) })
    expect(
      planViewOf({ ...tofuPlan([good], { resource_drift: [drifted] }), format_version: '1.0' }).drift,
    ).toHaveLength(1)
  })

  test.each([
    ['1.2', false],
    ['1.10', true],
    ['0.1', false],
  ])('note that version %s is newer: %s', (format_version, newer) => {
    expect(planViewOf({ ...emptyPlan(), format_version }).newer).toBe(newer)
  })
  test('are refused for a later major version', () => {
    expect(() => viewOf({ ...emptyPlan(), format_version: '2.0' })).toThrow('"2.0"')
  })
})
