import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { APIGatewayProxyEventV2, APIGatewayProxyResultV2 } from 'aws-lambda'
import {
  CompactSign,
  exportJWK,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuthoriser } from '../../../functions/dev/http/authorizer.ts'
import { type Issuer, openIssuer } from '../../../functions/dev/http/issuer.ts'
import { type HttpServer, startHttpServer } from '../../../functions/dev/http/server.ts'

let folder: string
let front: HttpServer
let issuer: Issuer
let seen: APIGatewayProxyEventV2[] = []
let answer: APIGatewayProxyResultV2 = { statusCode: 204 }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-front-'))
  front = await startHttpServer({
    port: 0,
    serve: async (url) => {
      issuer = await openIssuer(join(folder, 'issuer.json'), url)
      const own = async ({ path }: { readonly path: string }) =>
        path === '/.well-known/jwks.json' ? { status: 200, body: issuer.keys } : undefined
      const handle = async (event: APIGatewayProxyEventV2) => {
        seen.push(event)
        return answer
      }
      return { authorise: createAuthoriser(issuer), handle, own }
    },
  })
})

afterAll(async () => {
  await front.stop()
  await rm(folder, { recursive: true })
})

const ask = async (token: string | undefined, path = '/v1/workspaces', init: RequestInit = {}) => {
  seen = []
  const headers = { ...init.headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
  return fetch(`${front.url}${path}`, { ...init, headers })
}

const claimsOf = (event: APIGatewayProxyEventV2 | undefined): unknown =>
  (event?.requestContext as { authorizer?: { jwt: { claims: unknown } } } | undefined)?.authorizer?.jwt.claims

/** Signed like the issuer's own, with one thing changed at a time. */
const signed = async (change: {
  readonly issuer?: string
  readonly audience?: string
  readonly subject?: string | null
  readonly expires?: string | number | null
  readonly notBefore?: string
}) => {
  const { readFile } = await import('node:fs/promises')
  const { importJWK } = await import('jose')
  const jwk = JSON.parse(await readFile(join(folder, 'issuer.json'), 'utf8'))
  const token = new SignJWT({ scope: 'read' })
    .setProtectedHeader({ alg: jwk.alg, kid: jwk.kid })
    .setIssuer(change.issuer ?? issuer.url)
    .setAudience(change.audience ?? 'plumbline')
    .setIssuedAt()
  if (change.subject !== null) token.setSubject(change.subject ?? 'someone')
  if (change.expires !== null) token.setExpirationTime(change.expires ?? '1h')
  if (change.notBefore !== undefined) token.setNotBefore(change.notBefore)
  return token.sign(await importJWK(jwk, jwk.alg))
}

const tampered = async () => {
  const [header, payload, signature] = (await issuer.issue('someone', '1h')).split('.')
  const claims = { ...JSON.parse(Buffer.from(payload!, 'base64url').toString()), sub: 'root' }
  return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
}

const ofAnotherKey = async () => {
  const { privateKey } = await generateKeyPair('RS256')
  const [key] = issuer.keys.keys
  return new SignJWT({ scope: 'read' })
    .setProtectedHeader({ alg: 'RS256', kid: key!.kid! })
    .setIssuer(issuer.url)
    .setAudience('plumbline')
    .setSubject('someone')
    .setExpirationTime('1h')
    .sign(privateKey)
}

/** The classic confusion: the public key taken for the secret of a symmetric signature. */
const symmetric = async () => {
  const [key] = issuer.keys.keys
  return new SignJWT({ scope: 'read' })
    .setProtectedHeader({ alg: 'HS256', kid: key!.kid! })
    .setIssuer(issuer.url)
    .setAudience('plumbline')
    .setSubject('someone')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(JSON.stringify(key)))
}

