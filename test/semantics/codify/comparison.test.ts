import { expect } from 'vitest'
import { prove } from '../prove.ts'
import { aThing, aWorld, judge } from '../world.ts'
import { comparison } from './comparison.ts'

const two = 'a: {}\nb: {}'
const replaced = 'lifecycle: { onImmutable: replace, replace: { order: deleteFirst } }'
const fixed = 'a: { immutable: true }\nb: {}'

const added = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { action: 'create' }]))

prove(comparison, {
  'nothing declared': async () =>
    expect(await judge({ attributes: two, desired: {}, live: { a: 'x' } })).toMatchObject({
      action: 'none',
      inSync: true,
    }),
  'no live object': async () => {
    const { action, plan, sent, stored } = await judge({ attributes: two, desired: { a: 'x', b: 'y' } })
    expect([action, sent, stored]).toEqual(['create', ['PUT'], { a: 'x', b: 'y' }])
    expect(plan.changes).toMatchObject([{ before: null, diff: { action: 'create', members: added('a', 'b') } }])
  },
  'a parameter changed': async () => {
    const case_ = { desired: { a: 'y' }, live: { a: 'x' } }
    expect(await judge({ attributes: two, ...case_ })).toMatchObject({ action: 'update', sent: ['PUT'], inSync: true })
    const again = await judge({ attributes: fixed, more: replaced, ...case_ })
    expect(again).toMatchObject({ action: 'replace', sent: ['DELETE', 'PUT'], inSync: true })
  },
  'a parameter that can be modified changed': async () =>
    expect(await judge({ attributes: two, desired: { a: 'y' }, live: { a: 'x', b: 'z' } })).toMatchObject({
      action: 'update',
      stored: { a: 'y', b: 'z' },
    }),
  'two parameters changed, one of them cannot be modified': async () =>
    expect(
      await judge({ attributes: fixed, more: replaced, desired: { a: 'y', b: 'y' }, live: { a: 'x', b: 'x' } }),
    ).toMatchObject({ action: 'replace', sent: ['DELETE', 'PUT'], stored: { a: 'y', b: 'y' }, inSync: true }),
  'the live object has more': async () => {
    expect(await judge({ attributes: two, desired: { a: 'x' }, live: { a: 'x', b: 'y', c: 1 } })).toMatchObject({
      action: 'none',
      inSync: true,
    })
    const changed = await judge({ attributes: two, desired: { a: 'z' }, live: { a: 'x', b: 'y', c: 1 } })
    expect(changed.stored).toEqual({ a: 'z', b: 'y', c: 1 })
  },
  'the live object lacks a declared parameter': async () =>
    expect(await judge({ attributes: 'a: { leftOut: true }', desired: { a: 'x' }, live: {} })).toMatchObject({
      action: 'update',
      stored: { a: 'x' },
      inSync: true,
    }),
  'null is declared': async () =>
    expect(await judge({ attributes: 'a: { leftOut: true }', desired: { a: null }, live: { a: 'x' } })).toMatchObject({
      action: 'update',
      sent: ['PUT'],
      stored: {},
      inSync: true,
    }),
  'equal objects without a type': async () =>
    expect(
      await judge({ attributes: 'a: { type: any }', desired: { a: { x: [1] } }, live: { a: { x: [1] } } }),
    ).toMatchObject({ action: 'none', inSync: true }),
  'equal objects with a type': async () =>
    expect(
      await judge({
        attributes: 'a: { type: object, attributes: { x: {}, y: {} } }',
        desired: { a: { x: '1', y: '2' } },
        live: { a: { y: '2', x: '1' } },
      }),
    ).toMatchObject({ action: 'none', inSync: true }),
  'an object with an extra member': async () => {
    const values = { desired: { a: { x: '1' } }, live: { a: { x: '1', y: '2' } } }
    const of = (fact: string) => judge({ attributes: `a: { ${fact} }`, ...values })
    expect((await of('type: object, attributes: { x: {} }')).action).toBe('none')
    expect(await of('type: map')).toMatchObject({ action: 'update', stored: { a: { x: '1' } }, inSync: true })
    expect((await of('type: map, manage: declared')).action).toBe('none')
  },
  versions: async () =>
    expect(await judge({ attributes: 'a: {}', desired: { a: '20' }, live: { a: '3.20.1' } })).toMatchObject({
      action: 'update',
      stored: { a: '20' },
    }),
  'a number and its text': async () => {
    const typed = judge({ attributes: 'a: { type: number }', desired: { a: '5' }, live: { a: 5 } })
    await expect(typed).rejects.toThrow('CONFIG_INVALID')
    const written = await judge({ attributes: 'a: { type: number, as: text }', desired: { a: 6 }, live: { a: 5 } })
    expect(written.stored).toEqual({ a: '6' })
  },
  'a missing boolean': async () => {
    const missing = { desired: { a: false }, live: {} }
    expect((await judge({ attributes: 'a: { type: boolean, default: false }', ...missing })).action).toBe('none')
    expect((await judge({ attributes: 'a: { type: boolean, leftOut: true }', ...missing })).action).toBe('update')
  },
  'a list in another order': async () => {
    const values = { desired: { a: [1, 2] }, live: { a: [2, 1] } }
    const of = (type: string) => judge({ attributes: `a: { type: ${type}, element: { type: number } }`, ...values })
    expect((await of('set')).action).toBe('none')
    expect(await of('list')).toMatchObject({ action: 'update', stored: { a: [1, 2] }, inSync: true })
  },
  'a list with fewer elements, filter on': async () => {
    const attributes =
      'a: { type: set, key: [id], manage: declared, element: { type: object, attributes: { id: {}, v: {} } } }'
    const live = {
      a: [
        { id: 'p', v: '1' },
        { id: 'q', v: '1' },
      ],
    }
    expect((await judge({ attributes, desired: { a: [{ id: 'p', v: '1' }] }, live })).action).toBe('none')
    const { stored } = await judge({ attributes, desired: { a: [{ id: 'p', v: '2' }] }, live })
    expect(stored).toEqual({
      a: expect.arrayContaining([
        { id: 'p', v: '2' },
        { id: 'q', v: '1' },
      ]),
    })
  },
  'a list with fewer elements, filter off': async () =>
    expect(
      await judge({ attributes: 'a: { type: set }', desired: { a: ['1'] }, live: { a: ['1', '2'] } }),
    ).toMatchObject({ action: 'update', sent: ['PUT'], stored: { a: ['1'] }, inSync: true }),
  'an element twice': async () =>
    expect(
      await judge({ attributes: 'a: { type: set }', desired: { a: ['1', '1'] }, live: { a: ['1'] } }),
    ).toMatchObject({ action: 'update', stored: { a: ['1', '1'] }, inSync: true }),
  'an empty list': async () =>
    expect(await judge({ attributes: 'a: { type: list }', desired: { a: [] }, live: { a: ['1'] } })).toMatchObject({
      action: 'update',
      stored: { a: [] },
      inSync: true,
    }),
  'a list of equal objects': async () => {
    const values = { desired: { a: [{ x: 1 }, { x: 2 }] }, live: { a: [{ x: 1 }, { x: 2 }] } }
    expect((await judge({ attributes: 'a: { type: any }', ...values })).action).toBe('none')
    expect((await judge({ attributes: 'a: { type: list, element: { type: any } }', ...values })).action).toBe('none')
  },
  'a parameter that is a setting': async () => {
    await using world = await aWorld({ attributes: two, resources: [aThing('a', { a: 'x' })], live: { a: { a: 'x' } } })
    await world.check()
    world.want([aThing('a', { a: 'x' }, { lifecycle: { preventDestroy: true, onImmutable: 'replace' } })])
    expect((await world.check()).plan).toMatchObject({ inSync: true, changes: [], drift: [] })
  },
  'a default': async () => {
    const of = (facts: string) =>
      judge({ attributes: `a: { default: x${facts} }\nb: {}`, desired: { b: 'y' }, live: { a: 'z', b: 'y' } })
    expect((await of('')).action).toBe('none')
    expect(await of(', whenUndeclared: default')).toMatchObject({ action: 'update', stored: { a: 'x', b: 'y' } })
  },
  'a transformation': async () => {
    const attributes = 'a: { type: number, scale: 1024 }'
    expect((await judge({ attributes, desired: { a: 2 }, live: { a: 2048 } })).action).toBe('none')
    expect((await judge({ attributes, desired: { a: 3 }, live: { a: 2048 } })).stored).toEqual({ a: 3072 })
  },
  'a list with a life of its own': async () => {
    const attributes = 'a: { type: set, key: [id], element: { type: object, attributes: { id: {} } } }'
    const values = { attributes, desired: { a: [{ id: 'p' }] }, live: { a: [{ id: 'p' }, { id: 'q' }] } }
    expect((await judge({ ...values, lifecycle: { manage: { a: 'declared' } } })).action).toBe('none')
    const exclusive = await judge({ ...values, lifecycle: { manage: { a: 'exclusive' } } })
    expect(exclusive).toMatchObject({ action: 'update', stored: { a: [{ id: 'p' }] } })
  },
  'a parameter operation': async () => {
    const attributes = ['p', 'q', 'r', 's'].map((name) => `${name}: { leftOut: true }`).join('\n')
    const desired = { p: 'new', q: null, r: 'other', s: 'same' }
    const { plan } = await judge({ attributes, desired, live: { q: 'old', r: 'one', s: 'same' } })
    const [p, q, r, s] = ['create', 'update', 'update', 'same'].map((action) => ({ action }))
    expect(plan.changes).toMatchObject([{ action: 'update', diff: { members: { p, q, r, s } } }])
  },
  'a protected resource': async () => {
    await using world = await aWorld({
      resources: [aThing('a', { size: 1 }, { lifecycle: { preventDestroy: true } })],
      live: { a: { size: 1 } },
    })
    await world.check()
    world.want([aThing('a', {}, { absent: true, lifecycle: { preventDestroy: true } })])
    const { plan, digest } = await world.check()
    expect(plan).toMatchObject({
      inSync: false,
      changes: [{ action: 'delete', blocked: { reason: 'prevent_destroy' } }],
      commands: [],
    })
    expect([(await world.apply(digest)).status, world.sent()]).toEqual(['refused', []])
  },
})
