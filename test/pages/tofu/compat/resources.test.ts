import { describe, expect, test } from 'vitest'
import { entry, pageOf, planOf, schemasWith } from '../builders/read-reports.ts'

const schemas = schemasWith({ attributes: { id: { type: 'string' }, size: { type: 'number' } } })
const before = { id: 'i', size: 1 }
const after = { id: 'i', size: 2 }

/** The lines over the resource, and the first of the resource. */
const comment = (change: object, more: object = {}): string[] => {
  const lines = pageOf(planOf([entry(change, more)]), { schemas }).split('\n')
  const start = lines.findIndex((line) => line.startsWith('  # '))
  return lines.slice(start, lines.findIndex((line, at) => at >= start && line.includes(' "thing" ')) + 1)
}

describe('the headline of a resource', () => {
  const gone = { actions: ['delete'], before }
  test.each<[string, object, object, string[]]>([
    ['create', { actions: ['create'], after }, {}, ['  # thing.a will be created', '  + resource "thing" "a" {']],
    [
      'tainted',
      { actions: ['delete', 'create'], before, after },
      { action_reason: 'replace_because_tainted' },
      ['  # thing.a is tainted, so it must be replaced', '-/+ resource "thing" "a" {'],
    ],
    [
      'asked',
      { actions: ['create', 'delete'], before, after },
      { action_reason: 'replace_by_request' },
      ['  # thing.a will be replaced, as requested', '+/- resource "thing" "a" {'],
    ],
    [
      'triggered',
      { actions: ['delete', 'create'], before, after },
      { action_reason: 'replace_by_triggers' },
      ['  # thing.a will be replaced due to changes in replace_triggered_by', '-/+ resource "thing" "a" {'],
    ],
    [
      'read',
      { actions: ['read'], after },
      { mode: 'data', action_reason: 'read_because_dependency_pending' },
      [
        '  # thing.a will be read during apply',
        '  # (depends on a resource or a module with changes pending)',
        ' <= data "thing" "a" {',
      ],
    ],
    [
      'checked',
      { actions: ['read'], after },
      { mode: 'data', action_reason: 'read_because_check_nested' },
      [
        '  # thing.a will be read during apply',
        '  # (config will be reloaded to verify a check block)',
        ' <= data "thing" "a" {',
      ],
    ],
    [
      'unmoved',
      gone,
      { previous_address: 'thing.z', action_reason: 'delete_because_no_move_target' },
      [
        '  # thing.a will be destroyed',
        '  # (because thing.z was moved to thing.a, which is not in configuration)',
        '  # (moved from thing.z)',
        '  - resource "thing" "a" {',
      ],
    ],
    [
      'module',
      gone,
      { module_address: 'module.m', action_reason: 'delete_because_no_module' },
      ['  # thing.a will be destroyed', '  # (because module.m is not in configuration)', '  - resource "thing" "a" {'],
    ],
    [
      'repeated',
      gone,
      { index: 'k', action_reason: 'delete_because_wrong_repetition' },
      ['  # thing.a will be destroyed', '  # (because resource does not use for_each)', '  - resource "thing" "a" {'],
    ],
    [
      'counted',
      gone,
      { index: 3, action_reason: 'delete_because_count_index' },
      [
        '  # thing.a will be destroyed',
        '  # (because index [3] is out of range for count)',
        '  - resource "thing" "a" {',
      ],
    ],
    [
      'keyed',
      gone,
      { index: 'k', action_reason: 'delete_because_each_key' },
      ['  # thing.a will be destroyed', '  # (because key ["k"] is not in for_each map)', '  - resource "thing" "a" {'],
    ],
    [
      'off',
      gone,
      { action_reason: 'delete_because_enabled_false' },
      ['  # thing.a will be destroyed', '  # (because enabled is false)', '  - resource "thing" "a" {'],
    ],
    [
      'deposed',
      gone,
      { deposed: 'd1' },
      [
        '  # thing.a (deposed object d1) will be destroyed',
        '  # (left over from a partially-failed replacement of this instance)',
        '  - resource "thing" "a" {',
      ],
    ],
    [
      'moved',
      { actions: ['no-op'], before, after: before },
      { previous_address: 'thing.z' },
      ['  # thing.z has moved to thing.a', '    resource "thing" "a" {'],
    ],
    [
      'imported',
      { actions: ['no-op'], before, after: before, importing: { id: 'x[red]' }, generated_config: 'c' },
      {},
      [
        '  # thing.a will be imported',
        '  # (config will be generated)',
        '  # (imported from "x[red]")',
        '    resource "thing" "a" {',
      ],
    ],
    [
      'identified',
      { actions: ['no-op'], before, after: before, importing: { identity: { n: 1.0 } } },
      {},
      [
        '  # thing.a will be imported',
        '  # imported using resource identity: {',
        '  #   "n": 1',
        '  # }',
        '    resource "thing" "a" {',
      ],
    ],
    [
      'import replaced',
      { actions: ['delete', 'create'], before, after, importing: {} },
      {},
      [
        '  # thing.a must be replaced',
        '  # (will be imported first)',
        '  # Warning: this will destroy the imported resource',
        '-/+ resource "thing" "a" {',
      ],
    ],
    [
      'forgotten',
      { actions: ['forget'], before },
      {},
      ['  # thing.a will be removed from the OpenTofu state but will not be destroyed', '  . resource "thing" "a" {'],
    ],
    ['new action', { actions: ['dance'], before, after }, {}, []],
  ])('names the action and its reason: %s', (_, change, more, lines) => {
    expect(comment(change, more)).toEqual(lines)
  })

  test('calls an unknown action unknown, and the page continues', () => {
    const page = pageOf(planOf([entry({ actions: ['dance'], before, after }), entry({ actions: ['create'], after })]), {
      schemas,
    })
    expect(page).toContain("has an action the plan renderer doesn't support")
    expect(page).toContain('thing.a will be created')
  })

  test('is missing for ephemeral resources and for deleted objects that were only read', () => {
    const page = pageOf(
      planOf([
        entry({ actions: ['create'], after }, { mode: 'ephemeral' }),
        entry({ actions: ['delete'], before }, { mode: 'data' }),
      ]),
      { schemas },
    )
    expect(page).toMatch(/^No changes\. Your infrastructure matches the configuration\.\n\n/)
  })

  test('leads to a last line that counts imports and forgotten objects', () => {
    const page = pageOf(
      planOf([
        entry({ actions: ['forget', 'create'], before, after }),
        entry({ actions: ['forget'], before }),
        entry({ actions: ['no-op'], before, after: before, importing: { id: 'x' } }),
      ]),
      { schemas },
    )
    expect(page).toContain('\n./+ forget and then create replacement\n  . forget\n')
    expect(page).toContain('\nPlan: 1 to import, 1 to add, 0 to change, 0 to destroy, 2 to forget.\n')
  })

  test('mentions Terraform on a page of Terraform', () => {
    const page = pageOf(planOf([entry({ actions: ['update'], before, after })]), { schemas, compat: 'terraform' })
    expect(page).toContain('Terraform will perform the following actions:')
    expect(page).toContain('  ~ update in-place\n')
    expect(page).not.toContain('OpenTofu')
  })

  test('has colours around symbols only, and the same words', () => {
    const plan = planOf([entry({ actions: ['update'], before, after })])
    const colored = pageOf(plan, { schemas, color: true })
    expect(colored).toContain('\u001b[33m~\u001b[0m\u001b[0m size = 1 \u001b[33m->\u001b[0m\u001b[0m 2')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes are taken out
    expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(pageOf(plan, { schemas }))
  })
})

