import { describe, expect, it } from 'vitest'
import { type Beside, objectText, sight } from '../../../core/engine/binding/sight.ts'
import type { ObjectSchema } from '../../../core/engine/schema/attribute.ts'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import type { IdentityRules } from '../../../core/engine/schema/resource.ts'

const schema: ObjectSchema = {
  attributes: {
    zone: { type: 'string', identity: true, immutable: true },
    name: { type: 'string', identity: true },
    kind: { type: 'string', immutable: true },
    owner: { type: 'string' },
    size: { type: 'number' },
  },
}
const rules: IdentityRules = { ids: 'stable', readable: true }
const attributes = { zone: 'z', name: 'a', kind: 'k', owner: 'o', size: 1 }
const beside: Beside = {
  schema,
  rules,
  place: 'p',
  recorded: { attributes, ids: { id: '1' }, refersBy: ['owner'] },
  desired: attributes,
}
const see = (live: JsonObject, ids?: Record<string, string>, more: Partial<Beside> = {}) =>
  sight({ ...beside, ...more }, { kind: 'present', attributes: { ...attributes, ...live }, ...(ids && { ids }) })

describe('what a read says of which object was found', () => {
  it('is another object where one of several ids differs', () => {
    const recorded = { attributes, ids: { id: '1', number: '7' } }
    expect(see({}, { id: '1', number: '7' }, { recorded })).toMatchObject({ ids: 'same' })
    expect(see({}, { id: '1', number: '8' }, { recorded })).toMatchObject({ ids: 'other' })
    expect(see({}, { id: '1' }, { recorded })).toMatchObject({ ids: 'same' })
  })

  it('has the declared keys where the declaration leaves out one of them', () => {
    expect(see({}, undefined, { desired: { zone: 'z' } })).toMatchObject({ desired: true })
    expect(see({}, undefined, { desired: { zone: 'y' } })).toMatchObject({ desired: false })
  })

  it.each<[string, JsonObject, Record<string, string> | undefined, unknown]>([
    ['itself', {}, { id: '1' }, { recorded: 'same', ids: 'same', desired: true }],
    ['itself, changed', { size: 2 }, { id: '1' }, { recorded: 'same', ids: 'same', desired: true }],
    ['its name, and another id', {}, { id: '2' }, { recorded: 'same', ids: 'other', desired: true }],
    ['its name, and no id: that says nothing', {}, undefined, { recorded: 'same', ids: 'unknown' }],
    ['another name', { name: 'b' }, { id: '1' }, { recorded: 'renamed', ids: 'same', desired: false }],
    [
      'another name, and something fixed differs',
      { name: 'b', kind: 'l' },
      { id: '1' },
      { recorded: 'changed', differs: 'kind' },
    ],
    ['another name, and a fixed key differs', { name: 'b', zone: 'y', kind: 'l' }, { id: '1' }, { recorded: 'other' }],
    ['a fixed key differs', { zone: 'y' }, { id: '1' }, { recorded: 'other', differs: 'zone' }],
    ['something fixed differs', { kind: 'l' }, { id: '1' }, { recorded: 'same', differs: 'kind' }],
    ['it refers to something else', { owner: 'q' }, { id: '1' }, { recorded: 'same', differs: 'owner' }],
  ])('compares the object with the record, the ids and the configuration: %s', (_, live, ids, expected) => {
    const seen = see(live, ids)
    expect(seen).toMatchObject(expected as object)
    if (!Object.hasOwn(expected as object, 'differs') && seen.kind === 'present' && seen.recorded === 'same')
      expect(seen).not.toHaveProperty('differs')
  })

  it.each<[string, string[], JsonObject, true | undefined]>([
    ['all of it is', ['zone', 'name', 'kind', 'size'], {}, true],
    ['something differs', ['zone', 'name', 'kind', 'size'], { size: 2 }, undefined],
    ['nothing but its keys tells it', ['zone', 'name'], {}, undefined],
    ['it is a link, and nothing but its keys', ['zone', 'name'], { link: true }, true],
  ])('is as recorded where %s', (_, names, { link, ...live }, isAsRecorded) => {
    const shown = Object.fromEntries(Object.entries(attributes).filter(([name]) => names.includes(name)))
    const known = Object.entries(schema.attributes).filter(([name]) => link !== true || names.includes(name))
    const own = {
      schema: { attributes: Object.fromEntries(known) },
      rules,
      place: 'p',
      recorded: { attributes: shown },
    }
    const seen = sight(own, { kind: 'present', attributes: { ...shown, ...live } })
    expect(seen.kind === 'present' && [seen.recorded, seen.isAsRecorded]).toEqual(['same', isAsRecorded])
  })

  it('claims nothing more after a read that failed or found nothing', () => {
    expect(sight(beside, { kind: 'absent' })).toEqual({ kind: 'absent' })
    expect(sight(beside, { kind: 'unknown', reason: 'timeout', detail: 'd' })).toEqual({ kind: 'unknown' })
  })
})

describe('whether two sightings are of one object', () => {
  const text = (ids: IdentityRules['ids'], live: JsonObject, id: string, place = 'p') =>
    objectText({ schema, place, rules: { ...(ids && { ids }), readable: true } }, { ...attributes, ...live }, { id })

  it.each(['stable', 'reused'] as const)('is decided by ids that are %s, among objects that cannot change', (ids) => {
    expect(text(ids, { name: 'b' }, '1')).toBe(text(ids, {}, '1'))
    expect(text(ids, {}, '2')).not.toBe(text(ids, {}, '1'))
    expect(text(ids, { zone: 'y' }, '1')).not.toBe(text(ids, {}, '1'))
    expect(text(ids, {}, '1', 'q')).not.toBe(text(ids, {}, '1'))
  })

  it.each(['position', undefined] as const)('is decided by the keys where ids are %s', (ids) => {
    expect(text(ids, {}, '2')).toBe(text(ids, {}, '1'))
    expect(text(ids, { name: 'b' }, '1')).not.toBe(text(ids, {}, '1'))
  })
})
