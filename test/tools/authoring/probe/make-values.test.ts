import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import type { AttributeEntry } from '../../../../core/providers/rest/document/attribute.ts'
import { makeValue, type ValueSource } from '../../../../core/tools/authoring/probe/make-values.ts'

const source: ValueSource = {
  suffix: 'x1',
  given: { api_thing: { given: ['a-{suffix}', 'b'] } },
  secret: () => ({ secret: 'env:S' }),
  known: new Map([['api_box', { name: 'box', id: 7 }]]),
}
const text: AttributeEntry = { type: 'string' }
const one = 'plumbline-probe-x1'
const two = 'plumbline-probe-b-x1'

describe('two invented values of an attribute', () => {
  it.each<[string, AttributeEntry, Json | undefined, Json | undefined]>([
    ['given', text, 'a-x1', 'b'],
    ['text', text, one, two],
    ['number', { type: 'number' }, 1, 2],
    ['boolean', { type: 'boolean' }, true, false],
    ['boolean', { type: 'boolean', default: true }, false, true],
    ['value', { ...text, values: ['p', 'q'] }, 'p', 'q'],
    ['value', { ...text, values: ['p'] }, 'p', 'p'],
    ['secret', { ...text, sensitive: true }, { secret: 'env:S' }, { secret: 'env:S' }],
    ['box', { ...text, refersTo: { type: 'api_box' } }, 'box', 'box'],
    ['box', { ...text, refersTo: { type: 'api_box', attribute: 'id' } }, 7, 7],
    ['box', { ...text, refersTo: { type: 'api_none' } }, undefined, undefined],
    ['list', { type: 'list', element: text }, [one], [one, two]],
    ['list', { type: 'list', element: { type: 'any' } }, undefined, undefined],
    ['boxes', { type: 'list', element: { ...text, refersTo: { type: 'api_box' } } }, ['box'], ['box']],
    ['boxes', { type: 'set', element: { ...text, refersTo: { type: 'api_none' } } }, undefined, undefined],
    [
      'list',
      { type: 'list', element: { type: 'object', attributes: { a: text, n: { type: 'number', required: true } } } },
      [{ n: 1 }],
      [{ n: 2 }],
    ],
    ['map', { type: 'map', element: { type: 'number' } }, { probe: 1 }, { probe: 2 }],
    ['map', { type: 'map', element: { type: 'any' } }, { probe: 'probe-0' }, { probe: 'probe-1' }],
    [
      'object',
      { type: 'object', attributes: { a: { ...text, computed: true }, b: { type: 'number' } } },
      { b: 1 },
      { b: 2 },
    ],
    ['object', { type: 'object', attributes: { a: text, b: { type: 'number', required: true } } }, { b: 1 }, { b: 2 }],
    ['any', { type: 'any' }, undefined, undefined],
    ['time', { ...text, compareAs: ['timestamp'] }, '2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z'],
  ])('fit the attribute and differ: %s %j', (name, entry, first, second) => {
    expect(makeValue('api_thing', name, entry, 0, source)).toEqual(first)
    expect(makeValue('api_thing', name, entry, 1, source)).toEqual(second)
  })
})
