import { describe, expect, it } from 'vitest'
import type { Json } from '../../../core/engine/schema/json.ts'
import { holdsRule, meantStatus } from '../../../core/engine/transport/answer/answer-errors.ts'

const failsUnless = { errors: { when: [{ pointer: '/result', not: [0, 'ok'], means: 400 }] } }

describe('a rule for two places', () => {
  const rule = { pointer: '/error', exists: true, and: [{ pointer: '/result', exists: false }], means: 409 }

  it.each<[string, Json, number]>([
    ['both', { error: 'x' }, 409],
    ['the first alone', { error: 'x', result: {} }, 200],
    ['the second alone', {}, 200],
  ])('holds if all its conditions hold: %s', (_, body, expected) => {
    expect(meantStatus({ errors: { when: [rule] } }, { status: 200, headers: {}, body })).toBe(expected)
  })
})

describe('a rule with `not`', () => {
  it.each<[string, Json, number]>([
    ['one of the values', { result: 0 }, 200],
    ['another value', { result: 1 }, 400],
    ['no value', {}, 400],
    ['null', { result: null }, 400],
    ['no body', null, 400],
    ['a list where an object was expected', [], 400],
  ])('says that an answer is a failure unless the value is there: %s', (_, body, expected) => {
    expect(meantStatus(failsUnless, { status: 200, headers: {}, body })).toBe(expected)
  })

  it.each<[string, Json, boolean]>([
    ['another value', { state: 'on' }, true],
    ['one of the values', { state: 'off' }, false],
    ['no value', {}, false],
    ['null', { state: null }, false],
  ])('decides about a success only by a value: %s', (_, body, expected) => {
    expect(holdsRule({ pointer: '/state', not: ['off'] }, body)).toBe(expected)
  })
})
