import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import type { AttributeEntry } from '../../../../core/providers/rest/document/attribute.ts'
import { type Origin, proposeForSent, proposeForUnset } from '../../../../core/tools/authoring/probe/propose-facts.ts'

const text: AttributeEntry = { type: 'string' }
const list: AttributeEntry = { type: 'list', element: text }

describe('a value that was sent', () => {
  it.each<[string, AttributeEntry, Json, Json | undefined, JsonObject | undefined]>([
    ['as it was', text, 'a', 'a', undefined],
    ['in lower case', text, 'aB', 'ab', { normalise: ['lower'] }],
    ['with a dot', { ...text, normalise: ['lower'] }, 'a', 'a.', { normalise: ['lower', 'trailingDot'] }],
    ['as text', { type: 'number' }, 5, '5', { normalise: ['string'] }],
    ['in another case, of which neither is the rule', text, 'aB', 'Ab', { compareAs: ['lower'] }],
    ['in another order', list, ['b', 'a'], ['a', 'b'], { type: 'set' }],
    ['in another order of a set', { ...list, type: 'set' }, ['b', 'a'], ['a', 'b'], undefined],
    ['as something else', text, 'a', 'b', undefined],
    ['not at all', text, 'a', undefined, { writeOnly: true }],
    ['under the facts of the document', { ...text, normalise: ['lower'] }, 'A', 'a', undefined],
  ])('comes back %s', (_, entry, sent, read, add) => {
    expect(proposeForSent(entry, sent, read, undefined, 'created')?.add).toEqual(add)
  })

  it.each<[Origin, JsonObject | undefined]>([
    ['created', { immutable: true }],
    ['server', { computed: true }],
    ['default', undefined],
  ])('is refused silently where the %s one stays', (origin, add) => {
    const proposal = proposeForSent(text, 'new', 'old', 'old', origin)
    expect(proposal?.message).toContain('but keeps')
    expect(proposal?.add).toEqual(add)
  })

  it('removes the old value', () => {
    expect(proposeForSent(text, 'new', undefined, 'old', 'created')).toEqual({
      code: 'gone',
      message: 'it is missing after it was set',
    })
  })
})

describe('a value that nobody sent', () => {
  it.each<[string, AttributeEntry, readonly [Json, Json | undefined, Json | undefined], JsonObject | undefined]>([
    ['is a default', text, ['a', 'a', 'a'], { default: 'a' }],
    ['is the default', { ...text, default: 'a' }, ['a', 'a', 'a'], undefined],
    ['is another default', { ...text, default: 'b' }, ['a', 'a', 'a'], { default: 'a' }],
    ['moves', text, ['a', 'b', 'c'], { computed: true }],
    ['is made for each object', text, ['a', 'a', 'b'], { computed: true }],
    ['is said to be computed', { ...text, computed: true }, ['a', 'b', 'c'], undefined],
  ])('shows by its values what the document should say: it %s', (_, entry, reads, add) => {
    expect(proposeForUnset(entry, reads)?.add).toEqual(add)
  })
})