/** Signed by the right key, as an issuer does that does not look for repeated claims. */
const withClaimTwice = async () => {
  const { importJWK } = await import('jose')
  const { readFile } = await import('node:fs/promises')
  const jwk = JSON.parse(await readFile(join(folder, 'issuer.json'), 'utf8'))
  const [, payload = ''] = (await issuer.issue('someone', '1h')).split('.')
  const claims = Buffer.from(payload, 'base64url').toString().replace('{', '{"sub":"root",')
  return new CompactSign(Buffer.from(claims))
    .setProtectedHeader({ alg: jwk.alg, kid: jwk.kid })
    .sign(await importJWK(jwk, jwk.alg))
}

/** Names a key of the sender's own in the header. */
const bringingItsKey = async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  return new SignJWT({ scope: 'read' })
    .setProtectedHeader({ alg: 'ES256', jwk: await exportJWK(publicKey) })
    .setIssuer(issuer.url)
    .setAudience('plumbline')
    .setSubject('someone')
    .setExpirationTime('1h')
    .sign(privateKey)
}

describe('the tokens of dev', () => {
  test('give their claims to the function as texts', async () => {
    const response = await ask(await issuer.issue('local:ada', '1h'))
    expect(response.status).toBe(204)
    expect(claimsOf(seen[0])).toMatchObject({
      sub: 'local:ada',
      scope: 'read check apply irreversible configure',
      iss: front.url,
    })
    expect(Object.values(claimsOf(seen[0]) as object).every((value) => typeof value === 'string')).toBe(true)
  })

  test.each<[string, () => Promise<string>]>([
    ['for another audience', () => signed({ audience: 'somebody-else' })],
    ['of another issuer', () => signed({ issuer: 'https://issuer.example' })],
    ['expired', () => signed({ expires: Math.floor(Date.now() / 1000) - 1 })],
    ['that never expires', () => signed({ expires: null })],
    ['not valid yet', () => signed({ notBefore: '10m' })],
    ['without a subject', () => signed({ subject: null })],
    [
      'that is not signed',
      async () =>
        new UnsecuredJWT({ scope: 'apply configure' })
          .setIssuer(issuer.url)
          .setAudience('plumbline')
          .setSubject('x')
          .setExpirationTime('1h')
          .encode(),
    ],
    ['of another key under the same name', ofAnotherKey],
    ['signed with the public key as a secret', symmetric],
    ['that brings its own key', bringingItsKey],
    ['whose claims were changed', tampered],
    ['with a claim twice', withClaimTwice],
    ['without its signature', async () => (await issuer.issue('x', '1h')).replace(/[^.]+$/, '')],
    ['that is no token', async () => 'let-me-in'],
  ])('are refused if one is %s, and do not reach the function', async (_name, make) => {
    const response = await ask(await make())
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({ code: 'UNAUTHENTICATED', status: 401 })
    expect(seen).toEqual([])
  })

  test('are refused with another scheme', async () => {
    const response = await fetch(`${front.url}/v1/workspaces`, { headers: { authorization: 'Basic YTpi' } })
    expect(response.status).toBe(401)
  })

  test('may be missing: the function then has no caller', async () => {
    expect((await ask(undefined)).status).toBe(204)
    expect(seen[0]?.requestContext).not.toHaveProperty('authorizer')
  })

  test('cannot be replaced by claims in a header', async () => {
    await ask(undefined, '/v1/workspaces', { headers: { 'x-amzn-authorizer': '{"jwt":{"claims":{"sub":"root"}}}' } })
    expect(claimsOf(seen[0])).toBeUndefined()
  })

  test('are signed by a key that only its owner can read, and that is never shown', async () => {
    expect((await stat(join(folder, 'issuer.json'))).mode & 0o777).toBe(0o600)
    const shown = (await (await fetch(`${front.url}/.well-known/jwks.json`)).json()) as { keys: unknown[] }
    expect(Object.keys(shown.keys[0] as object).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })

  test.each(['', '{', '{}', '[]', 'null', '{"kty":"EC","crv":"P-256","x":"AA","y":"AA","d":"AA","kid":"a"}'])(
    'are refused by name where the key file holds %j',
    async (text) => {
      const file = join(folder, 'broken.json')
      await writeFile(file, text)
      const refused = openIssuer(file, 'http://127.0.0.1:1').catch((error: unknown) => error)
      expect(await refused).toMatchObject({ code: 'KEY_INVALID', payload: { file } })
    },
  )

  test('survive a restart', async () => {
    const token = await issuer.issue('x', '1h')
    const again = createAuthoriser(await openIssuer(join(folder, 'issuer.json'), issuer.url))
    expect(await again(`Bearer ${token}`)).toMatchObject({ ok: true })
  })
})

describe.each(['RS256', 'ES256'] as const)('an issuer with a key for %s', (alg) => {
  const url = 'http://127.0.0.1:8600'
  const opened = async () => {
    const file = join(folder, `${alg}.json`)
    const { privateKey } = await generateKeyPair(alg, { extractable: true })
    const key = { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: `a key for ${alg}` }
    await writeFile(file, JSON.stringify(key), { mode: 0o600 })
    const own = await openIssuer(file, url)
    const sign = (
      payload: JWTPayload,
      header: Partial<JWTHeaderParameters> = {},
      by: Parameters<SignJWT['sign']>[0] = privateKey,
    ) =>
      new SignJWT({ iss: url, aud: 'plumbline', sub: 'ada', exp: Math.floor(Date.now() / 1000) + 60, ...payload })
        .setProtectedHeader({ alg, kid: key.kid, ...header })
        .sign(by)
    const verify = createAuthoriser(own)
    return { own, key, sign, ask: async (token: string) => verify(`Bearer ${token}`) }
  }

  test('is trusted, and shows no private part of its key', async () => {
    const { own, key, ask } = await opened()
    expect(await ask(await own.issue('local:ada', '1h'))).toMatchObject({
      ok: true,
      claims: { sub: 'local:ada', iss: url },
    })
    expect(own.discovery).toMatchObject({ id_token_signing_alg_values_supported: [alg] })
    const shown = JSON.stringify(own.keys)
    for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi'] as const) {
      const value = (key as Record<string, unknown>)[member]
      if (typeof value === 'string') expect(shown).not.toContain(value)
    }
  })

  test.each<[string, unknown]>([
    ['null', null],
    ['a number', 7],
    ['true', true],
    ['empty', ''],
    ['a list', ['ada']],
    ['an object', { name: 'ada' }],
    ['missing', undefined],
  ])('is refused with a subject that is %s', async (_, sub) => {
    const { ask, sign } = await opened()
    expect(await ask(await sign({ sub: sub as string }))).toMatchObject({
      ok: false,
      detail: expect.stringContaining('sub'),
    })
  })

  test('is refused with a token of the future, or one that does not name its key', async () => {
    const { ask, sign } = await opened()
    const soon = Math.floor(Date.now() / 1000) + 600
    expect(await ask(await sign({}))).toMatchObject({ ok: true })
    expect(await ask(await sign({ iat: soon, exp: soon + 60 }))).toMatchObject({ ok: false })
    expect(await ask(await sign({}, { kid: undefined as unknown as string }))).toMatchObject({ ok: false })
    expect(await ask(await sign({}, { kid: 'another' }))).toMatchObject({ ok: false })
  })

  test.each(
    ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'ES256', 'ES384', 'ES512', 'EdDSA'].filter((each) => each !== alg),
  )('is refused with a token of another key for %s', async (other) => {
    const { ask, sign } = await opened()
    const { privateKey } = await generateKeyPair(other, { extractable: true })
    expect(await ask(await sign({}, { alg: other }, privateKey))).toMatchObject({ ok: false })
  })

  test.each(['HS256', 'HS384', 'HS512'])(
    'is refused with a token that uses the public key as a secret of %s',
    async (symmetricAlg) => {
      const { ask, sign, own } = await opened()
      const shown = new TextEncoder().encode(JSON.stringify(own.keys.keys[0]).padEnd(64, ' '))
      expect(await ask(await sign({}, { alg: symmetricAlg }, shown))).toMatchObject({ ok: false })
    },
  )
})

