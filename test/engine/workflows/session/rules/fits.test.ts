import { describe, expect, it } from 'vitest'
import type { ObjectSchema } from '../../../../../core/engine/schema/attribute.ts'
import type { JsonObject } from '../../../../../core/engine/schema/json.ts'
import { type Fit, fitsRule } from '../../../../../core/engine/workflows/session/rules/fits.ts'

const schema: ObjectSchema = {
  attributes: {
    name: { type: 'string', identity: true, compareAs: ['lower'] },
    size: { type: 'number' },
    open: { type: 'boolean' },
    note: { type: 'string' },
    tags: { type: 'set', element: { type: 'string' } },
    properties: { type: 'map', element: { type: 'any' } },
  },
}
const shown: JsonObject = {
  note: '',
  name: 'Web-1',
  size: 3,
  open: false,
  tags: ['a', 'b'],
  properties: { tier: 'gold', of: ['x'] },
}
const yes: Fit = { fits: true }
const no: Fit = { fits: false }

const rule = (where: JsonObject | readonly JsonObject[] = [], except: JsonObject | readonly JsonObject[] = []) => ({
  where: [where].flat(),
  except: [except].flat(),
  repair: false,
})

describe('a rule', () => {
  it.each([
    ['all objects without a condition', rule(), yes],
    ['a name with a star, in any case', rule({ name: 'web-*' }), yes],
    ['no name that only contains the text', rule({ name: 'eb-1' }), no],
    ['one of several values', rule({ size: [1, 3] }), yes],
    ['a boolean, and not its text', rule({ open: 'false' }), no],
    ['an object that meets all attributes of a mapping', rule({ name: '*', size: 4 }), no],
    ['an object that meets one of several mappings', rule([{ size: 4 }, { open: false }]), yes],
    ['a list with one element that fits', rule({ tags: 'b' }), yes],
    ['a list with none', rule({ tags: ['c', 'd'] }), no],
    ['a map with each key that is named', rule({ properties: { tier: ['gold', 'silver'], of: 'x' } }), yes],
    ['a map without such a value', rule({ properties: { tier: 'tin' } }), no],
    ['a map without the key', rule({ properties: { other: 'gold' } }), no],
    ['a map where null means that the key is not there', rule({ properties: { other: null } }), yes],
    ['an empty text where there is no value', rule({ note: null }), yes],
    ['nothing that is left out', rule({}, { tags: 'a' }), no],
    ['what none of the exceptions fits', rule({}, [{ tags: 'c' }, { size: 4 }]), yes],
    ['nobody knows what, where nothing shows the attribute', rule({ topic: 'x' }), { unshown: ['topic'] }],
    ['no object that another attribute rules out', rule({ topic: 'x', size: 4 }), no],
    ['an object that another mapping lets in', rule([{ topic: 'x' }, { size: 3 }]), yes],
    ['nobody knows what, where an exception is not known', rule({}, { topic: 'x' }), { unshown: ['topic'] }],
  ])('is about %s', (_, forAll, expected) => {
    expect(fitsRule(forAll, schema, shown)).toEqual(expected)
  })
})
