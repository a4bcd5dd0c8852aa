import { describe, expect, test } from 'vitest'
import type { PlannedResource, ResourceInput } from '../../../core/engine/plan/planning.ts'
import type { Attribute } from '../../../core/engine/schema/attribute.ts'
import { isArray, type Json, type JsonObject, type Path } from '../../../core/engine/schema/json.ts'
import { absent, desiredOf, factsOf, plan, present, recordedOf, unknown } from '../../builders/values/resources.ts'

const text: Attribute = { type: 'string' }
const attributes = {
  id: { ...text, identity: true },
  a: text,
  fixed: { ...text, immutable: true },
  rev: { type: 'number', computed: true },
  tags: { type: 'set', key: ['k'], element: { type: 'object', attributes: { k: text, v: text } } },
} satisfies Record<string, Attribute>
const { tags: keyed } = attributes
const element = { element: keyed.element }
const facts = factsOf(attributes)

/** What is planned, in one line. */
const summary = ({ change, unchecked, ignored, forgotten }: PlannedResource): string =>
  [
    change && [change.action, change.reason, change.blocked?.reason].filter(Boolean).join(' '),
    unchecked && `unchecked ${unchecked.reason}`,
    ...ignored.map(({ path, rule }) => `ignored /${path.join('/')} ${rule}`),
    forgotten && 'forgotten',
  ]
    .filter(Boolean)
    .join(', ') || 'nothing'

const one = desiredOf({ id: '1', a: 'x' })
const gone = desiredOf({ id: '1' }, { absent: true })
const record = recordedOf({ id: '1', a: 'x' })
const seen = present({ id: '1', a: 'x', rev: 1 })
const moved = present({ id: '1', a: 'y', rev: 2 })