describe('the page around the resources', () => {
  const drift = [entry({ actions: ['update'], before, after })]

  test('does not show drift that nothing refers to', () => {
    const plan = planOf([entry({ actions: ['create'], after }, { address: 'thing.b' })], { resource_drift: drift })
    expect(pageOf(plan, { schemas })).not.toContain('has changed')
    const relevant = { resource_drift: drift, relevant_attributes: [{ resource: 'thing.a', attribute: ['size'] }] }
    expect(pageOf(planOf(plan.resource_changes, relevant), { schemas })).toContain('# thing.a has changed')
  })

  test('shows a plan that only refreshes', () => {
    const page = pageOf(planOf([], { resource_drift: drift }), { schemas })
    expect(page).toMatch(/^Note: Objects have changed outside of OpenTofu\n/)
    expect(page).toContain('\n\nThis is a refresh-only plan, so OpenTofu will not take any actions')
    expect(pageOf(planOf([]), { mode: 'refresh-only' })).toContain('Your infrastructure still matches')
    expect(pageOf(planOf([]), { mode: 'destroy' })).toContain('No objects need to be destroyed.')
  })

  test('shows outputs', () => {
    const output = { before: null, after: null, after_unknown: false, before_sensitive: false, after_sensitive: false }
    const page = pageOf(
      planOf([], {
        output_changes: {
          known: { ...output, actions: ['create'], after: { a: 1 } },
          later: { ...output, actions: ['create'], after_unknown: true },
          secret: {
            ...output,
            actions: ['update'],
            before: 'x',
            after: 'y',
            before_sensitive: true,
            after_sensitive: true,
          },
          kind: { ...output, actions: ['update'], before: 'x', after: ['y'] },
          same_as_before: { ...output, actions: ['no-op'], before: 1, after: 1 },
        },
      }),
    )
    expect(page).toBe(`Changes to Outputs:
  ~ kind           = "x" -> [
      + "y",
    ]
  + known          = {
      + a = 1
    }
  + later          = (known after apply)
  ~ secret         = (sensitive value)

You can apply this plan to save these new output values to the OpenTofu
state, without changing any real infrastructure.
`)
  })

  test('shows a plan that failed', () => {
    expect(pageOf(planOf([], { errored: true }))).toMatch(/^Planning failed\. OpenTofu encountered an error/)
    const page = pageOf(planOf([entry({ actions: ['create'], after })], { errored: true }), { schemas })
    expect(page).toContain('OpenTofu planned the following actions, but then encountered a problem:\n')
  })

  test.each([
    ['1.3', true],
    ['1.10', true],
    ['1.2', false],
    ['0.1', false],
  ])('notes that version %s is newer: %s', (version, newer) => {
    const page = pageOf({ ...planOf([]), format_version: version })
    expect(page.includes('Warning: This plan was generated using a different version')).toBe(newer)
  })

  test.each([
    ['{"format_version":"2.0","resource_changes":[]}', '2.0'],
    ['{"a":1}', 'neither'],
    ['[1]', 'not a JSON object'],
    ['{"a"', 'line 1'],
  ])('refuses %s', (text, why) => {
    expect(() => pageOf(text)).toThrow(why)
  })

  test('reads the texts of shells: UTF-16 and byte order marks', () => {
    const text = JSON.stringify(planOf([entry({ actions: ['create'], after: { id: 'ü' } })]))
    const want = pageOf(text, { schemas })
    const little = Buffer.from(`\ufeff${text}`, 'utf16le')
    expect(pageOf(little, { schemas })).toBe(want)
    expect(pageOf(Buffer.from(little).swap16(), { schemas })).toBe(want)
    expect(pageOf(`\ufeff${text}`, { schemas })).toBe(want)
  })
})

