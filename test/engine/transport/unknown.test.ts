import { expect, test } from 'vitest'
import { AppError } from '../../../core/engine/errors/errors.ts'
import { unknownFromError } from '../../../core/engine/transport/answer/unknown.ts'

test('the error of a missing secret names the secret and its reason', () => {
  const error = new AppError('SECRET_UNRESOLVED', { source: 'env:KEY', detail: 'it does not exist' })
  expect(unknownFromError(error)).toEqual({ kind: 'unknown', reason: 'secret', detail: 'env:KEY, it does not exist' })
})

test('a defect of this program costs one read, and is told as what it is', () => {
  const error = new AppError('INTERNAL', { detail: 'there is no operation list' })
  expect(unknownFromError(error)).toEqual({ kind: 'unknown', reason: 'provider_fault', detail: error.message })
})
