import { describe, expect, test } from 'vitest'
import type { TofuCompat } from '../../../../core/pages/tofu/compat/report.ts'
import { entry, pageOf, planOf, schemasWith } from '../builders/read-reports.ts'

type Compat = 'opentofu' | 'terraform'

const between = (page: string): string => {
  const lines = page.split('\n')
  return lines.slice(lines.findIndex((line) => line.includes('"thing" "a"')) + 1, lines.lastIndexOf('    }')).join('\n')
}

/** The block of one update in each product's page. */
const bodies = (block: object, change: object): readonly [opentofu: string, terraform: string] => {
  const plan = planOf([entry({ actions: ['update'], ...change })])
  const body = (compat: Compat): string => between(pageOf(plan, { schemas: schemasWith(block), compat }))
  return [body('opentofu'), body('terraform')]
}

const attribute = (type: unknown, before: unknown, after: unknown, more: object = {}) =>
  bodies({ attributes: { v: { type } } }, { before: { v: before }, after: { v: after }, ...more })

const lines = (...parts: readonly string[]): string => parts.join('\n')

describe('a difference that Terraform shows in another way', () => {
  const objects = ['list', ['object', { a: 'string' }]]
  const [a, b, c] = [{ a: '1' }, { a: '2' }, { a: '3' }]

  test.each<[string, readonly [string, string], string, string]>([
    [
      'lists of equal length, by place',
      attribute(['list', 'string'], ['a', 'b', 'c'], ['b', 'x', 'c']),
      lines(
        '      ~ v = [',
        '          - "a",',
        '            "b",',
        '          + "x",',
        '            "c",',
        '        ]',
      ),
      lines('      ~ v = [', '          ~ "a" -> "b",', '          ~ "b" -> "x",', '            "c",', '        ]'),
    ],
    [
      'lists in another order, by what they share',
      attribute(['list', 'string'], ['a', 'b', 'c'], ['b', 'c', 'a']),
      lines(
        '      ~ v = [',
        '          - "a",',
        '            "b",',
        '            "c",',
        '          + "a",',
        '        ]',
      ),
      lines(
        '      ~ v = [',
        '          - "a",',
        '            "b",',
        '            "c",',
        '          + "a",',
        '        ]',
      ),
    ],
    [
      'an insertion into a list of objects',
      attribute(objects, [a, b], [c, a, b]),
      lines(
        '      ~ v = [',
        ...['1" -> "3', '2" -> "1'].map((change) => `          ~ {\n              ~ a = "${change}"\n            },`),
        '          + {\n              + a = "2"\n            },',
        '        ]',
      ),
      lines(
        '      ~ v = [',
        '          + {\n              + a = "3"\n            },',
        '            {\n                a = "1"\n            },',
        '            # (1 unchanged element hidden)',
        '        ]',
      ),
    ],
    [
      'texts of equally many lines, by place',
      attribute('string', 'a\nb\nc', 'b\nx\nc'),
      lines('      ~ v = <<-EOT', '          - a', '            b', '          + x', '            c', '        EOT'),
      lines(
        '      ~ v = <<-EOT',
        '          - a',
        '          + b',
        '          - b',
        '          + x',
        '            c',
        '        EOT',
      ),
    ],
    [
      'something after JSON',
      attribute('string', '{"a":1} x', '{"a":2} y'),
      lines('      ~ v = jsonencode(', '          ~ {', '              ~ a = 1 -> 2', '            }', '        )'),
      '      ~ v = "{\\"a\\":1} x" -> "{\\"a\\":2} y"',
    ],
    [
      'unknown and replaced',
      attribute('string', 'a', null, { after: {}, after_unknown: { v: true }, replace_paths: [['v']] }),
      '      ~ v = "a" # forces replacement -> (known after apply) # forces replacement',
      '      ~ v = "a" -> (known after apply) # forces replacement',
    ],
    [
      'an empty text under a schema of the new kind',
      bodies(
        {
          attributes: {
            id: { type: 'string' },
            v: { type: 'string' },
            n: { nested_type: { nesting_mode: 'single', attributes: {} } },
          },
        },
        { before: { id: 'i', v: null }, after: { id: 'i', v: '' } },
      ),
      '        id = "i"',
      lines('        id = "i"', '      + v  = ""'),
    ],
    [
      'an empty text under one of the old kind',
      bodies(
        { attributes: { id: { type: 'string' }, v: { type: 'string' }, l: { type: objects } } },
        { before: { id: 'i', v: null }, after: { id: 'i', v: '' } },
      ),
      '        id = "i"',
      '        id = "i"',
    ],
    [
      'a value that is never stored, in an update',
      bodies(
        { attributes: { v: { type: 'string' }, w: { type: 'string', write_only: true } } },
        { before: { v: 'a', w: null }, after: { v: 'b', w: null } },
      ),
      lines('      ~ v = "a" -> "b"', '      ~ w = (write-only attribute)'),
      lines('      ~ v = "a" -> "b"', '        # (1 unchanged attribute hidden)'),
    ],
    [
      'one that goes, and forces the replacement',
      bodies(
        { attributes: { w: { type: 'string', write_only: true, sensitive: true } } },
        { before: { w: null }, after: null, replace_paths: [['w']] },
      ),
      '      - w = (write-only attribute) # forces replacement -> null',
      '      - w = (sensitive, write-only attribute) -> null # forces replacement',
    ],
    [
      'blocks that are unknown as a whole',
      bodies(
        {
          attributes: { id: { type: 'string' } },
          block_types: { b: { nesting_mode: 'list', block: { attributes: { a: { type: 'string' } } } } },
        },
        { before: { id: 'i', b: [a] }, after: { id: 'i' }, after_unknown: { b: true } },
      ),
      lines(
        '        id = "i"',
        '',
        '      ~ b {',
        '          + id = (known after apply)',
        '        } -> (known after apply)',
      ),
      lines(
        '        id = "i"',
        '',
        '      + b (known after apply)',
        '      - b {',
        '          - a = "1" -> null',
        '        }',
      ),
    ],
  ])('is shown as Terraform does: %s', (_, [opentofu, terraform], wantOpentofu, wantTerraform) => {
    expect([opentofu, terraform]).toEqual([wantOpentofu, wantTerraform])
  })
})

