import { describe, expect, it } from 'vitest'
import { compare } from '../../../../core/engine/diff/compare.ts'
import type { ObjectSchema } from '../../../../core/engine/schema/attribute.ts'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { isObject } from '../../../../core/engine/schema/json.ts'
import type { Action, Change, Plan } from '../../../../core/engine/schema/stored/plan.ts'
import { aChange, aPlan, fullPlan, list, object, same, text, updated } from '../../../builders/values/plans.ts'
import { renderPlan } from '../../../builders/values/rendered.ts'
import { digestOfSecret } from '../../render/arbitrary-plan.ts'
import { pageOf } from '../builders/read-reports.ts'
import { viewOf } from '../builders/read-views.ts'
import { renderView } from '../builders/rendered.ts'

/** What readers of OpenTofu's plans rely on. */
interface Document {
  readonly format_version: string
  readonly resource_changes: readonly ResourceChange[]
  readonly resource_drift: readonly ResourceChange[]
  readonly plumbline: { readonly commands: Json; readonly blocked: Json; readonly inSync: boolean }
}
interface ResourceChange {
  readonly address: string
  readonly module_address?: string
  readonly mode: string
  readonly action_reason?: string
  readonly change: {
    readonly actions: readonly string[]
    readonly before: Json
    readonly after: Json
    readonly after_unknown: Json
    readonly before_sensitive: Json
    readonly after_sensitive: Json
    readonly replace_paths?: Json
  }
}

const read = (plan: Plan): Document => JSON.parse(renderPlan(plan, { format: 'json' })) as Document
const sealed = { $sealed: digestOfSecret }

/** As a policy engine counts, from the action lists alone. */
const tally = ({ resource_changes }: Document) => ({
  add: resource_changes.filter(({ change }) => change.actions.includes('create')).length,
  change: resource_changes.filter(({ change }) => change.actions.includes('update')).length,
  destroy: resource_changes.filter(({ change }) => change.actions.includes('delete')).length,
})

/** As a viewer shows a value: markers are tested before what they cover, and only exact `true` counts. */
const show = (value: Json | undefined, sensitive: Json | undefined, unknown: Json | undefined): string => {
  if (sensitive === true) return '(sensitive)'
  if (unknown === true) return '(unknown)'
  if (Array.isArray(value)) {
    const at = (marks: Json | undefined, n: number) => (Array.isArray(marks) ? (marks[n] as Json) : undefined)
    return `[${value.map((element, n) => show(element as Json, at(sensitive, n), at(unknown, n))).join(',')}]`
  }
  if (!isObject(value)) return JSON.stringify(value)
  const at = (marks: Json | undefined, member: string) => (isObject(marks) ? marks[member] : undefined)
  const members = new Set([...Object.keys(value), ...(isObject(unknown) ? Object.keys(unknown) : [])])
  return `{${[...members].map((name) => `${name}:${show(value[name], at(sensitive, name), at(unknown, name))}`).join(',')}}`
}

const valuesPlan = (after: Record<string, Json>, before: Record<string, Json> = {}): Plan =>
  aPlan({ changes: [aChange({ address: 'a_b.c', action: 'update', before, after, diff: object({}) })] })

