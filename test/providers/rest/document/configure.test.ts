import { describe, expect, it } from 'vitest'
import { namedFiles } from '../../../../core/engine/config/files/named-files.ts'
import { parseDocument } from '../../../../core/engine/config/syntax/parse-document.ts'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { rest } from '../../../../core/providers/rest/rest.ts'
import { anApi } from '../../../builders/workspaces/rest.ts'

const documentText = (lines: string): string => `
provider:
  id: things
  with: { base: { default: "http://api.test/v1" }, user: { default: me }, key: { secret: true, default: "" }, ca: { default: "" } }
  baseUrl: "{with.base}"
  ${lines}
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: POST, path: /things }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { onImmutable: replace }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true } } }]
`
const key = { $secret: 'env:KEY' }
const certificate = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n'

const configure = (lines: string, given: JsonObject = { key }) => {
  const file = 'api.provider.yaml'
  const { value = null, locate } = parseDocument(file, documentText(lines))
  return rest.configure({
    alias: 'api',
    with: given,
    position: { file: 'plumbline.yaml', line: 3, column: 3 },
    definition: { file, value, locate },
    folder: '/srv/dns',
    files: namedFiles({ files: { 'pki/ca.pem': certificate, 'note.txt': 'no certificate' } }),
  })
}
const problemsOf = (lines: string, given?: JsonObject): string => {
  const configured = configure(lines, given)
  return configured.ok ? '' : configured.issues.map(({ message }) => message).join('\n')
}
const authOf = async (lines: string) => {
  const configured = configure(lines)
  if (!configured.ok) return problemsOf(lines)
  const api = anApi({})
  await configured.provider.types['api_thing']?.read({ address: 'a', attributes: { name: 'x' } }, { transport: api })
  return api.sent[0]?.auth
}

const bearer = { in: 'header', name: 'Authorization', template: 'Bearer {token}' }
const oauth2 = 'tokenUrl: "https://id.test/token", clientId: "{with.user}", clientSecret: "{with.key}"'
const login = 'url: /login, body: { user: "{with.user}", pass: "{with.key}" }, token: data.token'
const keys = 'region: eu-west-1, service: es, accessKeyId: "{with.user}", secretAccessKey: "{with.key}"'

const signed = 'jwt: { key: "{with.key}", issuer: "{with.user}" }'

