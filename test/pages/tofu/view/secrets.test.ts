import fc from 'fast-check'
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

describe('a secret in a list, a set or a block whose marks come or go', () => {
  const item = (name: string, password: string) => ({ name, password })
  const isIn = (document: object): boolean => JSON.stringify(document).includes(canary)
  test.each<[string, unknown[], unknown, unknown[], unknown]>([
    ['a mark goes', ['A=1', canary], [false, true], ['A=2', canary], [false, false]],
    ['a mark comes', ['A=1', canary], [false, false], ['A=2', canary], [false, true]],
    ['a mark goes with another value', [canary], [true], ['x', `${canary}!`], [false, false]],
    ['the element moves', [canary, 'b', 'c'], [true, false, false], ['b', canary], [true, false]],
    [
      'an element is marked as a whole',
      [item('a', canary)],
      [true],
      [item('a', canary), item('b', 'p')],
      [false, false],
    ],
    [
      'a member is marked',
      [item('a', canary), item('b', 'p')],
      [{ password: true }, {}],
      [item('b', 'p'), item('a', canary)],
      [{}, {}],
    ],
    ['it is deeper', [{ l: [canary] }], [{ l: [true] }], [{ l: ['x', canary] }], [{ l: [false, false] }]],
  ])('is in no page: %s', (_, before, old, after, next) => {
    const more = { before_sensitive: { any: old, disk: old }, after_sensitive: { any: next, disk: next } }
    expect(isIn(diffOf({ any: before }, { any: after }, more))).toBe(false)
    expect(isIn(diffOf({ disk: before }, { disk: after }, more))).toBe(false)
  })

  test('leaves visible what members show that both sides have, or one of them alone', () => {
    const more = { before_sensitive: { any: { a: true } }, after_sensitive: { any: {} } }
    const diff = diffOf({ any: { a: canary, c: 'kept' } }, { any: { b: canary, c: 'kept!', d: 'new' } }, more)
    expect(isIn(diff)).toBe(false)
    expect(JSON.stringify(diff)).toContain('kept!')
    const comes = diffOf(
      { any: { a: canary } },
      { any: { a: canary, d: 'new' } },
      { ...more, after_sensitive: { any: { a: true } } },
    )
    expect(JSON.stringify(comes)).toContain('new')
  })

  test('leaves visible what both sides show', () => {
    const more = { before_sensitive: { any: [false, true] }, after_sensitive: { any: [false, false, false] } }
    const diff = diffOf({ any: ['kept', canary] }, { any: ['kept', 'x', 'y'] }, more)
    expect(JSON.stringify(diff)).toContain('kept')
    expect(JSON.stringify(diff)).not.toMatch(/"[xy]"/)
  })

  test('hides nothing of a list that only grows, nor of one without marks', () => {
    const more = { before_sensitive: { any: [true] }, after_sensitive: { any: [true, false, true] } }
    expect(JSON.stringify(diffOf({ any: [canary] }, { any: [canary, 'seen', `${canary}2`] }, more))).toContain('seen')
    expect(JSON.stringify(diffOf({ any: ['a'] }, { any: ['seen'] }, {}))).toContain('seen')
  })

  test('law: no text of a marked element is in the change', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(5), fc.boolean()), { maxLength: 5 }),
        fc.array(fc.tuple(fc.nat(5), fc.boolean()), { maxLength: 5 }),
        fc.constantFrom('texts', 'objects', 'members'),
        (before, after, form) => {
          // Members that only come, or only go, are those of no others.
          if (form === 'members' && (before.length === 0 || after.length === 0)) return
          const all = <Of>(values: readonly Of[], name: string) => {
            if (form === 'texts') return values
            if (form === 'objects') return values.map((k) => ({ k }))
            return Object.fromEntries(values.map((value, index) => [`${name}${index}`, value]))
          }
          const side = (elements: readonly (readonly [number, boolean])[], name: string) => ({
            value: {
              any: all(
                elements.map(([n]) => `t${n}t`),
                name,
              ),
            },
            marks: {
              any: all(
                elements.map(([, is]) => is),
                name,
              ),
            },
          })
          const [old, next] = [side(before, 'a'), side(after, 'b')]
          const text = JSON.stringify(
            diffOf(old.value, next.value, { before_sensitive: old.marks, after_sensitive: next.marks }),
          )
          for (const [n, is] of [...before, ...after]) if (is) expect(text).not.toContain(`t${n}t`)
        },
      ),
    ))
})