describe('a consumer of plan JSON', () => {
  it('can count changes by their actions', () => {
    const document = read(fullPlan)
    expect(document.format_version).toBe('1.2')
    expect(tally(document)).toEqual({ add: 2, change: 2, destroy: 3 })
    expect(document.resource_changes.every(({ mode }) => mode === 'managed')).toBe(true)
  })

  it.each<readonly [string, Json, string]>([
    ['plain', 'x', '"x"'],
    ['null', null, 'null'],
    ['sealed', sealed, '(sensitive)'],
    ['a secret', { $secret: 'env:T', digest: digestOfSecret }, '(sensitive)'],
    ['text with a secret', { $concat: ['a', { $secret: 'env:T' }], digest: digestOfSecret }, '(sensitive)'],
    ['known later', { $after: 'a_b.d', pointer: '/id' }, '(unknown)'],
    ['a reference', { $ref: 'a_b.d', pointer: '/id' }, '(unknown)'],
    ['text known later', { $concat: ['a', { $after: 'a_b.d', pointer: '/id' }] }, '(unknown)'],
    ['known text', { $concat: ['a', 'b'] }, '"ab"'],
    ['a list', ['x', sealed, { $after: 'a_b.d', pointer: '/id' }], '["x",(sensitive),(unknown)]'],
    [
      'an object',
      { a: { b: sealed }, c: { $after: 'a_b.d', pointer: '/id' }, d: 1 },
      '{a:{b:(sensitive)},d:1,c:(unknown)}',
    ],
    ['a literal', { $literal: { $secret: 'not one', inner: [1] } }, '{$secret:"not one",inner:[1]}'],
  ])('sees %s', (_, value, shown) => {
    const [only] = read(valuesPlan({ value })).resource_changes
    const { after, after_sensitive, after_unknown } = only?.change ?? {}
    expect(show(after, after_sensitive, after_unknown)).toBe(`{value:${shown}}`)
  })

  it('finds no marker where nothing is hidden, and `false` for a missing side', () => {
    const [only] = read(valuesPlan({ a: 'x', b: sealed, c: { $after: 'x', pointer: '' } })).resource_changes
    expect(only?.change).toMatchObject({
      after_sensitive: { b: true },
      after_unknown: { c: true },
      before_sensitive: {},
    })
    const created = read(fullPlan).resource_changes.find(({ address }) => address === 'rabbitmq_user.jobs')
    expect(created?.change.before_sensitive).toBe(false)
    expect(Object.keys(created?.change.after_unknown ?? {})).toEqual(['tags', 'zone_id'])
  })

  it.each([
    ['deleteFirst', ['delete', 'create']],
    ['createFirst', ['create', 'delete']],
  ] as const)('sees the order of a replacement: %s', (replaceOrder, actions) => {
    const change = aChange({
      address: 'module.eu.a_b.c',
      module: 'module.eu',
      action: 'replace',
      replaceOrder,
      reason: 'replace_because_cannot_update',
      replacePaths: [['type'], ['parts', 0]],
      diff: object({}),
    })
    const [only] = read(aPlan({ changes: [change] })).resource_changes
    expect(only).toMatchObject({
      module_address: 'module.eu',
      action_reason: 'replace_because_cannot_update',
      change: { actions, replace_paths: [['type'], ['parts', 0]] },
    })
  })

  it('gets both sides of a drift back from its diff', () => {
    const diff = object({
      same: same([1]),
      moved: updated(1, 2),
      text: text([' a', '-b', '+c', ' ']),
      json: { kind: 'json', action: 'update', inner: object({ k: updated(sealed, 'x') }) },
      numbers: {
        kind: 'yaml',
        action: 'update',
        inner: list([
          same({ $number: '1.0' }),
          updated({ $number: '1e400' }, 'b"'),
          same({ $literal: { $ref: [null] } }),
        ]),
      },
      secret: { kind: 'value', action: 'update', sensitive: true, before: sealed, after: sealed },
    })
    const [only] = read(
      aPlan({ drift: [{ address: 'a_b.c', type: 'a_b', name: 'c', kind: 'changed', diff }] }),
    ).resource_drift
    expect(only?.change).toMatchObject({
      actions: ['update'],
      before: {
        same: [1],
        moved: 1,
        text: 'a\nb\n',
        json: '{"k":"(sensitive)"}',
        numbers: '[1.0,1e400,{"$ref":[null]}]',
        secret: '(sensitive 1)',
      },
      after: {
        same: [1],
        moved: 2,
        text: 'a\nc\n',
        json: '{"k":"x"}',
        numbers: '[1.0,"b\\"",{"$ref":[null]}]',
        secret: '(sensitive 2)',
      },
      before_sensitive: { secret: true },
    })
  })

  it('finds the part of Plumbline beside it', () => {
    const { plumbline } = read(fullPlan)
    expect(plumbline.blocked).toEqual([
      { address: 'pdns_zone.kept', reason: 'prevent_destroy', detail: 'plumbline.yaml:31:7' },
    ])
    expect(plumbline.inSync).toBe(false)
    expect(plumbline.commands).toMatchObject([
      {},
      { request: { body: { password: { $secret: 'env:RABBIT_JOBS_PASSWORD' } } } },
      {},
    ])
  })
})