describe('how a provider signs in', () => {
  it.each<[string, object]>([
    [
      'bearer: { secret: "{with.key}" }',
      { kind: 'header', name: 'Authorization', template: 'Bearer {secret}', secret: key },
    ],
    ['basic: { user: "{with.key}" }', { kind: 'basic', user: key, password: '' }],
    [
      `oauth2: { ${oauth2} }`,
      {
        kind: 'oauth2',
        tokenUrl: 'https://id.test/token',
        clientId: 'me',
        clientSecret: key,
        client: 'header',
        parameters: {},
        send: bearer,
      },
    ],
    [
      `oauth2: { ${oauth2.replace('https://id.test', '')}, client: body, scope: [a, b], audience: "{with.base}", parameters: { x: "{with.key}", n: 1 } }`,
      {
        tokenUrl: 'http://api.test/v1/token',
        client: 'body',
        parameters: { scope: 'a b', audience: 'http://api.test/v1', x: key, n: 1 },
      },
    ],
    [
      `login: { ${login} }`,
      {
        kind: 'login',
        method: 'POST',
        url: 'http://api.test/v1/login',
        body: { user: 'me', pass: key },
        token: { pointer: '/data/token' },
        send: bearer,
      },
    ],
    [
      'login: { method: GET, url: "http://api.test/in", basic: { user: "{with.user}", password: "{with.key}" }, token: { header: X-T }, expires: ttl, send: { query: k } }',
      {
        method: 'GET',
        url: 'http://api.test/in',
        basic: { user: 'me', password: key },
        token: { header: 'X-T' },
        expires: { pointer: '/ttl' },
        send: { in: 'query', name: 'k', template: '{token}' },
      },
    ],
    [
      'login: { url: "https://id.test/in", otherHost: true, headers: { X-Key: "k={with.key}" }, token: { cookie: sid }, expires: 60, send: { cookie: sid } }',
      {
        url: 'https://id.test/in',
        headers: { 'X-Key': { $concat: ['k=', key] } },
        token: { cookie: 'sid' },
        expires: 60,
      },
    ],
    [
      'login: { method: GET, url: /rpc, success: [409], refused: [409], token: { header: X-S }, send: { header: X-S } }',
      { success: [409], refused: [409], token: { header: 'X-S' } },
    ],
    [
      `login: { ${login}, basic: { user: me, password: "{with.key}" }, always: true, send: { cookie: sid }, also: [{ token: csrf, send: { header: X-C } }] }`,
      {
        always: true,
        basic: { user: 'me', password: key },
        also: [{ token: { pointer: '/csrf' }, send: { in: 'header', name: 'X-C', template: '{token}' } }],
      },
    ],
    [
      `login: { url: /in, ${signed}, headers: { Authorization: "Bearer {jwt}" }, token: t, expires: expires_at }`,
      {
        headers: { Authorization: { $concat: ['Bearer ', { $secret: 'jwt:signed' }] } },
        jwt: { algorithm: 'RS256', key, claims: { iss: 'me' }, seconds: 300, skew: 60 },
        expires: { pointer: '/expires_at' },
      },
    ],
    [
      `login: { url: /in, ${signed.replace(' }', ', algorithm: ES256, keyId: "{with.user}", subject: s, audience: a, claims: { scope: x }, seconds: 60, skew: 0, unique: true }')}, body: { assertion: "{jwt}" }, token: t }`,
      {
        body: { assertion: { $secret: 'jwt:signed' } },
        jwt: {
          algorithm: 'ES256',
          key,
          keyId: 'me',
          claims: { iss: 'me', sub: 's', aud: 'a', scope: 'x' },
          seconds: 60,
          skew: 0,
          unique: true,
        },
      },
    ],
    [
      `sigv4: { ${keys} }`,
      { kind: 'sigv4', region: 'eu-west-1', service: 'es', accessKeyId: 'me', secretAccessKey: key },
    ],
  ])('is read from the document: %s', async (lines, expected) => {
    expect(await authOf(`auth: { ${lines} }`)).toMatchObject(expected)
  })

  it.each<[string, string]>([
    ['bearer: { secret: "{with.user}" }', 'signs in with a secret and got none'],
    ['basic: { user: "{with.user}" }', 'signs in with a secret and got none'],
    ['header: { name: X, template: "Key", secret: "{with.key}" }', 'the template has no {secret}'],
    [`oauth2: { ${oauth2.replace('{with.key}', '{with.user}')} }`, 'signs in with a secret and got none'],
    [`oauth2: { ${oauth2.replace('https://id.test/token', 'ftp://id.test')} }`, 'the address to sign in at is no http'],
    [`oauth2: { ${oauth2.replace('id.test', 'me:pw@id.test')} }`, 'the address to sign in at is no http'],
    [`oauth2: { ${oauth2.replace('/token', '/{with.key}')} }`, 'the address to sign in at is no http'],
    [`oauth2: { ${oauth2}, send: { header: X, template: T } }`, 'the template has no {token}'],
    [`oauth2: { ${oauth2.replace('with.user', 'with.nobody')} }`, '"{with.nobody}" is used and not declared'],
    [
      `login: { ${login.replace('/login', 'http://id.test/login')} }`,
      'the login is on another host than http://api.test: http://id.test/login',
    ],
    [`login: { ${login.replace('/login', 'https://api.test/login')} }`, 'the login is on another host'],
    [`login: { ${login.replace('/login', '/../login')} }`, 'the address to sign in at is no http'],
    [`login: { ${login.replace('{with.key}', 'in clear')} }`, 'signs in with a secret and got none'],
    [`login: { ${login}, send: { header: X, query: y } }`, 'unknown key'],
    [`login: { ${login}, always: true }`, 'there is no basic that could go along'],
    [
      `login: { ${login}, basic: { user: me, password: "{with.key}" }, always: true }`,
      'the token is sent in the header that basic needs',
    ],
    [`login: { ${login}, also: [{ token: c, send: { header: C, template: c } }] }`, 'the template has no {token}'],
    [`login: { ${login}, refused: [503] }`, 'too big'],
    ['login: { url: /in, body: { user: me }, token: t }', 'signs in with a secret and got none'],
    [`login: { url: /in, ${signed}, body: { a: 1 }, token: t }`, 'the signed token is not sent'],
    [`login: { url: /in, body: { a: "{jwt}" }, token: t }`, '{jwt}'],
    [`login: { url: "/in/{jwt}", ${signed}, body: { a: "{jwt}" }, token: t }`, '{jwt}'],
    [
      `login: { url: /in, ${signed.replace('{with.key}', '{with.user}')}, body: { a: "{jwt}" }, token: t }`,
      'signs in with a secret and got none',
    ],
    [
      `login: { url: /in, ${signed.replace('{with.user}', '{with.key}')}, body: { a: "{jwt}" }, token: t }`,
      'a signed token needs an issuer',
    ],
    [
      `login: { url: /in, ${signed.replace(' }', ', claims: { exp: 9 } }')}, body: { a: "{jwt}" }, token: t }`,
      'the claim exp has a key of its own',
    ],
    [`sigv4: { ${keys}, sessionToken: "{with.user}" }`, 'signs in with a secret and got none'],
  ])('is refused: %s', (lines, message) => {
    const problems = problemsOf(`auth: { ${lines} }`)
    expect(problems).toContain(message)
    expect(problems).not.toContain('in clear')
  })
})

