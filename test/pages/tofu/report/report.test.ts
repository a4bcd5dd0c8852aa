import { describe, expect, it } from 'vitest'
import type { Diff } from '../../../../core/engine/schema/diff.ts'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { renderSummary } from '../../../../core/pages/render/formats/text/render-summary.ts'
import { renderText } from '../../../../core/pages/render/formats/text/render-text.ts'
import { reportOfView } from '../../../../core/pages/tofu/report/plan-report.ts'
import type { View, ViewChange } from '../../../../core/pages/tofu/view/plan-view.ts'
import { object, same, updated } from '../../../builders/values/plans.ts'
import { fullState, fullView } from '../builders/full-views.ts'
import { aPlanView, aStateView, aViewChange } from '../builders/views.ts'

const text = (view: View, options: Parameters<typeof renderText>[1] = {}): string =>
  renderText(reportOfView(view, 'plan.json'), options)

describe('pages of plans and states of OpenTofu and Terraform', () => {
  it.each([
    ['view.width-80.txt', text(fullView, { width: 80 })],
    ['view.width-120.txt', text(fullView, { width: 120 })],
    ['view.colour.txt', text(fullView, { width: 120, color: true })],
    ['view.summary.txt', renderSummary(reportOfView(fullView, 'plan.json'))],
    ['view-state.txt', text(fullState)],
    ['view-state.summary.txt', renderSummary(reportOfView(fullState, 'state.json'))],
    ['view-nothing.txt', text(aPlanView({ unchanged: 12 })) + text(aStateView())],
  ])('look exactly like the golden file %s', async (name, page) => {
    await expect(page).toMatchFileSnapshot(`../goldens/${name}`)
  })
})

/** What stands beside the address. */
const wordsOf = (over: Partial<ViewChange>): string => {
  const change = aViewChange({ address: 'module.eu.a_b.c["k"]', ...over })
  const line = renderSummary(reportOfView(aPlanView({ changes: [change] }), 'p')).split('\n')[0] ?? ''
  return line.slice(line.indexOf('"]') + 4)
}

describe('the change of a resource', () => {
  it.each<readonly [ViewChange['action'], string, string]>([
    ['delete-create', 'replace_because_tainted', 'it is tainted'],
    ['create-delete', 'replace_because_cannot_update', 'it cannot be changed in place'],
    ['delete-create', 'replace_by_request', 'the command line asks for it (-replace)'],
    ['delete-create', 'replace_by_triggers', 'an object in its replace_triggered_by changes'],
    ['delete', 'delete_because_no_resource_config', 'the configuration has no a_b.c any more'],
    ['delete', 'delete_because_no_module', 'the configuration has no module.eu any more'],
    ['delete', 'delete_because_wrong_repetition', 'the configuration added, removed or exchanged count and for_each'],
    ['delete', 'delete_because_count_index', 'count no longer reaches ["k"]'],
    ['delete', 'delete_because_each_key', 'for_each no longer has ["k"]'],
    ['delete', 'delete_because_enabled_false', 'its enabled is now false'],
    ['delete', 'delete_because_no_move_target', 'a moved block points to this address'],
    ['read', 'read_because_config_unknown', 'its arguments are known only after apply'],
    ['read', 'read_because_dependency_pending', 'one of its dependencies changes first'],
    ['read', 'read_because_check_nested', 'a check block reads it again'],
    ['forget', 'forgot_because_lifecycle_destroy_in_state', 'lifecycle.destroy was false when it was last applied'],
    ['forget', 'forgot_because_lifecycle_destroy_in_config', 'lifecycle.destroy is false in the configuration'],
  ])('is explained in words: %s with %s', (action, reason, words) => {
    expect(wordsOf({ action, reason })).toContain(`: ${words}`)
  })

  it.each(['because_of_the_moon', '', 'constructor'])('has no explanation for the reason %j', (reason) => {
    expect(wordsOf({ action: 'update', reason })).toBe('will be changed')
  })

  it.each<readonly [string, Partial<ViewChange>, string]>([
    [
      'a path that the diff does not show',
      { action: 'delete-create', replacePaths: [['ami'], ['disk', 0, 'type']] },
      'will be replaced (destroyed, then created): ami, disk[0].type cannot be changed in place',
    ],
    [
      'both a reason and a path',
      { action: 'delete-create', reason: 'replace_by_request', replacePaths: [['ami']] },
      'will be replaced (destroyed, then created): the command line asks for it (-replace), and ami cannot be changed in place',
    ],
    ['an update that shows nothing', { diff: same({}) }, 'will be changed, but the plan shows no difference'],
    ['a move', { action: 'no-op', previousAddress: 'a_b.d' }, 'moves here from a_b.d, nothing else changes'],
    ['a move and more', { previousAddress: 'a_b.d' }, 'will be changed; moved here from a_b.d'],
    ['an import and more', { importing: { id: 'i-1', generated: false } }, 'will be changed; imported first by id i-1'],
    [
      'an import that is destroyed',
      { action: 'delete-create', importing: { generated: false } },
      'will be replaced (destroyed, then created); imported first, then destroyed',
    ],
    ['nothing at all', { action: 'no-op' }, 'will be left as it is'],
  ])('is said in one line: %s', (_, over, words) => expect(wordsOf(over)).toBe(words))
})

