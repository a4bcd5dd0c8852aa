import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readSealKey } from '../../../functions/adapters/aws/seal-key.ts'
import { createSeal } from '../../../functions/adapters/seal.ts'
import { aLoopback } from '../../builders/servers/loopback.ts'

const keyId = 'arn:aws:kms:eu-central-1:123456789012:key/4711'
const surroundings = async () => ({
  region: async () => 'eu-central-1',
  credentials: async () => ({ accessKeyId: 'AKIA', secretAccessKey: 'canary-secret', sessionToken: 'session' }),
})
const failing = (status: number, type: string): readonly [number, object] => [
  status,
  { __type: `com.amazonaws.kms#${type}`, message: 'canary-message' },
]

/** Stands in for KMS: answers these in turn, and then the HMAC of what it is given. */
const kms = (first: readonly (readonly [number, object])[] = []) => {
  const left = [...first]
  const server = aLoopback((_, response) => {
    const [status, body] = left.shift() ?? [200, undefined]
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
    response.end(JSON.stringify(body ?? { KeyId: keyId, Mac: mac.toString('base64'), MacAlgorithm: 'HMAC_SHA_256' }))
  })
  const mac = createHmac('sha256', 'never leaves').update('a fixed message').digest()
  return { server, mac }
}

const read = (endpoint: string, pauses: number[] = []) =>
  readSealKey({ keyId, surroundings, endpoint, pause: async (milliseconds) => void pauses.push(milliseconds) })

describe('the key for digests of secrets', () => {
  it('comes from one GenerateMac of a fixed message, signed for KMS', async () => {
    const { server: started, mac } = kms()
    await using server = await started
    expect(Buffer.from(await read(server.url))).toEqual(mac)
    expect(server.seen).toHaveLength(1)
    const asked = server.seen[0]!
    const { headers, body, method } = asked
    expect([method, headers['x-amz-target']]).toEqual(['POST', 'TrentService.GenerateMac'])
    expect(headers.authorization).toMatch(/Credential=AKIA\/\d{8}\/eu-central-1\/kms\/aws4_request/)
    expect(headers['x-amz-security-token']).toBe('session')
    expect(JSON.parse(body)).toEqual({
      KeyId: keyId,
      MacAlgorithm: 'HMAC_SHA_256',
      Message: Buffer.from('plumbline: key of the seals, 1').toString('base64'),
    })
  })

  it('makes the same digests in every container, which ask KMS once each', async () => {
    const { server: started } = kms()
    await using server = await started
    const [one, other] = await Promise.all([read(server.url), read(server.url)])
    const seals = [one, other].map((key) => Array.from({ length: 100 }, (_, n) => createSeal(key)(`secret ${n}`)))
    expect(seals[0]).toEqual(seals[1])
    expect(server.seen).toHaveLength(2)
  })

  it.each([
    ['ThrottlingException', failing(400, 'ThrottlingException')],
    ['KMSInternalException', failing(500, 'KMSInternalException')],
    ['no words', [503, {}] as const],
  ])('is requested again after %s, with longer and longer pauses', async (_, failure) => {
    const { server: started, mac } = kms([failure, failure])
    await using server = await started
    const pauses: number[] = []
    expect(Buffer.from(await read(server.url, pauses))).toEqual(mac)
    expect(pauses).toEqual([200, 400])
  })

  it.each([
    ['AccessDeniedException', failing(400, 'AccessDeniedException'), 1],
    ['DisabledException', failing(400, 'DisabledException'), 1],
    ['ThrottlingException', failing(400, 'ThrottlingException'), 4],
    ['it is no HMAC-SHA-256', [200, { Mac: Buffer.from('short').toString('base64') }] as const, 1],
    ['it is no HMAC-SHA-256', [200, { Plaintext: 'canary-message' }] as const, 1],
  ])('is missing after %s, and nothing else is reported', async (detail, failure, asked) => {
    const { server: started } = kms(Array.from({ length: 9 }, () => failure))
    await using server = await started
    const error = await read(server.url).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'SECRET_UNRESOLVED', payload: { source: keyId, detail } })
    expect(JSON.stringify(error) + String(error)).not.toContain('canary')
    expect(server.seen).toHaveLength(asked)
  })

  it('is missing where nobody answers', async () => {
    const { server: started } = kms()
    const { url, ...server } = await started
    await server[Symbol.asyncDispose]()
    await expect(read(url)).rejects.toMatchObject({
      code: 'SECRET_UNRESOLVED',
      payload: { detail: expect.stringContaining('ECONNREFUSED') },
    })
  })
})