describe('the requests of dev', () => {
  test('become events of payload format 2.0', async () => {
    await ask(undefined, '/v1/a%20b?x=1&x=2&y=%C3%A9', { method: 'PUT', body: '{"a":1}', headers: { 'X-Some': 'v' } })
    expect(seen[0]).toMatchObject({
      version: '2.0',
      rawPath: '/v1/a%20b',
      rawQueryString: 'x=1&x=2&y=%C3%A9',
      queryStringParameters: { x: '1,2', y: 'é' },
      headers: { 'x-some': 'v' },
      body: '{"a":1}',
      isBase64Encoded: false,
      requestContext: { http: { method: 'PUT', path: '/v1/a%20b' }, stage: '$default' },
    })
  })

  test('keep bytes that are not a text as base64', async () => {
    await ask(undefined, '/', { method: 'POST', body: new Uint8Array([0xff, 0xfe]) })
    expect(seen[0]).toMatchObject({ body: '//4=', isBase64Encoded: true })
  })

  test('are refused with a body beyond the limit of an HTTP API', async () => {
    const response = await ask(undefined, '/', { method: 'POST', body: new Uint8Array(10_000_001) }).catch(
      () => undefined,
    )
    expect(response?.status ?? 413).toBe(413)
    expect(seen).toEqual([])
  })

  test('get answers with status, headers and bytes', async () => {
    answer = {
      statusCode: 201,
      headers: { location: '/x' },
      body: Buffer.from([0, 255]).toString('base64'),
      isBase64Encoded: true,
    }
    const response = await ask(undefined)
    expect([response.status, response.headers.get('location')]).toEqual([201, '/x'])
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255])
    answer = { statusCode: 204 }
  })
})