describe('a page of many changes', () => {
  const changes = ['a', 'b', 'c'].map((name) => aViewChange({ address: `a_b.${name}` }))

  it('folds changes that are equal to the last character, and nothing else', () => {
    const other = aViewChange({ address: 'a_b.d', diff: object({ name: same('main'), size: updated(1, 3) }) })
    const blocks = reportOfView(aPlanView({ changes: [...changes, other] }), 'p').sections[0]?.blocks ?? []
    expect(blocks.map(({ address, also }) => [address, also])).toEqual([
      ['a_b.a', ['a_b.b', 'a_b.c']],
      ['a_b.d', []],
    ])
  })

  it('shows the id of an object that changes in place, and of none that is folded', () => {
    const withId = (address: string, id: Json, size: number) =>
      aViewChange({ address, diff: object({ id: same(id), size: updated(1, size) }) })
    const ids = (some: readonly ViewChange[]) =>
      (reportOfView(aPlanView({ changes: some }), 'p').sections[0]?.blocks ?? []).map(({ id }) => id)
    expect(ids([withId('a_b.a', 'i-1\u001b', 2), withId('a_b.b', 7, 3)])).toEqual(['"i-1\\u001b"', '7'])
    expect(ids([withId('a_b.a', 'i-1', 2), withId('a_b.b', 'i-2', 2)])).toEqual([undefined])
    const hidden: Diff = { kind: 'value', action: 'same', sensitive: true, before: 'CANARY' }
    expect(ids([aViewChange({ address: 'a_b.c', diff: object({ id: hidden, size: updated(1, 2) }) })])).toEqual([
      undefined,
    ])
  })

  it('counts by module, parents first, with whole quoted keys', () => {
    const at = (module: string, action: ViewChange['action'] = 'update') =>
      aViewChange({ address: 'a_b.c', module, action })
    const { modules } = reportOfView(
      aPlanView({
        changes: [
          at('module.b[10]'),
          at('module.b[2]'),
          at('module.a.module.x["y.module.z"]'),
          at('module.a.module.x["y.module.z"]', 'delete'),
          ...changes,
        ],
      }),
      'p',
    )
    expect(
      modules.map(({ depth, label, counts }) => [depth, label, counts.map(({ symbol, n }) => `${symbol}${n}`).join()]),
    ).toEqual([
      [0, 'root module', '~3'],
      [0, 'module.a', ''],
      [1, 'module.x["y.module.z"]', '-1,~1'],
      [0, 'module.b[2]', '~1'],
      [0, 'module.b[10]', '~1'],
    ])
    expect(reportOfView(aPlanView({ changes }), 'p').modules).toEqual([])
  })

  it('shows destructive changes first, whatever the order of the plan is', () => {
    const actions = ['read', 'create', 'update', 'forget', 'create-delete', 'delete'] as const
    const some = actions.map((action) => aViewChange({ address: `a_b.${action}`, action }))
    const blocks = reportOfView(aPlanView({ changes: some }), 'p').sections[0]?.blocks ?? []
    expect(blocks.map(({ address }) => address)).toEqual(actions.map((action) => `a_b.${action}`).toReversed())
  })

  it.each([
    ['refresh-only', 'a refresh-only plan: applying it updates the state and changes no object'],
    ['destroy', 'a destroy plan: it destroys every managed object'],
  ] as const)('names the plan as one of the mode %s', (mode, words) => {
    expect(text(aPlanView({ mode }))).toContain(`  ! ${words}`)
  })
})