describe('the certificates of a provider', () => {
  it.each<[string, JsonObject, object]>([
    ['ca: ./pki/ca.pem', { key }, { ca: certificate }],
    ['ca: "{with.ca}"', { key, ca: 'pki/ca.pem' }, { ca: certificate }],
    ['ca: "{with.ca}"', { key, ca: { $secret: 'ssm:/ca' } }, { ca: { $secret: 'ssm:/ca' } }],
    ['cert: pki/ca.pem, key: "{with.key}"', { key }, { cert: certificate, key }],
  ])('are read from the folder or given as secrets: %s', (lines, given, expected) => {
    expect(configure(`tls: { ${lines} }`, given)).toMatchObject({ ok: true, provider: { tls: expected } })
  })

  it.each<[string, string]>([
    ['ca: gone.pem', 'there is no file gone.pem'],
    ['ca: note.txt', 'note.txt is no certificate in PEM'],
    ['cert: pki/ca.pem', 'there is no key'],
    ['key: "{with.key}"', 'there is no cert'],
    ['cert: pki/ca.pem, key: pki/ca.pem', 'the key of tls is no secret'],
    ['insecure: true', 'unknown key'],
  ])('are refused: %s', (lines, message) => {
    expect(problemsOf(`tls: { ${lines} }`)).toContain(message)
  })
})

describe('the Unix socket of a provider', () => {
  it.each<[string, object]>([
    ['/run/api.sock', { path: '/run/api.sock', origin: 'http://api.test' }],
    ['run/api.sock', { path: '/srv/dns/run/api.sock', origin: 'http://api.test' }],
    ['./run/api.sock', { path: '/srv/dns/run/api.sock', origin: 'http://api.test' }],
  ])('is at %s', (path, socket) => {
    const place = `unix:${(socket as { readonly path: string }).path}/v1`
    expect(configure(`socket: ${path}`)).toMatchObject({ ok: true, provider: { socket, place } })
  })

  it.each(['../api.sock', '/run/../api.sock', '/run//api.sock', '/run/'])(
    'has one spelling, which is not %s',
    (path) => {
      expect(problemsOf(`socket: ${path}`)).toContain('segment')
    },
  )
})

describe('the limits of a provider', () => {
  it.each<[string, object]>([
    ['rate: { requests: 10, per: second }', { requests: 10, perMs: 1_000, burst: 1 }],
    ['rate: { requests: 90, per: minute, burst: 5 }', { requests: 90, perMs: 60_000, burst: 5 }],
    ['rate: { requests: 900, per: hour }', { requests: 900, perMs: 3_600_000, burst: 1 }],
  ])('is the rate of requests: %s', (lines, rate) => {
    expect(configure(lines)).toMatchObject({ ok: true, provider: { limits: { rate } } })
  })

  it.each(['http://api.test/a/../b', 'http://api.test/./a', 'http://api.test/a//b', 'http://api.test/%2e%2e/b'])(
    'do not allow the base URL %s, which would change on the way',
    (base) => {
      expect(problemsOf('', { key, base })).toContain('segment, which is lost on the way')
    },
  )
})