describe('a version of OpenTofu', () => {
  const schemas = schemasWith({
    attributes: { id: { type: 'string' } },
    block_types: { b: { nesting_mode: 'list', block: { attributes: { c: { type: 'string' } } } } },
  })
  const unknownBlocks = planOf([
    entry({
      actions: ['update'],
      before: { id: 'i', b: [{ c: '1' }] },
      after: { id: 'i' },
      after_unknown: { b: true },
    }),
  ])

  test('has the attributes of the block itself where it is unknown as a whole, since 1.13', () => {
    const page = (compat: TofuCompat): string => pageOf(unknownBlocks, { schemas, compat })
    expect(page('opentofu@1.12')).toBe(page('opentofu'))
    expect(page('opentofu')).toContain('      ~ b {\n          + id = (known after apply)\n')
    expect(page('opentofu@1.13')).toContain('      ~ b {\n          + c = (known after apply)\n')
  })

  test('says only once that nothing changes, since 1.13', () => {
    const said = 'No changes. Your infrastructure matches the configuration.\n'
    const page = (compat: TofuCompat, mode?: 'destroy'): string => pageOf(planOf([]), { schemas, compat, mode })
    expect(page('opentofu@1.13')).toBe(said)
    expect(page('opentofu@1.12').startsWith(`${said}\nOpenTofu has compared`)).toBe(true)
    expect(page('opentofu@1.13', 'destroy')).toBe(page('opentofu', 'destroy'))
  })
})