describe('a page of another server', () => {
  const send = (path: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      seen = []
      const { hostname, port } = new URL(front.url)
      const sent = request({ hostname, port, path, method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      sent.on('error', reject).end('{}')
    })

  test.each<[string, () => Record<string, string>]>([
    ['of a name that leads here', () => ({ host: 'evil.example' })],
    ['that posts to here', () => ({ host: new URL(front.url).host, origin: 'http://evil.example' })],
    ['without a name', () => ({ host: new URL(front.url).host, origin: 'null' })],
  ])('is refused as one %s, with a token and without', async (_name, headers) => {
    const bearer = `Bearer ${await issuer.issue('local:ada', '1h')}`
    expect(await send('/v1/workspaces', headers())).toBe(403)
    expect(await send('/v1/workspaces', { ...headers(), authorization: bearer })).toBe(403)
    expect(await send('/.well-known/jwks.json', headers())).toBe(403)
    expect(seen).toEqual([])
  })

  test.each(['//evil.example/v1', '/[', '//[', '/%', '/\\evil.example'])(
    'cannot name a server by the path %j',
    async (path) => {
      expect(await send(path, { host: new URL(front.url).host })).toBe(204)
      expect(seen[0]?.requestContext.domainName).toBe(new URL(front.url).host)
    },
  )
})

describe('the address of dev', () => {
  test('is named where its port is in use', async () => {
    const port = Number(new URL(front.url).port)
    const second = startHttpServer({ port, serve: () => Promise.reject(new Error('never called')) })
    await expect(second).rejects.toMatchObject({ code: 'PORT_IN_USE', payload: { port } })
  })

  test('is free again where the start fails', async () => {
    let port = 0
    const started = startHttpServer({
      port: 0,
      serve: async (url) => {
        port = Number(new URL(url).port)
        throw new Error('no')
      },
    })
    await expect(started).rejects.toThrow('no')
    const server = createServer()
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
    await new Promise((resolve) => server.close(resolve))
  })
})
