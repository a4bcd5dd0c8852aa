import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../core/engine/schema/json.ts'
import { failureWords, refusalWords } from '../../../core/engine/transport/answer/answer-errors.ts'
import { fieldErrors } from '../../../core/engine/transport/answer/field-errors.ts'

describe('the report of errors in fields', () => {
  it.each<[string, Json, readonly string[] | undefined]>([
    [
      'texts by field',
      { name: ['is required', 'is short'], size: ['is no number'] },
      ['name: is required', 'name: is short', 'size: is no number'],
    ],
    ['nested', { limits: { cpu: ['too many'] } }, ['limits.cpu: too many']],
    ['of elements', { rules: [{}, { port: ['out of range'] }] }, ['rules.1.port: out of range']],
    [
      'of none',
      { non_field_errors: ['name and size differ'], name: ['is taken'] },
      ['name and size differ', 'name: is taken'],
    ],
    ['within errors', { message: 'invalid', errors: { name: ['is required'] } }, ['name: is required']],
    [
      'texts alone within errors',
      { errors: { name: 'is required', limits: { cpu: 'too many' } } },
      ['name: is required', 'limits.cpu: too many'],
    ],
    [
      'of the problem details',
      { title: 'One or more errors', status: 400, errors: { Name: ['is required'] } },
      ['Name: is required'],
    ],
    [
      'a list',
      {
        errors: [
          { field: 'name', message: 'is required' },
          { field: 'size', message: 'is no number' },
        ],
      },
      ['name: is required', 'size: is no number'],
    ],
    [
      'a list with more',
      { message: 'failed', errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }] },
      ['title: missing_field'],
    ],
    [
      'a list of paths',
      { detail: [{ loc: ['body', 'rules', 0, 'port'], msg: 'field required', type: 'missing' }] },
      ['body.rules.0.port: field required'],
    ],
    [
      'a list of pointers',
      { errors: [{ source: { pointer: '/data/name' }, detail: 'is required' }] },
      ['/data/name: is required'],
    ],
    ['a bare list', [{ field: 'name', message: 'is required' }], ['name: is required']],
    ['one failure in several words', { error: { code: 'odd', text: 'disk full' } }, undefined],
    ['a message', { detail: 'Not found.' }, undefined],
    ['words of its own', { code: 7, message: 'no', name: ['is required'] }, undefined],
    ['a list of texts', ['one', 'two'], undefined],
    ['no texts', { name: [] }, undefined],
    ['numbers', { name: [1, 2] }, undefined],
    ['a text', 'no', undefined],
    ['nothing', null, undefined],
  ])('is read from every usual form of an answer: %s', (_, body, told) => {
    expect(fieldErrors(body)).toEqual(told)
  })

  it.each<[string, readonly string[], Json, string | undefined]>([
    ['no place of a message', [], { name: ['is required'] }, 'name: is required'],
    [
      'a message beside',
      ['/message'],
      { message: 'invalid', errors: { name: ['is required'] } },
      'invalid; name: is required',
    ],
    [
      'a message that holds them',
      ['/detail'],
      { detail: { name: ['is required'], size: ['is no number'] } },
      'name: is required; size: is no number',
    ],
    [
      'a message that is one of them',
      ['/non_field_errors'],
      { non_field_errors: ['differ'], name: ['is taken'] },
      'differ; name: is taken',
    ],
    [
      'texts by field where the message is',
      [''],
      { name: 'is taken', limits: { cpu: 'too high' } },
      'name: is taken; limits.cpu: too high',
    ],
    ['no texts by field where the message is', ['/error'], { error: { code: 7 } }, '{"code":7}'],
    ['a message alone', ['/detail'], { detail: 'no' }, 'no'],
    ['neither', ['/detail'], { code: 7 }, undefined],
  ])('is added to the message: %s', (_, message, body, told) => {
    expect(refusalWords({ message }, body)).toBe(told)
  })

  it('does not take an ordinary object for an error', () => {
    expect(failureWords(undefined, { tags: ['a', 'b'] })).toBeUndefined()
  })

  it('law: repeats every text of the form whole, whatever it is', () => {
    const texts = fc.array(fc.string({ minLength: 1, unit: 'binary' }), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.dictionary(fc.string(), texts, { minKeys: 1, maxKeys: 4 }), (body) => {
        const told = fieldErrors(body) ?? []
        const all = Object.values(body).flat()
        expect(told).toHaveLength(all.length)
        expect(told.every((each, index) => each.endsWith(all[index] ?? ''))).toBe(true)
      }),
    )
  })

  it('law: never throws, and is empty where there are no words', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const told = fieldErrors(body as Json)
        expect(told === undefined || (told.length > 0 && told.every((each) => typeof each === 'string'))).toBe(true)
      }),
    )
  })
})