describe('the planner', () => {
  test.each<[string, Partial<ResourceInput>, string]>([
    ['present and wanted so', { desired: one, observed: seen }, 'nothing'],
    ['present and wanted otherwise', { desired: one, observed: moved }, 'update'],
    ['absent and wanted', { desired: one, observed: absent }, 'create'],
    ['present and not wanted', { desired: gone, observed: seen }, 'delete delete_because_absent'],
    ['absent and not wanted', { desired: gone, observed: absent }, 'nothing'],
    ['absent, not wanted, and recorded', { desired: gone, recorded: record, observed: absent }, 'forgotten'],
    ['left the configuration', { recorded: record, observed: seen }, 'delete delete_because_no_resource_config'],
    ['left the configuration and is gone', { recorded: record, observed: absent }, 'forgotten'],
    [
      'left the configuration, and its type is never deleted',
      { recorded: record, observed: seen, facts: factsOf(attributes, { preventDelete: true }) },
      'ignored / preventDelete, forgotten',
    ],
    ['unknown and wanted', { desired: one, observed: unknown }, 'unchecked forbidden'],
    ['unknown and not wanted', { desired: gone, observed: unknown }, 'unchecked forbidden'],
    ['unknown and left the configuration', { recorded: record, observed: unknown }, 'unchecked forbidden'],
    [
      'a delete that is prevented',
      { desired: { ...gone, lifecycle: { preventDestroy: true } }, observed: seen },
      'delete delete_because_absent prevent_destroy',
    ],
    [
      'also when the resource left the configuration',
      { recorded: { ...record, lifecycle: { preventDestroy: true } }, observed: seen },
      'delete delete_because_no_resource_config prevent_destroy',
    ],
  ])('decides whether a resource is created, deleted or left alone: %s', (_, input, expected) =>
    expect(summary(plan({ facts, observed: absent, ...input }))).toBe(expected),
  )

  test('treats a part that could not be read as unchecked, and does not forget it', () => {
    const wanted = desiredOf({ id: '1', a: 'x', fixed: 'f', tags: [{ k: '1', v: '1' }] })
    const tags = { kind: 'unknown', reason: 'forbidden', detail: 'no' } as const
    const partly = { kind: 'present' as const, attributes: { id: '1', a: 'y', fixed: 'f' }, unread: { tags } }
    const { change, unchecked, before } = plan({ facts, desired: wanted, observed: partly })
    expect([change?.action, change?.blocked, unchecked?.attributes]).toEqual(['update', undefined, ['tags']])
    expect(before).toEqual({ id: '1', a: 'y', fixed: 'f' })
    const lifecycle = { onImmutable: 'replace' as const }
    const other = { kind: 'present' as const, attributes: { id: '1', a: 'x', fixed: 'g' }, unread: { tags } }
    expect(summary(plan({ facts, desired: { ...wanted, lifecycle }, observed: other }))).toBe(
      'replace replace_because_cannot_update unread, unchecked forbidden',
    )
  })

  test('names the way out for what left the configuration and is answered with an error', () => {
    const observed = { kind: 'unknown', reason: 'unexpected_status', detail: 'GET /in/gone: 404' } as const
    expect(plan({ facts, recorded: record, observed }).unchecked?.detail).toMatch(/: 404; .* list it under removed$/)
    expect(plan({ facts, desired: one, recorded: record, observed }).unchecked?.detail).toBe('GET /in/gone: 404')
  })

  test('tells what is declared to name one of several under import, and what left the configuration that it is to be declared again', () => {
    const several = { detail: '2 objects have the same id', among: [{ uid: '7' }, { uid: '9' }] }
    const observed = { kind: 'unknown', reason: 'ambiguous', ...several } as const
    const named = '2 objects have the same id; name the one that is meant under import'
    expect(plan({ facts, desired: one, observed }).unchecked?.detail).toBe(named)
    const second = { ...record, address: `${record.address} (object 2)` }
    expect(plan({ facts, recorded: second, observed }).unchecked?.detail).not.toContain('import')
    expect(plan({ facts, recorded: record, observed }).unchecked?.detail).toMatch(
      /declare it again .* under import; .* removed$/,
    )
  })

  test('gives neither values nor a digest for an unknown read', () => {
    expect(plan({ facts, desired: one, observed: unknown })).not.toHaveProperty('observedDigest')
  })

  test('keeps the identity of the object in a delete', () => {
    expect(plan({ facts, recorded: record, observed: moved }).desired).toEqual({ id: '1', a: 'x' })
  })

  test('shows computed attributes in no change and in no digest', () => {
    const later = plan({ facts, desired: one, observed: present({ id: '1', a: 'x', rev: 9 }) })
    const now = plan({ facts, desired: one, observed: seen })
    expect(later.observedDigest).toBe(now.observedDigest)
    expect(plan({ facts, desired: one, observed: moved }).observedDigest).not.toBe(now.observedDigest)
  })
})