test('finds the schema of a provider that is named by its last part alone', () => {
  const plan = planOf([entry({ actions: ['create'], after: { m: { a: 'x' } } }, { provider_name: 'acme' })])
  const block = { attributes: { m: { type: ['object', { a: 'string' }] } } }
  const named = (...names: readonly string[]) => ({
    provider_schemas: Object.fromEntries(names.map((name) => [name, { resource_schemas: { thing: { block } } }])),
  })
  expect(pageOf(plan, { schemas: named('registry.terraform.io/hashicorp/acme') })).toContain('+ a = "x"')
  expect(pageOf(plan, { schemas: named('x/y/acme', 'x/z/acme') })).toContain('+ "a" = "x"')
})

describe('entries that cannot be read', () => {
  const odd = [
    entry({ actions: ['create'], after }, { mode: 'wizard', address: 'thing.w' }),
    null as unknown as object,
    { address: 'thing.half', mode: 'managed', type: 'thing', name: 'half' },
    entry({ actions: ['create'], after: 'no object' }, { address: 'thing.text' }),
  ]
  const told = `
  # thing.w cannot be shown: its mode "wizard" is unknown

  # something cannot be shown: the entry is not an object
`

  test.each(['opentofu', 'terraform'] as const)('are reported, and all others are shown: %s', (compat) => {
    const page = pageOf(planOf([...odd, entry({ actions: ['create'], after })]), { schemas, compat })
    expect(page).toContain('# thing.a will be created')
    expect(page).toContain("thing.half has an action the plan renderer doesn't support")
    expect(page).toContain(told)
    expect(page).toContain('\nPlan: 2 to add, 0 to change, 0 to destroy.')
  })

  test('are reported where there is nothing else', () => {
    expect(pageOf(planOf(odd.slice(0, 2)))).toContain(told.slice(1))
    const state = { format_version: '1.0', values: { root_module: { resources: odd.slice(0, 2) } } }
    expect(pageOf(state)).toBe(told.replaceAll('  #', '#').slice(1))
  })
})
