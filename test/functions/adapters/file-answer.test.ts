import { expect, test } from 'vitest'
import { answerFromError } from '../../../functions/adapters/transport/file/file-answer.ts'

test.each([
  ['EACCES', 403, 'permission denied'],
  ['ENOSPC', 507, 'the disk is full'],
  ['ELOOP', 409, 'the system says ELOOP'],
])('%s is answered with %i: %s', (code, status, detail) => {
  expect(answerFromError(Object.assign(new Error('no'), { code }))).toMatchObject({ status, body: { detail } })
})

test('what says nothing about the file is no answer', () => {
  expect(answerFromError(Object.assign(new Error('no'), { code: 'EMFILE' }))).toBeUndefined()
})
