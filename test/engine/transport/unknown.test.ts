import { expect, test } from 'vitest'
import { AppError } from '../../../core/engine/errors/errors.ts'
import { unknownFromError } from '../../../core/engine/transport/answer/unknown.ts'

test('of a secret that is missing it says which and why; the reason says the rest', () => {
  const error = new AppError('SECRET_UNRESOLVED', { source: 'env:KEY', detail: 'it does not exist' })
  expect(unknownFromError(error)).toEqual({ kind: 'unknown', reason: 'secret', detail: 'env:KEY, it does not exist' })
})

test('a defect of ours is no answer of a target', () => {
  const error = new AppError('INTERNAL', { detail: 'there is no operation list' })
  expect(() => unknownFromError(error)).toThrow(error)
})