describe('an attribute that is fixed at creation', () => {
  const other = desiredOf({ id: '1', fixed: 'new' })
  const both = desiredOf({ id: '1', a: 'new', fixed: 'new' })
  const old = present({ id: '1', a: 'x', fixed: 'old' })
  test.each<[string, Partial<ResourceInput>, string]>([
    ['is reported', { desired: other }, 'update immutable'],
    ['blocks what else differs', { desired: both }, 'update immutable'],
    [
      'until it is left alone',
      { desired: { ...both, lifecycle: { ignoreChanges: ['fixed'] } } },
      'update, ignored /fixed ignoreChanges',
    ],
    [
      'is replaced by the type',
      { desired: other, facts: factsOf(attributes, { onImmutable: 'replace' }) },
      'replace replace_because_cannot_update',
    ],
    [
      'is reported by the resource, whatever the type says',
      {
        desired: { ...other, lifecycle: { onImmutable: 'report' } },
        facts: factsOf(attributes, { onImmutable: 'replace' }),
      },
      'update immutable',
    ],
    [
      'is not replaced where destroying is prevented',
      { desired: { ...other, lifecycle: { onImmutable: 'replace', preventDestroy: true } } },
      'replace replace_because_cannot_update prevent_destroy',
    ],
    [
      'is not replaced where the path is left alone',
      { desired: { ...other, lifecycle: { onImmutable: 'replace', ignoreChanges: ['fixed'] } } },
      'ignored /fixed ignoreChanges',
    ],
    ['does not matter for a new object', { desired: other, observed: absent }, 'create'],
  ])('is treated as its lifecycle says: it %s', (_, input, expected) =>
    expect(summary(plan({ facts, observed: old, ...input }))).toBe(expected),
  )

  test.each([
    ['replaced', desiredOf({ id: '1', fixed: 'new' }, { lifecycle: { onImmutable: 'replace', preventDestroy: true } })],
    ['deleted', desiredOf({ id: '1' }, { absent: true, lifecycle: { preventDestroy: true } })],
  ])('is reported as prevented from destruction where it would be %s', (what, desired) => {
    const { change } = plan({ facts, observed: old, desired })
    expect(change?.blocked?.detail).toBe(`lifecycle.preventDestroy keeps it from being ${what}; remove it to go on`)
  })

  test('is named by its path without its value, and is refused by an error', () => {
    const blocked = (onImmutable: 'report' | 'error') =>
      plan({ facts, observed: old, desired: { ...other, lifecycle: { onImmutable } } }).change?.blocked
    expect(blocked('report')?.detail).toMatch(/^fixed cannot change after creation/)
    expect(blocked('report')).not.toHaveProperty('refuse')
    expect(blocked('error')?.refuse).toBe(true)
  })

  test('forces a replacement that names it, and says in which order it happens', () => {
    const replaced = plan({
      facts: factsOf(attributes, { onImmutable: 'replace', replaceOrder: 'createFirst' }),
      observed: old,
      desired: both,
    }).change
    expect(replaced).toMatchObject({ replacePaths: [['fixed']], replaceOrder: 'createFirst' })
    expect(JSON.stringify(replaced?.diff).match(/forcesReplacement/g)).toHaveLength(1)
  })

  test.each([
    ['stable', 'createFirst', undefined],
    ['reused', 'createFirst', 'same_keys'],
    ['reused', 'deleteFirst', undefined],
  ] as const)(
    'is not replaced where two objects of one name would be told apart by nothing: ids %s, %s',
    (ids, replaceOrder, reason) => {
      const facts = { ...factsOf(attributes, { onImmutable: 'replace', replaceOrder }), identity: { ids } }
      const { change } = plan({ facts, observed: old, desired: other })
      expect([change?.action, change?.blocked?.reason]).toEqual(['replace', reason])
      if (reason) expect(change?.blocked?.detail).toContain('set lifecycle.replaceOrder to deleteFirst')
    },
  )

  test.each([
    [undefined, undefined, 'deleteFirst'],
    [undefined, 'createFirst', 'createFirst'],
    ['createFirst', undefined, 'createFirst'],
    ['deleteFirst', 'createFirst', 'deleteFirst'],
  ] as const)(
    'is replaced in the order of the resource (%s) rather than that of its type (%s): %s',
    (own, ofType, expected) => {
      const type = { onImmutable: 'replace', ...(ofType && { replaceOrder: ofType }) } as const
      const lifecycle = own === undefined ? {} : { replaceOrder: own }
      const { change } = plan({ facts: factsOf(attributes, type), observed: old, desired: { ...both, lifecycle } })
      expect(change?.replaceOrder).toBe(expected)
    },
  )
})