describe('the page of Terraform', () => {
  const schemas = schemasWith({ attributes: { id: { type: 'string' }, v: { type: 'string' } } })
  const before = { id: 'i', v: 'a' }
  const page = (entries: readonly object[], more: object = {}): string =>
    pageOf(planOf(entries, more), { schemas, compat: 'terraform' })
  const heading = `Terraform used the selected providers to generate the following execution
plan. Resource actions are indicated with the following symbols:
`

  test('shows forgotten objects without a legend and a count', () => {
    expect(page([entry({ actions: ['forget'], before })])).toBe(`${heading}
Terraform will perform the following actions:

 # thing.a will no longer be managed by Terraform, but will not be destroyed
 # (destroy = false is set in the configuration)
 . resource "thing" "a" {
        id = "i"
        # (1 unchanged attribute hidden)
    }

Plan: 0 to add, 0 to change, 0 to destroy.
`)
  })

  test('shows the rest of a failed replacement as forgotten', () => {
    expect(page([entry({ actions: ['forget'], before }, { deposed: 'd1' })])).toContain(`
 # thing.a (deposed object d1) will be removed from Terraform state, but will not be destroyed
 # (left over from a partially-failed replacement of this instance)
 . resource "thing" "a" {
`)
  })

  test.each([
    [['create', 'forget'], ' +/.'],
    [['forget', 'create'], './+'],
  ])('shows the replacement with the actions %j', (actions, symbol) => {
    const replaced = page([entry({ actions, before, after: { id: 'i', v: 'b' }, replace_paths: [['v']] })])
    expect(replaced).toContain(`
 # thing.a must be replaced, but the existing object will not be destroyed
 # (destroy = false is set in the configuration)
${symbol} resource "thing" "a" {
        id = "i"
      ~ v  = "a" -> "b" # forces replacement
    }

Plan: 1 to add, 0 to change, 0 to destroy.
`)
  })

  const deferred = (reason: string) => ({
    deferred_changes: [{ reason, resource_change: entry({ actions: ['update'], before, after: before }) }],
  })

  test('shows postponed changes where there is nothing else', () => {
    expect(
      page([], deferred('deferred_prereq')),
    ).toBe(`No current changes. This plan requires another plan to be applied first.


Note: This is a partial plan, parts can only be known in the next plan / apply cycle.


  # thing.a was deferred
  # (because a prerequisite for this resource is deferred)
  ~ resource "thing" "a" {
        id = "i"
        # (1 unchanged attribute hidden)
    }

${'─'.repeat(77)}
`)
  })

  test('shows postponed changes before the others, and calls an unknown reason unknown', () => {
    const both = page([entry({ actions: ['create'], after: before })], deferred('new_reason'))
    expect(both).toMatch(
      /^Note: This is a partial plan[\s\S]*\(because of an unknown reason\)[\s\S]*─\n\nTerraform used[\s\S]*will be created/,
    )
  })

  const invocation = {
    address: 'action.bell.ring',
    type: 'bell',
    name: 'ring',
    config_values: { text: 'hi', list: ['x'] },
    config_unknown: { later: true },
    config_sensitive: {},
  }
  const config = `        config {
            later = (known after apply)
            list  = [
                "x",
            ]
            text  = "hi"
        }
    }
`

  test('shows an action that is invoked by itself', () => {
    expect(
      page([], { action_invocations: [{ ...invocation, invoke_action_trigger: {} }] }),
    ).toBe(`Terraform will invoke the following action(s):

  # action.bell.ring will be invoked
    action "bell" "ring" {
${config}
Plan: 0 to add, 0 to change, 0 to destroy. Actions: 1 to invoke.
`)
  })

  test('shows actions around a change', () => {
    const around = ['BeforeCreate', 'AfterCreate'].map((action_trigger_event) => ({
      ...invocation,
      lifecycle_action_trigger: { triggering_resource_address: 'thing.a', action_trigger_event },
    }))
    const create = entry({ actions: ['create'], after: before })
    expect(page([create], { action_invocations: around })).toContain(`
    }

    # Actions to be invoked before this change in order:
    action "bell" "ring" {
${config}

    # Actions to be invoked after this change in order:
    action "bell" "ring" {
${config}

Plan: 1 to add, 0 to change, 0 to destroy. Actions: 2 to invoke.
`)
  })

  test('reads postponed changes with their schema', () => {
    const change = { actions: ['update'], before: { id: 'i', v: ['b', 'a'] }, after: { id: 'i', v: ['a', 'b'] } }
    const plan = planOf([], { deferred_changes: [{ reason: 'x', resource_change: entry(change) }] })
    const sets = schemasWith({ attributes: { id: { type: 'string' }, v: { type: ['set', 'string'] } } })
    expect(pageOf(plan, { schemas: sets, compat: 'terraform' })).toContain('# (1 unchanged attribute hidden)')
  })

  test('has the same words in colours', () => {
    const actions = [['forget'], ['create', 'forget'], ['forget', 'create'], ['update']]
    const entries = actions.map((each) => entry({ actions: each, before, after: before }))
    const plan = planOf(entries, { ...deferred('deferred_prereq'), action_invocations: [invocation] })
    const colored = pageOf(plan, { schemas, compat: 'terraform', color: true })
    expect(colored).toContain('\u001b[1m # thing.a\u001b[0m will no longer be managed by Terraform')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes are taken out
    expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(pageOf(plan, { schemas, compat: 'terraform' }))
  })

  test('differs from that of OpenTofu, which knows neither', () => {
    const plan = planOf([], { ...deferred('x'), action_invocations: [invocation] })
    expect(pageOf(plan)).toMatch(/^No changes\. Your infrastructure matches/)
  })
})