describe('a plan of Plumbline that is written as one of OpenTofu and read again', () => {
  const schema: ObjectSchema = {
    attributes: {
      name: { type: 'string' },
      password: { type: 'string', sensitive: true },
      tags: { type: 'set', element: { type: 'string' } },
      zone: { type: 'string' },
      part: { type: 'object', attributes: { k: { type: 'number' } } },
    },
  }
  const secret = (n: number): Json => ({ $sealed: `hmac-sha256:${`${n}`.repeat(64)}` })
  const now = (n: number): Json => ({ $secret: 'env:PASSWORD', digest: `hmac-sha256:${`${n}`.repeat(64)}` })
  const change = (
    address: string,
    action: Action,
    before: JsonObject | null,
    after: JsonObject | null,
    more: Partial<Change> = {},
  ): Change => aChange({ address, action, before, after, diff: compare(schema, before, after), ...more })
  const plan = aPlan({
    changes: [
      change('a_b.new', 'create', null, {
        name: 'x',
        password: now(1),
        zone: { $after: 'a_b.z', pointer: '/id' },
        tags: ['a', 'b'],
      }),
      change(
        'a_b.changed',
        'update',
        { name: 'x', password: secret(1), part: { k: 1 } },
        { name: 'y', password: now(2), part: { k: 2 } },
      ),
      change('a_b.kept', 'update', { name: 'x', password: secret(1) }, { name: 'y', password: now(1) }),
      change(
        'module.eu.a_b.again',
        'replace',
        { name: 'x', part: { k: 1 } },
        { name: 'y', part: { k: 1 } },
        {
          module: 'module.eu',
          replacePaths: [['name']],
          reason: 'replace_because_cannot_update',
          replaceOrder: 'createFirst',
        },
      ),
      change('a_b.gone', 'delete', { name: 'x', password: secret(3) }, null, {
        reason: 'delete_because_no_resource_config',
      }),
    ],
    drift: [
      {
        address: 'a_b.changed',
        type: 'a_b',
        name: 'changed',
        kind: 'changed',
        diff: compare(schema, { name: 'w', password: secret(1) }, { name: 'x', password: secret(2) }),
      },
      {
        address: 'a_b.lost',
        type: 'a_b',
        name: 'lost',
        kind: 'deleted',
        diff: compare(schema, { name: 'w', password: secret(1) }, null),
      },
    ],
  })
  const document = renderPlan(plan, { format: 'json' })

  it.each([
    ['as our page', renderView(viewOf(document), { format: 'text', title: 'plan.json', width: 100 }), 'again.txt'],
    ['as the page of OpenTofu', pageOf(document), 'again.opentofu.txt'],
  ])('looks the same %s', async (_, page, file) => {
    await expect(page).toMatchFileSnapshot(`../goldens/${file}`)
  })

  it('shows the same of every attribute', () => {
    const rowsOf = (page: string): readonly string[] =>
      page
        .split('\n')
        .filter((line) => /^ {5}/.test(line))
        .map((line) =>
          line
            .replace(/ {2}#.*$| -> now\).*$/, '')
            .replace(': a_b.z /id', '')
            .trim(),
        )
        .filter((line) => /^[-+~] /.test(line))
        .toSorted()
    const ours = rowsOf(renderPlan(plan, { format: 'text', width: 100 }))
    expect(ours.length).toBeGreaterThan(12)
    expect(rowsOf(renderView(viewOf(document), { format: 'text', title: 'x', width: 100 }))).toEqual(ours)
  })

  it('has full names, in drift too, and contains no digest', () => {
    expect(JSON.parse(document)).toMatchObject({
      format_version: '1.2',
      relevant_attributes: [
        { resource: 'a_b.changed', attribute: [] },
        { resource: 'a_b.lost', attribute: [] },
      ],
    })
    expect(document).not.toMatch(/hmac-sha256/)
  })
})