describe('an attribute that the answer lacks', () => {
  const lost = (fact: Partial<Attribute>, more: Partial<ResourceInput> = {}) =>
    plan({
      facts: factsOf({ ...attributes, a: { ...text, ...fact } }),
      desired: one,
      recorded: record,
      observed: present({ id: '1' }),
      ...more,
    })

  test.each<[string, Partial<Attribute>, Partial<ResourceInput>, string]>([
    ['is not known', {}, {}, 'unchecked bad_body'],
    ['has its default', { default: 'z' }, {}, 'update'],
    ['has no value where answers leave that out', { leftOut: true }, {}, 'update'],
    [
      'does not matter where it is left alone',
      {},
      { desired: { ...one, lifecycle: { ignoreChanges: ['a'] } } },
      'ignored /a ignoreChanges',
    ],
    ['does not matter where it shall have no value', {}, { desired: desiredOf({ id: '1', a: null }) }, 'nothing'],
    ['does not matter where nobody declares it', {}, { desired: desiredOf({ id: '1' }) }, 'nothing'],
    ['does not matter where the object goes', {}, { desired: gone }, 'delete delete_because_absent'],
    ['is not known where it was never seen', {}, { recorded: recordedOf({ id: '1' }) }, 'unchecked bad_body'],
  ])('is judged by whether it was declared, and by what explains it: it %s', (_, fact, more, expected) =>
    expect(summary(lost(fact, more))).toBe(expected),
  )

  test('is named, with the detail that the provider gave', () => {
    expect(lost({}).unchecked?.detail).toMatch(/^the answer has no a; .* leftOut or default to the attribute$/)
  })

  const box: Attribute = { type: 'object', attributes: { b: text, c: { ...text, leftOut: true } } }
  test.each<[string, Attribute, (inner: JsonObject) => Json]>([
    ['of an object', box, (inner) => inner],
    ['of an object in a map', { type: 'map', element: box }, (inner) => ({ x: inner })],
    [
      'of an element with a key',
      { type: 'set', key: ['k'], element: { ...box, attributes: { ...box.attributes, k: text } } },
      (inner) => [{ k: '1', ...inner }],
    ],
    ['of an element of a list', { type: 'list', element: box }, (inner) => [inner]],
    [
      'of an element of a list with a key',
      { type: 'list', key: ['k'], element: { ...box, attributes: { ...box.attributes, k: text } } },
      (inner) => [{ k: '1', ...inner }],
    ],
    ['of one element of a list', { type: 'list', element: box }, (inner) => [{ b: '1', c: '2' }, inner]],
    ['of an element without a key', { type: 'set', element: box }, (inner) => [{ b: '1', c: '2' }, inner]],
    [
      'of an object in an element',
      { type: 'list', element: { type: 'object', attributes: { k: text, box } } },
      (inner) => [{ k: '1', box: inner }],
    ],
  ])('is noticed where it is a member %s', (_, boxes, around) => {
    const inside = (observed: JsonObject) =>
      summary(
        plan({
          facts: factsOf({ ...attributes, box: boxes }),
          desired: desiredOf({ id: '1', box: around({ b: 'x', c: 'y' }) }),
          recorded: recordedOf({ id: '1', box: around({ b: 'x', c: 'y' }) }),
          observed: present({ id: '1', box: around(observed) }),
        }),
      )
    expect([inside({ c: 'y' }), inside({ b: 'x' })]).toEqual(['unchecked bad_body', 'update'])
  })

  test.each<[string, Attribute['type']]>([
    ['list', 'list'],
    ['set', 'set'],
  ])('says nothing of an element that is certainly another one, in a %s', (_, type) =>
    expect(
      summary(
        plan({
          facts: factsOf({ ...attributes, box: { type, element: box } }),
          desired: desiredOf({ id: '1', box: [{ b: 'x', c: 'y' }] }),
          observed: present({ id: '1', box: [{ c: 'z' }] }),
        }),
      ),
    ).toBe('update'),
  )

  test('is drift where answers leave out attributes without a value', () => {
    const { change } = lost({ leftOut: true })
    expect(change?.causes?.map(({ cause }) => cause)).toEqual(['drift'])
  })
})

describe('attributes that could not be read', () => {
  const hidden = (permission?: string) =>
    ({
      kind: 'unknown',
      reason: 'forbidden',
      detail: '403',
      ...(permission === undefined ? {} : { permission }),
    }) as const
  const planned = (unread: Record<string, ReturnType<typeof hidden>>) =>
    plan({ facts, desired: one, observed: { ...present({ id: '1', a: 'x' }), unread } as ResourceInput['observed'] })
      .unchecked
  test.each<[string, Record<string, ReturnType<typeof hidden>>, string | undefined]>([
    ['one', { a: hidden('admin') }, 'admin'],
    ['two', { a: hidden('admin'), id: hidden('members') }, 'admin, members'],
    ['one twice', { a: hidden('admin'), id: hidden('admin') }, 'admin'],
    ['none that is known', { a: hidden() }, undefined],
  ])('name the missing permissions: %s', (_, unread, permission) => {
    const { position, ...found } = planned(unread) ?? {}
    // Where it is declared.
    expect(position).toBeDefined()
    expect(found).toEqual({
      address: 'thing.one',
      reason: 'forbidden',
      detail: '403',
      attributes: Object.keys(unread),
      ...(permission === undefined ? {} : { permission }),
    })
  })
  test('do not matter where they are not declared', () => {
    expect(planned({ rev: hidden('admin') })).toBeUndefined()
  })
})

