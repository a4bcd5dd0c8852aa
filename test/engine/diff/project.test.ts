import { describe, expect, it } from 'vitest'
import { project } from '../../../core/engine/diff/project.ts'
import type { Attribute } from '../../../core/engine/schema/attribute.ts'
import type { Json } from '../../../core/engine/schema/json.ts'

const text: Attribute = { type: 'string' }
const object: Attribute = { type: 'object', attributes: { a: text, b: text } }
const keyed = (manage?: 'declared'): Attribute => ({
  type: 'set',
  key: ['a'],
  element: object,
  ...(manage && { manage }),
})
const secret = { $secret: 'env:A', digest: 'hmac:1' }
const sealed = { $sealed: 'hmac:2' }

describe('the part of a value that the configuration manages', () => {
  it.each<[string, Attribute, Json, Json, Json]>([
    ['a text', text, 'x', 'y', 'y'],
    ['declared members', object, { a: 'x' }, { a: 'y', b: 'z' }, { a: 'y' }],
    ['a member that is not there', object, { a: 'x', b: 'z' }, { a: 'y' }, { a: 'y' }],
    ['all of an exclusive map', { type: 'map', element: text }, { a: 'x' }, { a: 'y', b: 'z' }, { a: 'y', b: 'z' }],
    [
      'declared keys of a shared map',
      { type: 'map', element: text, manage: 'declared' },
      { a: 'x' },
      { a: 'y', b: 'z' },
      { a: 'y' },
    ],
    [
      'all elements, their declared members',
      keyed(),
      [{ a: '1' }],
      [
        { a: '1', b: 'x' },
        { a: '2', b: 'y' },
      ],
      [{ a: '1' }, { a: '2', b: 'y' }],
    ],
    [
      'declared elements of a shared set',
      keyed('declared'),
      [{ a: '1' }],
      [{ a: '1', b: 'x' }, { a: '2' }],
      [{ a: '1' }],
    ],
    [
      'declared texts of a shared set',
      { type: 'set', element: text, manage: 'declared' },
      ['a', 'c'],
      ['a', 'b'],
      ['a'],
    ],
    ['all texts of a set', { type: 'set', element: text }, ['a'], ['a', 'b'], ['a', 'b']],
    ['a secret that is compared with a seal', text, secret, sealed, sealed],
    ['a secret that stands for an object', object, secret, { a: 'x', b: 'y' }, { a: 'x', b: 'y' }],
    ['a seal in the place of an object', object, { a: 'x' }, sealed, sealed],
    ['any JSON as a whole', { type: 'any' }, { a: 1 }, { a: 2, b: 3 }, { a: 2, b: 3 }],
    ['partial JSON by its members', { type: 'any', partial: true }, { a: 1 }, { a: 2, b: 3 }, { a: 2 }],
  ])('is taken out of what was observed: %s', (_, attribute, desired, value, expected) => {
    const schema = { attributes: { x: attribute } }
    expect(project(schema, { x: desired }, { x: value })).toEqual({ x: expected })
  })
})
