import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { WireRequest } from '../../../core/engine/transport/transport.ts'
import { createHttpTransport } from '../../../functions/adapters/transport/http/http.ts'
import { signAws } from '../../../functions/adapters/transport/http/sign-aws.ts'
import { aLoopback } from '../../builders/servers/loopback.ts'
import { aGet, aWrite } from '../../builders/values/transports.ts'

const keys = {
  region: 'us-east-1',
  service: 'service',
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
}
const date = new Date('2015-08-30T12:36:00Z')

type Seen = Awaited<ReturnType<typeof aLoopback>>['seen'][number]

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

/** The signature that the server would compute of what it got, by the steps of the vendor's page. */
const signatureOf = ({ method, url = '', headers, body }: Seen, service = keys.service): string => {
  const { pathname, searchParams } = new URL(url, 'http://host')
  const path = service === 's3' ? pathname : pathname.split('/').map(encode).join('/')
  const query = [...searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? ''
  const lines = names.split(';').map((name) => `${name}:${headers[name]}\n`)
  const canonical = [method, path, query, lines.join(''), names, hash(body)].join('\n')
  const scope = `20150830/${keys.region}/${service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', '20150830T123600Z', scope, hash(canonical)].join('\n')
  const day = hmac(`AWS4${keys.secretAccessKey}`, '20150830')
  return hmac(hmac(hmac(hmac(day, keys.region), service), 'aws4_request'), toSign).toString('hex')
}

const send = async (request: Partial<WireRequest>, service = keys.service) => {
  await using server = await aLoopback((_, response) => response.end('{}'))
  const { url = '/things', ...rest } = request
  const wire: WireRequest = { ...aGet(`${server.url}${url}`), ...rest, signing: { ...keys, service } }
  await createHttpTransport({ now: () => date }).send(wire)
  return server.seen[0] as Seen
}

describe('AWS Signature Version 4', () => {
  it('names its key, its scope and its time, and leaves the Host header to the sender', async () => {
    const url = new URL('https://example.amazonaws.com/')
    const headers = await signAws(keys, { method: 'GET', url, headers: new Headers(), body: null }, date)
    expect(headers.get('authorization')).toContain('Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request')
    expect([headers.get('x-amz-date'), headers.get('host')]).toEqual(['20150830T123600Z', null])
  })

  // https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
  it.each([
    ['?lifecycle', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    ['?max-keys=2&prefix=J', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  ])('is the signature that the vendor publishes for %s', async (query, signature) => {
    const published = {
      region: 'us-east-1',
      service: 's3',
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    }
    const url = new URL(`https://examplebucket.s3.amazonaws.com/${query}`)
    const request = { method: 'GET', url, headers: new Headers(), body: null }
    const headers = await signAws(published, request, new Date('2013-05-24T00:00:00Z'))
    expect(headers.get('authorization')).toMatch(new RegExp(`Signature=${signature}$`))
  })

  it.each<[string, Partial<WireRequest>, string?]>([
    ['a read', {}],
    ['a query', { url: '/things?b=2&a=%2F%20%2B&a=1&empty=' }],
    ['a path with encoded characters', { url: '/things/a%2Fb%20c%3A' }],
    ['a body', aWrite('POST', { url: '/things', body: { a: 'ß', list: [1] } })],
    ['an object of S3', { url: '/bucket/a%20b' }, 's3'],
  ])('is correct for %s, as the server computes it from what it received', async (_, request, service) => {
    const seen = await send(request, service)
    expect(/Signature=([0-9a-f]{64})$/.exec(seen.headers.authorization ?? '')?.[1]).toBe(signatureOf(seen, service))
    expect(seen.headers.authorization).toMatch(/SignedHeaders=[^,]*host/)
  })

  it('sends the session token too', async () => {
    await using server = await aLoopback((_, response) => response.end('{}'))
    const wire: WireRequest = { ...aGet(server.url), signing: { ...keys, sessionToken: 'st-1' } }
    await createHttpTransport({ now: () => date }).send(wire)
    expect(server.seen[0]?.headers['x-amz-security-token']).toBe('st-1')
    expect(server.seen[0]?.headers.authorization).toContain('x-amz-security-token')
  })
})