describe('the causes of a change', () => {
  const tags = (...names: string[]) => names.map((k) => ({ k, v: '1' }))
  test.each<[string, JsonObject | undefined, JsonObject, JsonObject, Record<string, string>]>([
    ['never recorded', undefined, { a: 'o' }, { a: 'd' }, { a: 'new' }],
    ['the live value moved', { a: 'd' }, { a: 'o' }, { a: 'd' }, { a: 'drift' }],
    ['the configuration moved', { a: 'o' }, { a: 'o' }, { a: 'd' }, { a: 'pending' }],
    ['both moved, apart', { a: 'r' }, { a: 'o' }, { a: 'd' }, { a: 'conflict' }],
    ['both moved, together', { a: 'r' }, { a: 'd' }, { a: 'd' }, {}],
    ['recorded, but not this attribute', {}, { a: 'o' }, { a: 'd' }, { a: 'new' }],
    ['an attribute that never had a value', { a: null }, { a: null }, { a: 'd' }, { a: 'pending' }],
    ['agreed as absent, then set outside', { a: null }, { a: 'o' }, { a: null }, { a: 'drift' }],
    [
      'an element added outside',
      { tags: tags('x') },
      { tags: tags('x', 'y') },
      { tags: tags('x') },
      { 'tags/y': 'drift' },
    ],
    [
      'an element removed outside',
      { tags: tags('x', 'y') },
      { tags: tags('y') },
      { tags: tags('x', 'y') },
      { 'tags/x': 'drift' },
    ],
    [
      'an element added here',
      { tags: tags('x') },
      { tags: tags('x') },
      { tags: tags('x', 'y') },
      { 'tags/y': 'pending' },
    ],
    [
      'an element removed here',
      { tags: tags('x', 'y') },
      { tags: tags('x', 'y') },
      { tags: tags('x') },
      { 'tags/y': 'pending' },
    ],
    [
      'a member inside an element',
      { tags: [{ k: 'x', v: '1' }] },
      { tags: [{ k: 'x', v: '2' }] },
      { tags: [{ k: 'x', v: '1' }] },
      { 'tags/x/v': 'drift' },
    ],
  ])('tell an outside change from a change of the configuration: %s', (_, recorded, observed, desired, expected) => {
    const { change } = plan({
      facts,
      desired: desiredOf(desired),
      observed: present(observed),
      ...(recorded === undefined ? {} : { recorded: recordedOf(recorded) }),
    })
    expect(Object.fromEntries((change?.causes ?? []).map(({ path, cause }) => [path.join('/'), cause]))).toEqual(
      expected,
    )
  })

  test.each([
    ['created for the first time', undefined, 'new'],
    ['deleted outside', recordedOf({ id: '1', a: 'x', fixed: 'more than is declared' }), 'drift'],
    ['deleted outside, and the configuration moved', recordedOf({ id: '1', a: 'y' }), 'conflict'],
  ])('explain why an object is created: %s', (_, recorded, cause) => {
    const { change } = plan({ facts, desired: one, observed: absent, ...(recorded ? { recorded } : {}) })
    expect(change?.causes).toEqual([{ path: [], cause }])
  })

  test('call the delete of an untouched object pending, and of a changed one a conflict', () => {
    expect(plan({ facts, recorded: record, observed: seen }).change?.causes).toEqual([{ path: [], cause: 'pending' }])
    expect(plan({ facts, recorded: record, observed: moved }).change?.causes).toEqual([{ path: [], cause: 'conflict' }])
  })
})

