import { createHash, createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { type Heard, startServer } from './loopback.ts'

/*
 * What API Gateway does in front of a route with IAM authorization: AWS Signature Version 4 of the request as it came in, by the steps of
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html and without any library of the signer.
 */

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

/** Every name and value decoded and encoded again; a `+` stands for itself. */
const canonicalQuery = (query: string): string =>
  query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', ...value] = part.split('=')
      return `${encode(decodeURIComponent(name))}=${encode(decodeURIComponent(value.join('=')))}`
    })
    .toSorted()
    .join('&')

interface Claimed {
  readonly keyId: string
  readonly day: string
  readonly region: string
  readonly service: string
  readonly names: readonly string[]
  readonly signature: string
}

const claimIn = (authorization = ''): Claimed | undefined => {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([\w-]+)\/([\w-]+)\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/
  const [found, keyId = '', day = '', region = '', service = '', names = '', signature = ''] =
    pattern.exec(authorization) ?? []
  return found === undefined ? undefined : { keyId, day, region, service, names: names.split(';'), signature }
}

/** The signature that a request must have, in hexadecimal. */
export const expectedSignature = (
  { method, url, headers, body }: Heard,
  { day, region, service, names }: Pick<Claimed, 'day' | 'region' | 'service' | 'names'>,
  secret: string,
): string => {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const lines = names.map((name) => `${name}:${String(headers[name]).trim().replaceAll(/ +/g, ' ')}\n`)
  const canonicalPath = path.split('/').map(encode).join('/')
  const canonical = [method, canonicalPath, canonicalQuery(query), lines.join(''), names.join(';'), hash(body)]
  const scope = `${day}/${region}/${service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical.join('\n'))].join('\n')
  const key = [region, service, 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${secret}`, day))
  return hmac(key, toSign).toString('hex')
}

export interface KnownKey {
  readonly id: string
  readonly secret: string
  readonly sessionToken?: string
  readonly region: string
}

const timeOf = (stamp: string): number =>
  Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

/** The reason to refuse a request; absent if the known key signed it. */
const whyRefused = (heard: Heard, key: KnownKey, now: Date): string | undefined => {
  const { headers } = heard
  const claim = claimIn(headers.authorization)
  if (claim === undefined) return 'no signature'
  const { keyId, day, region, service, names, signature } = claim
  const stamp = String(headers['x-amz-date'])
  if (keyId !== key.id) return 'unknown key'
  if (region !== key.region || service !== 'execute-api') return `scope ${region}/${service}`
  if (!['host', 'x-amz-date'].every((name) => names.includes(name))) return `signed only ${names}`
  if (!stamp.startsWith(day) || !(Math.abs(timeOf(stamp) - now.getTime()) < 300_000)) return `time ${stamp}`
  if (headers['x-amz-security-token'] !== key.sessionToken) return 'session token'
  if (key.sessionToken !== undefined && !names.includes('x-amz-security-token')) return 'unsigned session token'
  return expectedSignature(heard, claim, key.secret) === signature ? undefined : 'signature'
}

/** The endpoint for machines: `behind` answers what the key signed; all else gets what the authorizer answers. */
export const startMachinesDoor = async (
  key: KnownKey,
  behind: (heard: Heard, response: ServerResponse) => unknown,
  now = () => new Date(),
) => {
  const passed: Heard[] = []
  const refused: string[] = []
  const server = await startServer((heard, response) => {
    const why = whyRefused(heard, key, now())
    if (why === undefined) {
      passed.push(heard)
      return behind(heard, response)
    }
    refused.push(why)
    return response.writeHead(403, { 'content-type': 'application/json' }).end('{"message":"Forbidden"}')
  })
  return { ...server, passed, refused }
}
