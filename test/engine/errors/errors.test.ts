import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorTable } from '../../../core/engine/errors/error-table.ts'
import { AppError, asAppError, type ErrorCode, isAppError } from '../../../core/engine/errors/errors.ts'
import { errorExamples } from '../../../functions/api/openapi/error-examples.ts'
import { generated } from '../../builders/generated/generated.ts'

const root = join(import.meta.dirname, '../../..')
const codes = Object.keys(errorTable) as ErrorCode[]

const source = ['core', 'functions', 'infra']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(root, folder, name)),
  )
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

describe('the error table', () => {
  it.each(codes)('%s is thrown somewhere', (code) => {
    expect(source).toMatch(new RegExp(`new AppError\\(\\s*'${code}'`))
  })
  it.each(codes)('%s says what was wrong in lower case, and what to do', (code) => {
    const { message, hint, exit, status } = new AppError(code, errorExamples[code])
    expect(message).toMatch(/^(?![A-Z][a-z])\S/)
    expect(message).not.toMatch(/undefined|\[object|\.$/)
    expect(hint).toMatch(/^[`/a-z]/)
    expect(exit).toBeGreaterThan(0)
    expect(status).toBeGreaterThanOrEqual(400)
  })
  it('keeps the causes of an error, and accepts anything that was thrown', () => {
    const cause = new RangeError('far out')
    expect(asAppError(cause)).toMatchObject({ code: 'INTERNAL', cause, fault: 'ours' })
    const own = new AppError('LOCK_LOST', { workspace: 'w' })
    expect(asAppError(own)).toBe(own)
    expect([isAppError(own, 'LOCK_LOST'), isAppError(own, 'USAGE'), isAppError(cause)]).toEqual([true, false, false])
  })
})

describe('a page that is generated from the codes', () => {
  it.each(Object.entries(generated()))('%s is current; `npm run generate` writes it', (path, text) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(text)
  })
})
