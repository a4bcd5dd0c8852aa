import { expect, test } from 'vitest'
import { answerFromError } from '../../../functions/adapters/transport/file/file-answer.ts'

test.each([
  ['EACCES', 403, 'permission denied'],
  ['ENOSPC', 507, 'the disk is full'],
  ['ELOOP', 409, 'the system says ELOOP'],
])('the file error %s is answered with %i: %s', (code, status, detail) => {
  expect(answerFromError(Object.assign(new Error('no'), { code }))).toMatchObject({ status, body: { detail } })
})

test('an error that says nothing about the file is not turned into an answer', () => {
  expect(answerFromError(Object.assign(new Error('no'), { code: 'EMFILE' }))).toBeUndefined()
})
