import { describe, expect, test } from 'vitest'
import { findIdleRules } from '../../../core/engine/plan/ignore-rules.ts'
import type { IgnoreRule } from '../../../core/engine/schema/rules.ts'
import type { IdleRule } from '../../../core/engine/schema/stored/plan.ts'
import { checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import { reviewBundle } from '../../../core/engine/workflows/session/load/review-bundle.ts'
import { renderPlan } from '../../builders/values/rendered.ts'
import { wings } from '../../builders/workspaces/wings.ts'
import { actor, temporaryFolder, testDeps, yaml } from '../../builders/workspaces/workspace.ts'

const schema = {
  attributes: {
    a: { type: 'string' },
    any: { type: 'any' },
    o: { type: 'object', attributes: { p: { type: 'string' } } },
    s: { type: 'set', key: ['k'], element: { type: 'object', attributes: { k: { type: 'string' } } } },
  },
} as const
const subjects = [{ address: 'thing.one', schema }, { address: 'gone.type' }]

describe('an ignore rule counts as idle', () => {
  test.each<[string, Partial<IgnoreRule>, IdleRule['why'] | undefined]>([
    ['never, as long as it can cover something', {}, undefined],
    ['not before its day', { expires: '2026-11-23' }, undefined],
    ['from its day on', { expires: '2026-11-22' }, 'expired'],
    ['about an address that nobody has', { address: 'thing.two' }, 'no_resource'],
    ['not where a pattern means one', { address: 'thing.*' }, undefined],
    ['about an attribute that there is not', { path: 'b' }, 'no_attribute'],
    ['not about a member', { path: 'o.p' }, undefined],
    ['about a member that there is not', { path: 'o.q' }, 'no_attribute'],
    ['below a text', { path: 'a.b' }, 'no_attribute'],
    ['not below anything', { path: 'any.b.c' }, undefined],
    ['not about a key of an element', { path: 's[www.acme.example. A].k' }, undefined],
    ['about a member that no element has', { path: 's[x].v' }, 'no_attribute'],
    ['not by a pattern of names', { path: '*.p' }, undefined],
    ['not where the type is not known', { address: 'gone.type', path: 'b' }, undefined],
  ])('if it is out of date or can match nothing: %s', (_, more, why) => {
    const rule = { address: 'thing.one', path: 'a', reason: 'r', owner: 'o', includeDeletes: false, ...more }
    expect(findIdleRules([rule], subjects, '2026-11-22').map((idle) => idle.why)).toEqual(why ? [why] : [])
  })
})

describe('an idle ignore rule', () => {
  const room = temporaryFolder()
  const bundle = yaml(
    `workspace: rules
providers: { host: { source: host, with: { root: ${JSON.stringify(room.path)} } } }
resources: [{ type: host_file, name: motd, spec: { path: motd, content: tea } }]
ignore:
  - { address: host_file.motd, path: content, reason: in use, owner: ops }
  - { address: host_file.motd, path: mode, reason: a while ago, owner: ops, expires: 2020-01-01 }
  - { address: host_file.modt, reason: mistyped, owner: ops }
  - { address: "host_file.*", path: contents, reason: no such thing, owner: ops }
`,
  )

  test('is reported in every form of the plan', async () => {
    const { deps } = testDeps({ bundle })
    const { plan } = await checkWorkspace({ workspace: 'rules', trigger: 'cli', actor }, deps)
    expect(plan?.idleRules?.map(({ address, path, why }) => [address, path, why])).toEqual([
      ['host_file.motd', 'mode', 'expired'],
      ['host_file.modt', undefined, 'no_resource'],
      ['host_file.*', 'contents', 'no_attribute'],
    ])
    for (const format of ['text', 'markdown', 'html', 'json'] as const) {
      const page = renderPlan(plan!, { format })
      for (const said of ['2020-01-01', 'mistyped', 'no such thing', 'a while ago']) expect(page).toContain(said)
      if (format !== 'json') expect(page).toContain('Entries without effect')
      expect(page).not.toContain('in use')
    }
  })

  test('is reported by the validation, at its line', async () => {
    const clock = { now: () => new Date('2026-11-22T00:00:00Z') }
    const { warnings } = await reviewBundle(bundle, { ...wings, clock })
    expect(warnings.map(({ line, message, value }) => [line, message, value])).toEqual([
      [6, 'this ignore rule is void: its day has come', '2020-01-01'],
      [7, 'this ignore rule names no declared resource', 'host_file.modt'],
      [8, 'this ignore rule names no attribute of the resources that it means', 'contents'],
    ])
    expect(warnings[1]?.fix).toContain('host_file.motd')
  })
})
