import { describe, expect, test } from 'vitest'
import { canary, networkSchemas, secretsPlan } from '../builders/documents.ts'
import { actionsOf, diffOf, valueDiff } from '../builders/one-change.ts'
import { changeNamed, nodeAt, planViewOf } from '../builders/read-views.ts'

const schemas = networkSchemas

describe('a secret in a change', () => {
  test('hides its own value and nothing else', () => {
    const { diff } = changeNamed(planViewOf(secretsPlan(), { schemas }), 'a')
    expect(nodeAt(diff, 'disk', 0, 'size')).toMatchObject({ before: 1, after: 2 })
    expect(nodeAt(diff, 'disk', 0, 'key')).toEqual({ kind: 'value', action: 'same', sensitive: true })
    expect(nodeAt(diff, 'tags', 'team')).toMatchObject({ before: 'edge', after: 'core' })
    expect(nodeAt(diff, 'password')).toEqual({ kind: 'value', action: 'update', sensitive: true })
    const whole = { before_sensitive: { disk: true }, after_sensitive: { disk: true } }
    const hidden = diffOf({ disk: [{ name: canary }] }, { disk: [{ name: `${canary}!` }] }, whole)
    expect(nodeAt(hidden, 'disk')).toEqual({ kind: 'value', action: 'update', sensitive: true, syntax: 'block' })
  })

  test('leaves the identity of elements in its set visible', () => {
    const user = (name: string, password: string) => ({ name, password })
    const type = ['set', ['object', { name: 'string', password: 'string' }]]
    const markers = { v: [{ password: true }, { password: true }] }
    const more = { before_sensitive: markers, after_sensitive: markers }
    const before = [user('a', `${canary}1`), user('b', `${canary}2`)]
    const diff = valueDiff(type, before, [user('a', `${canary}1`), user('b', `${canary}3`)], more)
    expect(diff).toMatchObject({ elements: [{ label: 'a' }, { label: 'b', diff: { action: 'update' } }] })
    expect(actionsOf(diff)).toEqual(['same', 'update'])
    expect(JSON.stringify(diff)).not.toContain(canary)
  })

  test('is found by the schema in documents that do not mark secrets', () => {
    const diff = diffOf({ password: canary }, { password: `${canary}!` }, { before_sensitive: false })
    expect(nodeAt(diff, 'password')).toEqual({ kind: 'value', action: 'update', sensitive: true })
  })

  test.each([
    ['gained', false, true],
    ['lost', true, false],
  ])('is hidden on both sides where only one side is secret: %s', (secrecy, before, after) => {
    const more = { before_sensitive: { name: before }, after_sensitive: { name: after } }
    const diff = diffOf({ name: `${canary}1` }, { name: `${canary}2` }, more)
    expect(nodeAt(diff, 'name')).toEqual({ kind: 'value', action: 'update', sensitive: true, secrecy })
    const comes = diffOf({ name: null }, { name: `${canary}2` }, more)
    expect(nodeAt(comes, 'name')).not.toHaveProperty('secrecy')
  })

  test('is both secret and unknown where it is known later', () => {
    const more = { after_sensitive: { password: true }, after_unknown: { password: true } }
    const diff = diffOf({}, {}, more, {})
    expect(nodeAt(diff, 'password')).toMatchObject({ action: 'create', sensitive: true, unknown: true })
  })
})
