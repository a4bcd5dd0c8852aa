import { describe, expect, it } from 'vitest'
import { AppError } from '../../../core/engine/errors/errors.ts'
import type { Request, SealedBox } from '../../../core/engine/schema/command.ts'
import type { Json } from '../../../core/engine/schema/json.ts'
import { sealValues } from '../../../core/engine/transport/secrets/seal-values.ts'

const key = Buffer.alloc(32, 9).toString('base64')
const box: SealedBox = {
  values: ['/value'],
  url: 'https://api.example/key',
  key: '/key',
  id: { from: '/key_id', to: '/key_id' },
}
const request: Request = {
  method: 'PUT',
  url: 'https://api.example/secrets/A',
  effect: 'write',
  headers: { 'Content-Type': 'application/json', 'If-Match': '"1"', Accept: 'application/json' },
  auth: { kind: 'header', name: 'authorization', template: 'Bearer {secret}', secret: { $secret: 'env:TOKEN' } },
  body: { value: 'a value', other: 1 },
}

const seal = async (status: number, body: Json, more: Partial<Request> = {}) => {
  const asked: Request[] = []
  const learnt: string[] = []
  const sealed = await sealValues({ ...request, ...more }, box, {
    sealBox: async (text) => Buffer.from(`box of ${text}`),
    ask: async (read) => {
      asked.push(read)
      return { status, headers: {}, body }
    },
    learn: (text) => void learnt.push(text),
  })
  return { sealed, asked, learnt }
}

describe('the encryption of values in a request', () => {
  it('puts the box and the id of the key into the body, and reads the key as the request is signed in', async () => {
    const { sealed, asked, learnt } = await seal(200, { key, key_id: '7' })
    const text = Buffer.from('box of a value').toString('base64')
    expect(sealed).toEqual({ ...request, body: { value: text, other: 1, key_id: '7' } })
    expect(learnt).toEqual([text])
    expect(asked).toEqual([
      { method: 'GET', url: box.url, effect: 'read', headers: { Accept: 'application/json' }, auth: request.auth },
    ])
  })

  it('reads no key if there is nothing to encrypt', async () => {
    expect((await seal(500, null, { body: { other: 1 } })).asked).toEqual([])
  })

  it.each<[string, number, Json]>([
    ['a refusal', 403, { message: 'no' }],
    ['an absence', 404, null],
    ['an error with status 200', 200, { message: 'Bad credentials' }],
    ['a list', 200, [key]],
    ['a key of another length', 200, { key: Buffer.alloc(31).toString('base64'), key_id: '7' }],
    ['a key that is not Base64', 200, { key: `${key.slice(0, 42)}*=`, key_id: '7' }],
    ['a key with a line break', 200, { key: `${key}\n`, key_id: '7' }],
    ['an empty key', 200, { key: '', key_id: '7' }],
    ['a key that is a number', 200, { key: 7, key_id: '7' }],
    ['no id', 200, { key }],
    ['an empty id', 200, { key, key_id: '' }],
    ['an id that is an object', 200, { key, key_id: { $secret: 'env:TOKEN' } }],
  ])('sends nothing with %s in place of the key', async (_, status, body) => {
    const failure = await seal(status, body).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'REQUEST_INCOMPLETE' })
    expect(String(failure)).not.toContain('a value')
  })

  it('refuses a value that is not a text', async () => {
    await expect(seal(200, { key, key_id: '7' }, { body: { value: 7 } })).rejects.toMatchObject({
      code: 'REQUEST_INCOMPLETE',
    })
  })

  it('reports a request as not sent where the key cannot be read, and does not hide a defect of this program', async () => {
    const failing = (error: AppError) =>
      sealValues(request, box, { sealBox: async () => undefined, ask: () => Promise.reject(error) })
    const lost = new AppError('REQUEST_FAILED', { method: 'GET', url: box.url as string, detail: 'reset' })
    await expect(failing(lost)).rejects.toMatchObject({ code: 'REQUEST_INCOMPLETE' })
    const lockLost = new AppError('LOCK_LOST', { workspace: 'w' })
    await expect(failing(lockLost)).rejects.toBe(lockLost)
  })
})
