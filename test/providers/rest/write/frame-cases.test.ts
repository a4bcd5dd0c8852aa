import { describe, expect, it } from 'vitest'
import type { Grade } from '../../../../core/engine/schema/command.ts'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { documentOf, plan, wayOf } from '../../../builders/frame/case.ts'
import { hold } from '../../../builders/frame/hold.ts'
import { type Way, ways } from '../../../builders/frame/shape.ts'
import { planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

/* Cases that the law of the frame has found: what a write leaves as it was, and what it says before. */

const full = wayOf('full', 'replace')
const set = (facts: string, members = 'k: {}') =>
  `{ type: set, ${facts}element: { type: object, attributes: { ${members} } } }`

describe('a write leaves as it was', () => {
  it.each<[string, Way, string, Json, JsonObject, Json]>([
    [
      'the order of a set that it does not change',
      full,
      '{ type: set, element: {} }',
      ['b', 'a'],
      { note: 'new' },
      ['b', 'a'],
    ],
    [
      'members of elements in a map, of a server that keeps members',
      wayOf('full', 'deep'),
      `{ type: map, element: { type: object, attributes: { l: ${set('key: [k], ')} } } }`,
      { m: { l: [{ k: 'b', x: 1 }, { k: 'a' }] } },
      { note: 'new' },
      { m: { l: [{ k: 'b', x: 1 }, { k: 'a' }] } },
    ],
    [
      'members of elements whose defaults an answer leaves out',
      full,
      `{ type: list, element: { type: object, attributes: { k: {}, kind: { default: text } } } }`,
      [{ k: 'a', x: 1 }],
      {
        v: [
          { k: 'a', kind: 'text' },
          { k: 'b', kind: 'text' },
        ],
      },
      [
        { k: 'a', x: 1 },
        { k: 'b', kind: 'text' },
      ],
    ],
    [
      'nothing of any JSON that is replaced',
      wayOf('changed', 'shallow'),
      `{ type: list, element: { type: object, attributes: { k: {}, any: { type: any } } } }`,
      [{ k: 'a', any: { b: null, c: 1 }, x: 1 }],
      { v: [{ k: 'a', any: { c: 2 } }] },
      [{ k: 'a', any: { c: 2 }, x: 1 }],
    ],
    [
      'nothing of a null that a map has no more',
      full,
      '{ type: map }',
      { a: null, b: '1' },
      { v: { b: '1' } },
      { b: '1' },
    ],
    ...ways.map((way): [string, Way, string, Json, JsonObject, Json] => [
      `an element that is as declared, beside another one with its key, in a ${way.method} of ${way.send} to what answers ${way.server}`,
      way,
      set('key: [k], ', 'k: {}, w: {}'),
      [
        { k: 'a', w: '1', x: 1 },
        { k: 'a', w: '2', x: 2 },
        { k: 'b', w: '3', x: 3 },
      ],
      {
        v: [
          { k: 'a', w: '2' },
          { k: 'b', w: '4' },
        ],
      },
      [
        { k: 'a', w: '2', x: 2 },
        { k: 'b', w: '4', x: 3 },
      ],
    ]),
    ['nothing of a value that only a create sends', full, '{ sendOn: create }', 'x', { note: 'new' }, null],
    ['nothing of a value that a body leaves out to clear it', full, '{ clearAs: omit }', 'x', { v: null }, null],
    [
      'nothing of a value that was of another kind',
      wayOf('jsonPatch', 'patch'),
      '{ type: any, partial: true }',
      [1, 2],
      { v: { a: 1 } },
      { a: 1 },
    ],
  ])('of this kind: %s', async (_, way, facts, there, declared, expected) => {
    expect((await plan(way, facts, there, declared)).after).toEqual(expected)
  })
})

describe('a write is not planned', () => {
  it.each<[string, Way, string, Json, JsonObject, RegExp]>([
    [
      'that could take an element of others for one that goes',
      full,
      set('ignore: [{ own: true }], ', 'k: {}, own: { type: boolean, computed: true }'),
      [
        { k: 'a', own: true },
        { k: 'a', own: false },
      ],
      { v: [] },
      /^the object cannot be written: an element of a list in it cannot be told .*; set the key that distinguishes the elements of \/v,/,
    ],
    [
      'of a list of any JSON that is only partly known',
      wayOf('changed', 'shallow'),
      set('ignore: [{ own: true }], ', 'k: { type: any, partial: true }, own: { type: boolean, computed: true }'),
      [
        { k: { a: 1 }, own: true },
        { k: { a: 1 }, own: false, x: 1 },
      ],
      { v: [] },
      /^\/v cannot be written: an element of a list in it cannot be told .*; set the key that distinguishes the elements of \/v,/,
    ],
    [
      'whose text has a secret that nobody declares',
      full,
      '{ type: object, as: json, attributes: { a: {}, s: { sensitive: true } } }',
      { a: '1', s: 'hush' },
      { v: { a: '2' } },
      /^v cannot be written: it is sent as one text, and of s in it only the digest is known; set type: any and sensitive: true at the attribute itself/,
    ],
    [
      'whose text has more than is declared',
      wayOf('jsonPatch', 'patch'),
      '{ type: any, as: json, partial: true }',
      { a: '1', b: '1' },
      { v: { a: '2' } },
      /^v cannot be written: .* of b in it only the digest is known; set partial: false at the attribute, and declare all of it$/,
    ],
    [
      'that would remove hidden members by a merge patch',
      wayOf('mergePatch', 'merge'),
      '{ type: map, sensitive: true }',
      { a: '1', b: '2' },
      { v: { a: { $secret: 'env:A' } } },
      /^v cannot be written: members of it go, it is hidden as a whole, .*; set sensitive at its element and not at the map/,
    ],
    [
      'whose null a merge patch would lose',
      wayOf('mergePatch', 'merge'),
      '{ type: any }',
      { a: 1 },
      { v: { a: 1, b: { c: null } } },
      /^v.b cannot be written: it has a null that is a value, .*; leave the null out, or write the part with send: jsonPatch or object$/,
    ],
  ])('of this kind: %s', async (_, way, facts, there, declared, words) => {
    await expect(plan(way, facts, there, declared)).rejects.toThrow(words)
  })
})

describe('a write is not reversible', () => {
  it.each<[string, Way, string, Json, JsonObject]>([
    [
      'if an element without a key would come back with what another one had',
      full,
      `{ type: list, element: { type: object, attributes: { k: {}, w: {}, z: {} } } }`,
      [
        { k: '', w: '', x: 1 },
        { k: 'p', w: 'r' },
      ],
      {
        v: [
          { k: 'p', w: 'r', z: 'r' },
          { k: 'q', w: 'r' },
        ],
      },
    ],
    [
      'if an entry with nothing but what the server makes would not come back',
      wayOf('jsonPatch', 'patch'),
      '{ type: map, element: { type: object, attributes: { k: {}, made: { computed: true } } } }',
      { m: { made: 'x' }, n: { k: 'a' } },
      { v: { n: { k: 'a' } } },
    ],
    [
      'if it replaces what is only known by its digest',
      wayOf('mergePatch', 'merge'),
      '{ type: any, partial: true }',
      { a: { b: 'unknown to the plan' } },
      { v: { a: 'other' } },
    ],
  ])('of this kind: %s', async (_, way, facts, there, declared) => {
    expect((await plan(way, facts, there, declared)).command).toMatchObject({ grade: 'lossy' })
  })
})

const keepers = [
  wayOf('object', 'replace'),
  wayOf('mergePatch', 'merge'),
  wayOf('jsonPatch', 'patch'),
  wayOf('changed', 'shallow'),
  wayOf('changed', 'replace'),
  full,
]
/** Of the ways above; a merge patch has no null, and what replaces a value has nothing that takes it away again. */
const grades = (usual: Grade, merged: Grade, replaced = usual): readonly Grade[] => [
  ...[usual, merged, usual],
  ...[replaced, replaced, replaced],
]
const typed = '{ type: object, attributes: { a: {}, b: {} } }'

describe('a null that was there and a member that was not come back as what they were, or it is said before', () => {
  it.each<[string, string, JsonObject, Json, readonly Grade[]]>([
    ['a null', '{}', { v: null }, 'x', grades('reversible', 'lossy')],
    ['a missing member', '{}', {}, 'x', grades('reversible', 'reversible', 'lossy')],
    ['a null in an object', typed, { v: { a: null, b: 'x', own: null } }, { a: '1' }, grades('reversible', 'lossy')],
    [
      'a missing member of an object',
      typed,
      { v: { b: 'x', own: null } },
      { a: '1' },
      grades('reversible', 'reversible'),
    ],
    ['a null for an object', typed, { v: null }, { a: '1' }, grades('reversible', 'lossy')],
    [
      'a null in a map',
      '{ type: map, element: {} }',
      { v: { a: null, b: 'x' } },
      { b: 'x' },
      grades('reversible', 'lossy'),
    ],
    [
      'a null in a map of objects',
      `{ type: map, element: ${typed} }`,
      { v: { m: null, n: { a: 'y', own: 1 } } },
      { n: { a: 'y' } },
      grades('reversible', 'lossy'),
    ],
    ['a null in any JSON', '{ type: any, partial: true }', { v: { a: null } }, { a: 2 }, grades('reversible', 'lossy')],
    [
      'a null that nobody names, in what goes',
      `{ type: map, element: ${typed} }`,
      { v: { m: { a: 'x', own: null }, n: { a: 'y' } } },
      { n: { a: 'y' } },
      grades('lossy', 'lossy'),
    ],
  ])('of this kind: %s', async (_, facts, there, v, expected) => {
    const before = { name: 'one', note: 'old', ...there }
    const seen: string[] = []
    for (const way of keepers) {
      const type = typeOf(providerOf(documentOf(way, facts), {}), 'api_thing')
      const target = hold({ way, members: {}, addsOwn: false }, before)
      const { commands } = await planOne(type, { spec: { name: 'one', v } }, target.transport)
      for (const { grade, request, inverse } of commands) {
        seen.push(grade)
        await target.write(type, request)
        if (inverse !== undefined) await target.write(type, inverse)
        if (grade === 'reversible') expect([way.send, target.held.state]).toEqual([way.send, before])
      }
    }
    expect(seen).toEqual(expected)
  })
})

describe('an undo puts a member back where it was', () => {
  it.each<[string, string, JsonObject, JsonObject]>([
    ['in a map', '{ type: map, element: {} }', { a: 'x', b: 'y', c: 'z' }, { a: 'x', c: 'z' }],
    [
      'in a map of objects',
      `{ type: map, element: ${typed} }`,
      { m: { a: 'x' }, n: { a: 'y', own: 1 } },
      { n: { a: 'z' } },
    ],
    ['in an object', typed, { own: 1, a: 'x', b: 'y' }, { a: null }],
  ])('of this kind: %s', async (_, facts, there, v) => {
    for (const way of [wayOf('object', 'replace'), full, wayOf('changed', 'replace')]) {
      const type = typeOf(providerOf(documentOf(way, facts), {}), 'api_thing')
      const target = hold({ way, members: {}, addsOwn: false }, { name: 'one', note: 'old', v: there })
      const { commands } = await planOne(type, { spec: { name: 'one', v } }, target.transport)
      for (const { request, inverse } of commands) {
        await target.write(type, request)
        if (inverse !== undefined) await target.write(type, inverse)
      }
      expect([way.send, JSON.stringify(target.held.state['v'])]).toEqual([way.send, JSON.stringify(there)])
    }
  })
})
