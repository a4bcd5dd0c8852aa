import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signedBy } from '../../../functions/adapters/anchor-key.ts'
import { createAnchors } from '../../../functions/adapters/aws/anchors.ts'
import { signAws } from '../../../functions/adapters/transport/http/sign-aws.ts'
import { type Heard, startServer } from '../../builders/servers/loopback.ts'

const keyId = 'arn:aws:kms:eu-central-1:123456789012:key/4711'
const credentials = { accessKeyId: 'AKIA', secretAccessKey: 'canary-secret', sessionToken: 'session' }
const surroundings = async () => ({ region: async () => 'eu-central-1', credentials: async () => credentials })
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** Signs what came in once more, with the secret that client and server share, and compares. */
const isVouched = async ({ method, url, headers, body }: Heard, service: string): Promise<boolean> => {
  const { authorization = '', host = '', 'x-amz-date': date = '' } = headers
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? []
  const signed = names.filter((name) => name !== 'host' && !/^x-amz-(date|security-token|content-sha256)$/.test(name))
  const at = String(date).replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z')
  const again = await signAws(
    { region: 'eu-central-1', service, ...credentials },
    {
      method,
      url: new URL(url, `http://${host}`),
      headers: new Headers(signed.map((name) => [name, String(headers[name])])),
      body,
    },
    new Date(at),
  )
  return again.get('authorization') === authorization
}

type Answer = readonly [status: number, body: string]

/** Stands in for KMS and S3: refuses a request with a wrong signature, or without the checksum that a retention needs. */
const cloud = async (first: readonly Answer[] = []) => {
  const left = [...first]
  const objects = new Map<string, string>()
  const heard: Heard[] = []
  const kms = (action: string, body: string): Answer => {
    const { KeyId, Message, MessageType, SigningAlgorithm } = JSON.parse(body)
    if (KeyId !== keyId) return [400, '{"__type":"NotFoundException"}']
    if (action === 'TrentService.GetPublicKey')
      return [200, JSON.stringify({ PublicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') })]
    if (MessageType !== 'RAW' || SigningAlgorithm !== 'ECDSA_SHA_256') return [400, '{"__type":"ValidationException"}']
    return [
      200,
      JSON.stringify({ Signature: sign('sha256', Buffer.from(Message, 'base64'), privateKey).toString('base64') }),
    ]
  }
  const answerTo = async (one: Heard): Promise<Answer> => {
    const action = one.headers['x-amz-target']
    if (!(await isVouched(one, action === undefined ? 's3' : 'kms'))) return [403, '<Error>canary-message</Error>']
    if (action !== undefined) return kms(String(action), one.body)
    const checksum = createHash('sha256').update(one.body).digest('base64')
    if (one.method !== 'PUT' || one.headers['x-amz-checksum-sha256'] !== checksum) return [400, '<Error/>']
    objects.set(one.url, one.body)
    return [200, '']
  }
  const server = await startServer(async (one, response) => {
    heard.push(one)
    const [status, body] = left.shift() ?? (await answerTo(one))
    response.writeHead(status)
    response.end(body)
  })
  const ask = { surroundings, endpoint: server.url, pause: async () => {} }
  const anchors = createAnchors({ deployment: 'd', keyId, bucket: 'evidence', kms: ask, s3: ask })
  return { anchors, objects, heard, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

describe('anchors in KMS and S3', () => {
  it('are signed by the key whose public part is published', async () => {
    await using server = await cloud()
    const { sign: signText, publicKey: read } = server.anchors
    const isSigned = signedBy(await read())!
    const signature = await signText('a head: ü')
    expect([isSigned('a head: ü', signature), isSigned('another', signature)]).toEqual([true, false])
  })

  it('are put with a checksum, under their name in the bucket', async () => {
    await using server = await cloud()
    await server.anchors.keep('acme/000000000001-2026.json', 'an anchor\n')
    expect([...server.objects]).toEqual([['/evidence/acme/000000000001-2026.json', 'an anchor\n']])
    expect(server.heard[0]?.headers.authorization).toMatch(/Credential=AKIA\/\d{8}\/eu-central-1\/s3\/aws4_request/)
  })

  it('are tried again while that may help', async () => {
    await using server = await cloud([
      [503, '<Error/>'],
      [400, '{"__type":"ThrottlingException"}'],
    ])
    await server.anchors.keep('one', 'text')
    expect([server.heard.length, server.objects.size]).toEqual([3, 1])
  })

  it.each<[string, Answer, number]>([
    ['status 403', [403, '<Error>canary-message</Error>'], 1],
    ['AccessDeniedException', [400, '{"__type":"AccessDeniedException","message":"canary-message"}'], 1],
    ['status 500', [500, ''], 4],
    ['it is not what was asked for', [200, '{}'], 1],
  ])('are refused with %s, and nothing else is told', async (detail, answer, asked) => {
    await using server = await cloud(Array.from({ length: 9 }, () => answer))
    const error = await server.anchors.sign('text').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'ANCHORS_UNAVAILABLE', payload: { what: keyId, detail } })
    expect(JSON.stringify(error) + String(error)).not.toContain('canary')
    expect(server.heard).toHaveLength(asked)
  })
})