describe('drift', () => {
  test.each<[string, Partial<ResourceInput>, unknown]>([
    ['of a managed attribute', { desired: one, recorded: record, observed: moved }, 'changed'],
    [
      'that the configuration followed',
      { desired: desiredOf({ id: '1', a: 'y' }), recorded: record, observed: moved },
      'changed',
    ],
    [
      'of an attribute that nobody manages',
      { desired: desiredOf({ id: '1' }), recorded: record, observed: moved },
      undefined,
    ],
    [
      'of a computed attribute',
      { desired: one, recorded: recordedOf({ id: '1', a: 'x', rev: 0 }), observed: seen },
      undefined,
    ],
    [
      'of what is left alone',
      { desired: { ...one, lifecycle: { ignoreChanges: ['a'] } }, recorded: record, observed: moved },
      undefined,
    ],
    ['of an object that was deleted', { desired: one, recorded: record, observed: absent }, 'deleted'],
    ['without a record', { desired: one, observed: moved }, undefined],
    ['of an object that shall go', { desired: gone, recorded: record, observed: moved }, undefined],
    [
      'of what never agreed',
      { desired: one, recorded: recordedOf({ id: '1' }, { neverAgreed: ['/a'] }), observed: moved },
      undefined,
    ],
    [
      'of an element that never agreed',
      {
        desired: desiredOf({ tags: [{ k: 'x', v: 'new' }] }),
        recorded: recordedOf({ tags: [{ k: 'x', v: 'first' }] }, { neverAgreed: ['/tags/x/v'] }),
        observed: present({ tags: [{ k: 'x', v: 'old' }] }),
      },
      undefined,
    ],
  ])('is reported where something recorded moved: %s', (_, input, kind) =>
    expect(plan({ facts, observed: absent, ...input }).drift?.kind).toBe(kind),
  )

  test('shows the recorded and the observed value', () => {
    const { drift } = plan({ facts, desired: one, recorded: record, observed: moved })
    expect(drift?.diff).toMatchObject({ members: { a: { before: 'x', after: 'y' }, id: { action: 'same' } } })
  })
})

describe('collections that are compared in part', () => {
  test('take the declared attribute for the pattern where the target does not answer it', () => {
    const ours = factsOf({ id: text, tags: { ...attributes['tags'], type: 'set', ignore: [{ k: 'of-{id}' }] } })
    const planned = plan({
      facts: ours,
      desired: desiredOf({ id: '1', tags: [] }),
      observed: present({ id: '1', tags: [{ k: 'of-1' }] }),
    })
    const silent = plan({
      facts: ours,
      desired: desiredOf({ id: '1', tags: [] }),
      observed: present({ tags: [{ k: 'of-1' }] }),
    })
    expect([planned.before?.['tags'], silent.before?.['tags']]).toEqual([[], []])
  })

  test.each<[string, Attribute, Json, readonly Path[]]>([
    ['set with a key', keyed, [{ k: 'x' }, { k: 'soa', v: 'mine' }], [['tags', 'soa']]],
    ['set without a key', { type: 'set', ...element }, [{ k: 'x' }, { k: 'soa' }], [['tags']]],
    ['list', { type: 'list', ...element }, [{ k: 'x' }, { k: 'soa' }], [['tags', 1]]],
    ['map', { type: 'map', ...element }, { x: { k: 'x' }, y: { k: 'soa' } }, [['tags', 'y']]],
    ['set of which nothing is ignored', keyed, [{ k: 'x' }], []],
  ])('tell what is declared and left out all the same: %s', (_, attribute, tags, paths) => {
    const ours = factsOf({ tags: { ...attribute, ignore: [{ k: 'soa' }] } })
    const there = { tags: isArray(tags) ? tags.slice(0, 1) : { x: { k: 'x' } } }
    const planned = plan({ facts: ours, desired: desiredOf({ tags }), observed: present(there) })
    expect(planned.change).toBeUndefined()
    const rule = 'declared, but `ignore` of its provider leaves such elements alone'
    expect(planned.ignored).toEqual(paths.map((path) => ({ address: planned.address, path, rule })))
  })

  test('can be declared by the resource itself to be shared with others', () => {
    const desired = desiredOf({ tags: [{ k: 'x' }] })
    const observed = present({ tags: [{ k: 'x' }, { k: 'y' }] })
    expect(plan({ facts, desired, observed }).change?.causes.map(({ path }) => path)).toEqual([['tags', 'y']])
    expect(
      plan({ facts, desired: { ...desired, lifecycle: { manage: { tags: 'declared' } } }, observed }).change,
    ).toBeUndefined()
  })
})
