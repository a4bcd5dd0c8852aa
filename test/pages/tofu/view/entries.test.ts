import { describe, expect, test } from 'vitest'
import {
  canary,
  checksPlan,
  deferredPlan,
  deposedPlan,
  emptyPlan,
  ephemeralPlan,
  erroredPlan,
  forgetPlan,
  host,
  importedByIdentityPlan,
  importedByIdPlan,
  modulesPlan,
  movedPlan,
  networkSchemas,
  reasonsPlan,
  resourceChange,
  tofuPlan,
  tofuSchemas,
  tofuState,
} from '../builders/documents.ts'
import { changeNamed, nodeAt, planViewOf, viewOf } from '../builders/read-views.ts'

const schemas = networkSchemas

describe('the entries of a plan', () => {
  test('give their reason when they are deferred', () => {
    const { deferred, changes } = planViewOf(deferredPlan(), { schemas })
    expect(changes).toHaveLength(1)
    expect(deferred.map(({ reason, change }) => [reason, change.address])).toContainEqual([
      'absent_prereq',
      'net_host.absent_prereq',
    ])
  })

  test('are read with their schemas when they are deferred', () => {
    const block = { attributes: { v: { type: 'string', sensitive: true } } }
    const change = resourceChange(['create'], { after: { v: canary } }, { type: 'net_rare' })
    const plan = tofuPlan([], { deferred_changes: [{ reason: 'unknown', resource_change: change }] })
    const [first] = planViewOf(plan, { schemas: tofuSchemas({ net_rare: block }) }).deferred
    expect(first && nodeAt(first.change.diff, 'v')).toEqual({ kind: 'value', action: 'create', sensitive: true })
  })

  test.each([
    ['in_state', 'forget', 'forgot_because_lifecycle_destroy_in_state'],
    ['plain', 'forget', undefined],
    ['anew', 'forget-create', undefined],
    ['before', 'create-forget', undefined],
  ])('are shown when they are forgotten: %s', (name, action, reason) => {
    expect(changeNamed(planViewOf(forgetPlan()), name)).toMatchObject(
      reason === undefined ? { action } : { action, reason },
    )
  })

  test('distinguish deposed objects from the one that stays', () => {
    const { changes, unchanged } = planViewOf(deposedPlan())
    expect(changes.map(({ address, deposed }) => [address, deposed])).toEqual([
      ['net_host.a', 'ab12cd34'],
      ['net_host.a', 'ef56ab78'],
    ])
    expect(unchanged).toBe(1)
  })

  test('are shown whole when they moved, though nothing else changes', () => {
    const only = changeNamed(planViewOf(movedPlan(), { schemas }), 'only')
    expect(only).toMatchObject({ action: 'no-op', previousAddress: 'net_host.was', diff: { action: 'same' } })
    expect(nodeAt(only.diff, 'tags', 'team')).toEqual({ kind: 'value', action: 'same', before: 'edge' })
  })

  test('say by what they are imported', () => {
    const byId = planViewOf(importedByIdPlan())
    expect(byId.changes.map(({ importing }) => importing)).toEqual([
      { id: 'h-1', generated: false },
      { id: 'h-[red]2', generated: true },
      { id: 'h-3', generated: false },
      { generated: false },
    ])
    expect(changeNamed(planViewOf(importedByIdentityPlan()), 'known').importing).toEqual({
      identity: { account: '1234', host: 'h-1', region: 'eu' },
      generated: false,
    })
  })

  test('are never shown when they are ephemeral', () => {
    expect(planViewOf(ephemeralPlan())).toMatchObject({ changes: [{ name: 'shown' }], unchanged: 0, problems: [] })
  })

  test('are never shown when they are deleted data sources', () => {
    const plan = tofuPlan([resourceChange(['delete'], { before: host() }, { mode: 'data' })])
    expect(planViewOf(plan)).toMatchObject({ changes: [], problems: [] })
  })

  test('pass every reason on', () => {
    const { changes } = planViewOf(reasonsPlan())
    expect(changes).toHaveLength(17)
    expect(changes.every(({ name, reason }) => name === reason)).toBe(true)
  })

  test('include all checks that did not pass, by instance', () => {
    expect(planViewOf(checksPlan()).checks).toEqual([
      {
        address: 'net_host.a[1]',
        kind: 'resource',
        status: 'fail',
        problems: ['the host must have two disks', 'and a name'],
      },
      { address: 'net_host.a[2]', kind: 'resource', status: 'unknown', problems: [] },
      { address: 'check.health', kind: 'check', status: 'error', problems: [] },
      { address: 'var.size', kind: 'var', status: 'fail', problems: ['at most 8'] },
      { address: 'net_host.none', kind: 'resource', status: 'unknown', problems: [] },
    ])
  })

  test('include the outputs that change', () => {
    const { outputs, errored } = planViewOf(erroredPlan())
    expect(outputs.map(({ name, diff }) => [name, diff.action, diff.unknown])).toEqual([
      ['old', 'delete', undefined],
      ['url', 'create', true],
      ['zone', 'update', undefined],
    ])
    expect(errored).toBe(true)
  })

  test('include the other outputs where one is invalid, and the origin of an unknown value', () => {
    const output_changes = { odd: 7, later: { actions: ['create'], before: null, after_unknown: { a: true } } }
    const outputs = { later: { expression: { references: ['net_host.a.id', 'net_host.a'] } } }
    const view = planViewOf(tofuPlan([], { output_changes, configuration: { root_module: { outputs } } }))
    expect(view.problems).toEqual([{ address: 'output.odd', detail: 'it does not say what changes' }])
    const [later] = view.outputs
    expect(later && nodeAt(later.diff, 'a')).toMatchObject({ unknown: true, after: { $ref: 'net_host.a.id' } })
  })

  test.each([
    ['create', { after: null }],
    ['delete', { before: 'a' }],
    ['update', { before: 'a', after: null }],
  ])('include an output that is null: %s', (action, sides) => {
    const change = { before: null, after: null, after_unknown: false, actions: [action], ...sides }
    const [output] = planViewOf(tofuPlan([], { output_changes: { o: change } })).outputs
    expect(output?.diff.action).toBe(action)
  })

  const gone = resourceChange(['delete'], { before: host() })
  test.each<[string, object, string]>([
    ['changes', modulesPlan(), 'normal'],
    ['no changes', tofuPlan([]), 'normal'],
    ['only drift', tofuPlan([], { resource_drift: [gone] }), 'refresh-only'],
    [
      'nothing but what is no longer read',
      tofuPlan([resourceChange(['delete'], { before: host() }, { mode: 'data' })]),
      'normal',
    ],
    ['all deleted without a reason', tofuPlan([gone, gone]), 'destroy'],
    ['all deleted with a reason', tofuPlan([{ ...gone, action_reason: 'delete_because_no_module' }]), 'normal'],
    ['a leftover deleted', tofuPlan([{ ...gone, deposed: 'ab' }]), 'normal'],
    ['something stays', { ...deposedPlan(), resource_changes: [gone, ...emptyPlan().resource_changes] }, 'normal'],
  ])('give the mode of a plan with %s', (_, plan, mode) => {
    expect(planViewOf(plan).mode).toBe(mode)
    expect(planViewOf(plan, { mode: 'destroy' }).mode).toBe('destroy')
  })
})

