import fc from 'fast-check'
import { expect, it } from 'vitest'
import { holdsState } from '../../../core/engine/values/scalars.ts'

it.each([
  ['UPDATE_SCHEDULED', 'Update Scheduled', true],
  ['UPDATE_SCHEDULED', 'updateScheduled', true],
  ['update-scheduled', 'UPDATE SCHEDULED', true],
  ['OK', 'ok', true],
  ['OK', 'KO', false],
  ['UPDATING', 'UPDATE', false],
  [3, 3, true],
  [3, '3', false],
  [true, 'true', false],
  [null, null, true],
])('the state %j matches %j: %s', (named, state, expected) => {
  expect(holdsState([named], state)).toBe(expected)
})

it('the separators between the words of a state do not matter', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 4 })
  const joint = fc.constantFrom(' ', '_', '-', '')
  fc.assert(
    fc.property(words, joint, joint, (all, one, other) => {
      expect(holdsState([all.join(one).toUpperCase()], all.join(other))).toBe(true)
    }),
  )
})
