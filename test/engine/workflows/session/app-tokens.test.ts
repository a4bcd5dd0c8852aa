import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { aLoopback } from '../../../builders/servers/loopback.ts'
import { driveBundle } from '../../../builders/workspaces/example-workspace.ts'

/** An API whose callers are apps, as those of GitHub: https://docs.github.com/apps */
const document = `
provider:
  id: forge
  with: { baseUrl: {}, installation: {}, app: { optional: true }, privateKey: { secret: true, optional: true }, token: { secret: true, optional: true } }
  baseUrl: "{with.baseUrl}"
  auth:
    - bearer: { secret: "{with.token}" }
    - login:
        url: "/app/installations/{with.installation}/access_tokens"
        headers: { Authorization: "Bearer {jwt}" }
        jwt: { key: "{with.privateKey}", issuer: "{with.app}" }
        token: token
        expires: expires_at
resources:
  forge_repository:
    operations:
      retrieve: { method: GET, path: "/repositories/{name}" }
      create: { method: POST, path: /repositories }
      delete: { method: DELETE, path: "/repositories/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, attributes: { name: { required: true, immutable: true } } }]
`
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = (type: 'pkcs1' | 'pkcs8'): string => privateKey.export({ type, format: 'pem' }).toString()

/** Gives tokens that live for an hour to whoever signs with the key; each token may be revoked. */
const startForge = async (key: KeyObject = publicKey) => {
  const claims: JWTPayload[] = []
  const repositories = new Map<string, JsonObject>()
  const valid = new Set<string>()
  const state = { lifeMs: 3_600_000, given: 0 }
  const verify = async (authorization = ''): Promise<boolean> => {
    const signed = authorization.replace('Bearer ', '')
    try {
      const { payload } = await jwtVerify(signed, key, { algorithms: ['RS256'], issuer: '1234', currentDate: now })
      claims.push(payload)
      return decodeProtectedHeader(signed).typ === 'JWT'
    } catch {
      return false
    }
  }
  const server = await aLoopback(async ({ method, url = '', headers }, response) => {
    const { body } = server.seen.at(-1) ?? { body: '' }
    const answer = (status: number, sent: JsonObject): void => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(sent))
    }
    if (url === '/app/installations/7/access_tokens') {
      // It repeats what it was sent, as some do.
      if (!(await verify(headers.authorization))) return answer(401, { message: `bad ${headers.authorization}` })
      state.given += 1
      const token = `ghs_${state.given}_of_the_forge`
      valid.add(token)
      return answer(201, { token, expires_at: new Date(Date.now() + state.lifeMs).toISOString() })
    }
    if (!valid.has((headers.authorization ?? '').replace('Bearer ', ''))) return answer(401, { message: 'no' })
    const name = url.split('/')[2] ?? ''
    if (method === 'POST') {
      const made = JSON.parse(body) as JsonObject
      repositories.set(String(made['name']), made)
      return answer(201, made)
    }
    const found = repositories.get(name)
    return found === undefined ? answer(404, { message: 'Not Found' }) : answer(200, found)
  })
  return { ...server, claims, valid, repositories, state }
}

/** Of the workflows' clock; the server's own tells how long a token lives. */
const now = new Date('2026-11-21T06:00:00Z')
const names = ['ann', 'bob', 'cy', 'dan', 'eve', 'flo']

/** `given`: settings in place of those that sign; null: none. */
const drive = (url: string, key: string, given: JsonObject = {}) => {
  const settings: JsonObject = { baseUrl: url, installation: 7, app: 1234, privateKey: { secret: 'env:KEY' }, ...given }
  const entry = JSON.stringify({
    workspace: 'forge',
    providers: {
      forge: {
        source: 'rest',
        definition: './forge.provider.yaml',
        with: Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null)),
      },
    },
    resources: names.map((name) => ({ type: 'forge_repository', name, spec: { name } })),
  })
  const bundle = { entry: 'plumbline.yaml', files: { 'plumbline.yaml': entry, 'forge.provider.yaml': document } }
  return driveBundle({ secrets: { 'env:KEY': key }, base: url }, bundle, 'forge')
}

describe('an app that signs', () => {
  it.each([
    ['PKCS#1', pem('pkcs1')],
    ['PKCS#8', pem('pkcs8')],
    ['PKCS#1 on one line, as in a variable', pem('pkcs1').replaceAll('\n', '\\n')],
  ])('gets one token for all requests, with a key in %s', async (_, key) => {
    await using forge = await startForge()
    const { check, apply } = drive(forge.url, key)
    const { plan, digest } = await check()
    expect(plan.changes.map(({ action }) => action)).toEqual(names.map(() => 'create'))
    expect(forge.state.given).toBe(1)
    expect((await apply(digest)).status).toBe('succeeded')
    expect([...forge.repositories.keys()].sort()).toEqual(names)
    expect((await check()).run.status).toBe('in_sync')
  })

  it('signs for ten minutes at most, from a minute ago', async () => {
    await using forge = await startForge()
    await drive(forge.url, pem('pkcs8')).check()
    const [{ iat = 0, exp = 0, ...others } = {}] = forge.claims
    expect(others).toEqual({ iss: '1234' })
    expect([now.getTime() / 1000 - iat, exp - iat]).toEqual([60, 360])
  })

  it('gets a new token for a token that was revoked', async () => {
    await using forge = await startForge()
    const { check, apply } = drive(forge.url, pem('pkcs1'))
    const { digest } = await check()
    forge.valid.clear()
    expect((await apply(digest)).status).toBe('succeeded')
    expect(forge.repositories.size).toBe(names.length)
  })

  it.each([
    [
      'of another app',
      generateKeyPairSync('rsa', { modulusLength: 2048 })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
      /answered 401/,
    ],
    [
      'that is public',
      createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString(),
      /no private key in PEM for RS256/,
    ],
    [
      'of a curve',
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      /no private key in PEM for RS256/,
    ],
    [
      'that is too short',
      generateKeyPairSync('rsa', { modulusLength: 1024 })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
      /no private key in PEM for RS256/,
    ],
    ['that is no key', 'hunter2 hunter2 hunter2', /no private key in PEM for RS256/],
  ])('reads nothing with a key %s, and shows neither key nor signature', async (_, key, words) => {
    await using forge = await startForge()
    const { plan, run } = await drive(forge.url, key).check()
    expect(plan.unchecked).toHaveLength(names.length)
    const said = JSON.stringify([plan, run])
    expect(said).toMatch(words)
    const signed = forge.seen.flatMap(({ headers }) => (headers.authorization ?? '').split('.'))
    const lines = key.split('\n').filter((line) => line.length > 20 && !line.startsWith('-----'))
    for (const secret of [...lines, ...signed.filter((part) => part.length > 60)]) expect(said).not.toContain(secret)
  })

  it.each<[string, JsonObject, RegExp]>([
    ['settings of both ways', { token: { secret: 'env:TOKEN' } }, /more than one way to sign in/],
    ['a part of one way', { privateKey: null }, /one of several sets of settings, and none is complete/],
  ])('is not accepted in a configuration with %s', async (_, given, words) => {
    const { check } = drive('http://127.0.0.1:9', pem('pkcs1'), given)
    await expect(check()).rejects.toThrow(words)
  })
})