describe('the entries of a state', () => {
  const object = (more: object = {}) => ({
    address: 'module.a.net_host.a',
    mode: 'managed',
    type: 'net_host',
    name: 'a',
    provider_name: 'registry.opentofu.org/acme/net',
    values: host({ password: canary, disk: [{ name: 'root' }] }),
    sensitive_values: { password: true },
    ...more,
  })
  const state = tofuState(
    [
      object({ address: 'net_host.a', tainted: true }),
      object({ deposed_key: 'ab' }),
      object({ values: 7 }),
      { mode: 'x' },
    ],
    { o: { value: ['b', 'a'], type: ['set', 'string'], sensitive: false }, s: { value: canary, sensitive: true } },
  )

  test('show everything except secrets', () => {
    const view = viewOf(state, { schemas })
    if (view.kind !== 'state') throw new Error('no state')
    expect(view.objects.map(({ tainted, deposed }) => [tainted, deposed])).toEqual([
      [true, undefined],
      [false, 'ab'],
    ])
    expect(view.problems.map(({ detail }) => detail)).toEqual([
      'its values are not an object',
      'its mode "x" is unknown',
    ])
    expect(view.outputs.map(({ name, diff }) => [name, diff.kind, diff.action])).toEqual([
      ['o', 'set', 'same'],
      ['s', 'value', 'same'],
    ])
    expect(view.objects[0] && nodeAt(view.objects[0].diff, 'disk', 0, 'name')).toMatchObject({ before: 'root' })
    expect(JSON.stringify(view)).not.toContain(canary)
  })
})
