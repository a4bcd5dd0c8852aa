import { describe, expect, it } from 'vitest'
import { soundsOwned, soundsSecret } from '../../../core/engine/values/texts/name-words.ts'
import { attributeName, nameMembers, placeText, singularOf } from '../../../core/tools/authoring/init/find/names.ts'

describe('the names in a draft', () => {
  it.each([
    ['policies', 'policy'],
    ['ties', 'tie'],
    ['addresses', 'address'],
    ['boxes', 'box'],
    ['aliases', 'alias'],
    ['status', 'status'],
    ['pets', 'pet'],
    ['dns', 'dns'],
    ['as', 'as'],
  ])('make of %s the singular %s', (many, one) => {
    expect(singularOf(many)).toBe(one)
  })

  it('put the first choice before plain names and others, in the order of the schema', () => {
    const names = nameMembers(['a.b', 'a_b', 'c'], new Set(['c']), [])
    expect([...names]).toEqual([
      ['a.b', 'a_b_2'],
      ['a_b', 'a_b'],
      ['c', 'c_2'],
    ])
    expect(nameMembers(['a_b', 'a.b'], new Set(), ['a.b']).get('a.b')).toBe('a_b')
  })

  it.each([
    [['a', 'b'], 'a.b'],
    [['a.b'], '/a.b'],
    [['/a'], '/~1a'],
  ])('the place %j is written as %s', (path, text) => {
    expect(placeText(path)).toBe(text)
  })

  it.each([
    ['api_token', true],
    ['tokens', true],
    ['token_type', false],
    ['nextPageToken', false],
    ['color', false],
  ])('%s is taken for a secret: %s', (name, expected) => {
    expect([soundsSecret(name), attributeName(name)]).toEqual([expected, name])
  })

  it.each([
    ['owner', true],
    ['user', true],
    ['user_uuid', true],
    ['userName', true],
    ['createdBy', true],
    ['created_by_id', true],
    ['customer_url', true],
    ['users', false],
    ['user_data', false],
    ['is_owner', false],
    ['created', false],
    ['username', false],
    ['name', false],
  ])('%s is taken for the owner of an object: %s', (name, owned) => {
    expect(soundsOwned(name)).toBe(owned)
  })
})
