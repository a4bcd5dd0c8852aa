import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AppError } from '../../../core/engine/errors/errors.ts'
import { sealsApart } from '../../../core/engine/values/marks/marks.ts'
import { createSeal } from '../../../functions/adapters/seal.ts'
import type { SecretsOptions } from '../../../functions/adapters/secrets.ts'
import { createSecrets } from '../../../functions/adapters/secrets.ts'
import { aLoopback } from '../../builders/servers/loopback.ts'

const canary = 'c4nary-value'
let folder: string
let now = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-secrets-'))
  await writeFile(join(folder, 'plain'), `${canary}\n`)
  await writeFile(join(folder, 'two-lines'), `${canary}\n\n`)
  await writeFile(
    join(folder, 'json'),
    JSON.stringify({ password: canary, port: 5432, nested: { a: [1] }, empty: '', none: null, blank: ' ' }),
  )
  await writeFile(join(folder, 'twice'), `{"password":"${canary}","password":"${canary}2"}`)
  await writeFile(join(folder, 'empty'), '\n')
  await writeFile(join(folder, 'blank'), ' \t\r\n\n')
})
afterAll(() => rm(folder, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

const secrets = (rest: Partial<SecretsOptions> = {}) =>
  createSecrets({
    environment: { KEY: canary, EMPTY: '', JSON: JSON.stringify({ key: canary }) },
    clock: { now: () => new Date(now) },
    ...rest,
  })
const resolve = (source: string, rest?: Partial<SecretsOptions>) => secrets(rest).resolve(source.replace('@', folder))
const refusal = (source: string, rest?: Partial<SecretsOptions>) =>
  resolve(source, rest).then(
    () => expect.unreachable(),
    (error: AppError<'SECRET_UNRESOLVED'>) => error,
  )

describe('the reader of secrets', () => {
  it.each([
    ['env:KEY', canary],
    ['env:JSON#key', canary],
    ['file:@/plain', canary],
    ['file:@/two-lines', `${canary}\n`],
    ['file:@/json#password', canary],
    ['file:@/json#port', '5432'],
    ['file:@/json#nested', '{"a":[1]}'],
  ])('reads the value of %s', async (source, value) => {
    expect(await resolve(source)).toBe(value)
  })

  it.each([
    ['env:GONE', 'it does not exist'],
    ['env:EMPTY', 'it is empty'],
    ['env:toString', 'it does not exist'],
    ['env:KEY#password', 'it is no JSON object'],
    ['file:@/gone', 'it does not exist'],
    ['file:@/empty', 'it is empty'],
    ['file:@', 'EISDIR'],
    ['file:@/json#gone', 'it has no member "gone"'],
    ['file:@/json#toString', 'it has no member "toString"'],
    ['file:@/json#empty', 'it is empty'],
    ['file:@/json#none', 'its member "none" is null'],
    ['file:@/twice#password', 'it has one member twice in an object'],
    ['file:@/json#blank', 'it is empty'],
    ['file:@/blank', 'it is empty'],
    ['vault:x', 'a source here is env:..., file:..., ssm:..., secretsmanager:...'],
    ['env:', 'a source here is'],
    ['KEY', 'a source here is'],
  ])('refuses %s: %s', async (source, detail) => {
    const error = await refusal(source)
    expect(error).toMatchObject({ code: 'SECRET_UNRESOLVED', payload: { detail: expect.stringContaining(detail) } })
    expect(String(error.stack) + JSON.stringify(error.payload)).not.toContain(canary)
  })

  it('knows only the kinds that are given', async () => {
    expect(await refusal('file:@/plain', { kinds: ['env'] })).toMatchObject({
      payload: { detail: 'a source here is env:...' },
    })
    expect(await resolve('env:KEY', { kinds: ['env'] })).toBe(canary)
  })

  it('keeps a value for a while, and keeps no failure', async () => {
    const environment: Record<string, string> = {}
    const kept = secrets({ environment })
    await expect(kept.resolve('env:LATE')).rejects.toMatchObject({ code: 'SECRET_UNRESOLVED' })
    environment['LATE'] = 'one'
    expect(await kept.resolve('env:LATE')).toBe('one')
    environment['LATE'] = 'two'
    now += 299_999
    expect(await kept.resolve('env:LATE')).toBe('one')
    now += 1
    expect(await kept.resolve('env:LATE')).toBe('two')
  })
})

describe('secrets of AWS', () => {
  /** Speaks the JSON protocol of both services. */
  const aws = async (answers: Record<string, [number, object]>) => {
    const server = await aLoopback((request, response) => {
      const operation = String(request.headers['x-amz-target']).split('.')[1] ?? ''
      const [status, body] = answers[operation] ?? [500, {}]
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
    })
    for (const [name, value] of Object.entries({
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_MAX_ATTEMPTS: '1',
      AWS_ENDPOINT_URL_SSM: server.url,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: server.url,
    })) {
      vi.stubEnv(name, value)
    }
    return server
  }

  it('are read decrypted with ssm:', async () => {
    await using server = await aws({ GetParameter: [200, { Parameter: { Value: canary } }] })
    expect(await resolve('ssm:/plumbline/key')).toBe(canary)
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ Name: '/plumbline/key', WithDecryption: true })
  })

  it('are read by name or ARN with secretsmanager:, as a whole or by member', async () => {
    await using server = await aws({ GetSecretValue: [200, { SecretString: JSON.stringify({ password: canary }) }] })
    const arn = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:db-AbCdEf'
    expect(await resolve(`secretsmanager:${arn}#password`)).toBe(canary)
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ SecretId: arn })
  })

  it('may be bytes with secretsmanager:', async () => {
    await using _ = await aws({ GetSecretValue: [200, { SecretBinary: Buffer.from(canary).toString('base64') }] })
    expect(await resolve('secretsmanager:db')).toBe(canary)
  })

  it.each([
    ['ssm:/gone', 'GetParameter', 'ParameterNotFound'],
    ['ssm:/closed', 'GetParameter', 'AccessDeniedException'],
    ['secretsmanager:gone', 'GetSecretValue', 'ResourceNotFoundException'],
  ])('are refused as %s by the name of the reason', async (source, operation, reason) => {
    await using _ = await aws({ [operation]: [400, { __type: reason, message: `about ${canary}` }] })
    const error = await refusal(source)
    expect(error.payload).toEqual({ source, detail: reason })
  })
})

describe('the digest of a secret', () => {
  it('is an HMAC-SHA-256 over canonical JSON', () => {
    const expected = createHmac('sha256', 'key').update('{"a":1,"b":"ß"}').digest('hex')
    expect(createSeal('key')({ b: 'ß', a: 1 })).toMatch(new RegExp(`^hmac-sha256:[0-9a-f]{8}:${expected}$`))
    expect(createSeal(Buffer.from('key'))({ a: 1, b: 'ß' })).toBe(createSeal('key')({ b: 'ß', a: 1 }))
  })

  it('distinguishes values and keys', () => {
    const seals = [createSeal('a')('1'), createSeal('a')(1), createSeal('b')('1'), createSeal('a')(null)]
    expect(new Set(seals).size).toBe(seals.length)
    expect(sealsApart(seals[0] ?? '', seals[1] ?? '')).toBe(false)
    expect(sealsApart(seals[0] ?? '', seals[2] ?? '')).toBe(true)
  })
})
