import { describe, expect, it } from 'vitest'
import { configureText } from '../../../builders/workspaces/rest.ts'

const document = (auth: string): string => `
provider:
  id: api
  baseUrl: "{with.base}"
  with: { base: {}, key: { secret: true }, path: { default: /login } }
  auth: { ${auth} }
resources:
  api_user:
    operations:
      list: { method: GET, path: /users }
      retrieve: { method: GET, path: "/users/{name}" }
      create: { method: PUT, path: "/users/{name}" }
      key: { method: POST, path: "/users/{name}/keys-{with.path}" }
      delete: { method: DELETE, path: "/users/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, write: { op: create }, attributes: { name: {}, kind: {} } }]
`
const problemsOf = (auth: string, given: Record<string, string> = {}, base = 'http://api.test/v1'): string => {
  const configured = configureText(document(auth), { base, key: { $secret: 'env:KEY' }, ...given })
  return configured.ok ? '' : configured.issues.map(({ message }) => message).join('\n')
}
const login = (url: string, method = 'POST', more = ''): string =>
  `login: { method: ${method}, url: ${JSON.stringify(url)}, ${more} body: { k: "{with.key}" }, token: t }`

describe('a sign-in request, which a check sends', () => {
  it.each(['PUT', 'PATCH', 'DELETE', 'put', 'HEAD'])('cannot be a %s', (method) => {
    expect(problemsOf(login('/login', method))).not.toBe('')
  })

  const spellings = [
    '/users',
    '/users/',
    '/users/mallory',
    '/users/mallory/',
    '/USERS/Mallory',
    '/users/%6dallory',
    '/%75sers',
    '/%2575sers',
    '/users%2Fmallory',
    '/users;v=1/mallory',
    '/users/mallory.json',
    '/users/mallory?x=1',
    '/users/mallory#x',
    '/users/mallory/keys-ssh',
    '/users\\mallory',
    'http://api.test/v1/users/mallory',
    'HTTP://API.test:80/v1/users/mallory',
  ]
  it.each(spellings)('cannot go to the path of an operation: %s', (url) => {
    expect(problemsOf(login(url))).toMatch(/is that of an operation|is no http/)
    expect(problemsOf(login('{with.path}'), { path: url })).toMatch(/is that of an operation|is no http/)
    expect(
      problemsOf(`oauth2: { tokenUrl: ${JSON.stringify(url)}, clientId: me, clientSecret: "{with.key}" }`),
    ).toMatch(/is that of an operation|is no http/)
  })

  it.each([
    'http://127.0.0.1/v1/users/mallory',
    'http://api.test./v1/users/mallory',
    'http://proxy.test/users/mallory',
  ])('cannot go to an operation under another name of the host: %s', (url) => {
    expect(problemsOf(login(url, 'POST', 'otherHost: true,'))).toContain('is that of an operation')
  })

  it.each(['/login', '/', '/users/a/b', '/v1/login', '/users-login', '/users/a/keyring', '/users/a/keys'])(
    'can go elsewhere: %s',
    (url) => {
      expect(problemsOf(login(url))).toBe('')
      expect(problemsOf(login(url, 'GET'))).toBe('')
    },
  )
})

/** An API with one address; `login` and the operations as a case says. */
const rpc = (login: string, operations: string, body = '{fields}'): string => `
provider:
  id: rpc
  baseUrl: "{with.base}"
  with: { base: {}, key: { secret: true }, call: { default: logout } }
  auth: { login: { url: /rpc, ${login} token: result } }
resources:
  rpc_user:
    operations: { ${operations} }
    identity: { keys: [name] }
    lifecycle: { preventDelete: true }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, write: { op: update, body: ${body} }, attributes: { name: {}, kind: { sendOn: update } } }]
`
const rpcProblems = (text: string): string => {
  const configured = configureText(text, { base: 'http://api.test', key: { $secret: 'env:KEY' } })
  return configured.ok ? '' : configured.issues.map(({ message }) => message).join('\n')
}
const call = (name: string, effect: string, more = ''): string =>
  `{ method: POST, path: /rpc, effect: ${effect}, body: { method: ${name}, params: { name: "{name}" } } ${more} }`
const operations = (read = 'user.get', create = 'user.create', update = 'user.update'): string =>
  `retrieve: ${call(read, 'read')}, create: ${call(create, 'write')}, update: ${call(update, 'write')}`
const signIn = (name: string): string => `body: { method: ${name}, params: { password: "{with.key}" } },`
const own = '{ method: user.update, params: "{fields}" }'
describe('an API whose calls share one address', () => {
  it.each<[string, string]>([
    ['JSON-RPC', rpc(signIn('user.login'), operations(), own)],
    [
      'a text of a header',
      rpc(
        'body: { password: "{with.key}" }, headers: { X-Action: login },',
        operations().replaceAll(/body: \{ method: ([\w.]+),/g, 'headers: { x-action: $1 }, body: {'),
        '{ params: "{fields}" }',
      ),
    ],
  ])('signs in there by a call that no operation makes: %s', (_, text) => {
    expect(rpcProblems(text)).toBe('')
  })

  it.each<[string, string]>([
    ['it is the call of a write', rpc(signIn('user.create'), operations(), own)],
    ['in another case', rpc(signIn('" User.Create "'), operations(), own)],
    ['it is the call of a read', rpc(signIn('user.get'), operations(), own)],
    [
      'the name of a write stands elsewhere in it',
      rpc(signIn('x').replace('{ password', '{ method: user.create, password'), operations(), own),
    ],
    [
      'or is given by the workspace',
      rpc(signIn('x').replace('{ password', '{ a: "{with.call}", password'), operations('a', 'logout'), own),
    ],
    ['its call is given by the workspace', rpc(signIn('"{with.call}"'), operations(), own)],
    ['it does not say what is called', rpc('body: { password: "{with.key}" },', operations(), own)],
    ['an operation does not say it', rpc(signIn('user.login'), operations().replace('method: user.update,', ''), own)],
    ['the body of a part does not', rpc(signIn('user.login'), operations())],
    [
      'the body of a part says another thing',
      rpc(signIn('user.login'), operations(), '{ method: user.login, params: "{fields}" }'),
    ],
    [
      'the body of a part takes it from the object',
      rpc(signIn('user.login'), operations(), '{ method: "{kind}", params: "{fields}" }'),
    ],
    ['it tells no read from a write', rpc(signIn('user.login'), operations('same', 'same'), own)],
    [
      'nothing reads there',
      rpc(signIn('user.login'), operations().replace('path: /rpc, effect: read', 'path: /get, effect: read'), own),
    ],
    [
      'nothing writes there: a kind of object it may be',
      rpc(
        signIn('user.login'),
        `retrieve: ${call('user.get', 'read')}, create: { method: POST, path: /users }, update: { method: PUT, path: /users }`,
      ),
    ],
    [
      'objects are written there beside the calls',
      rpc(signIn('user.login'), `${operations()}, list: { method: GET, path: /rpc }`, own),
    ],
    [
      'what all writes hold is a member like any other',
      rpc(
        'body: { kind: robot, name: mallory, password: "{with.key}" },',
        'retrieve: { method: GET, path: "/rpc/{name}" }, create: { method: POST, path: /rpc, body: { kind: user, name: "{name}" } }, update: { method: POST, path: /rpc, body: { kind: user } }',
        '{ kind: user, name: "{name}" }',
      ),
    ],
  ])('does not sign in where %s', (_, text) => {
    expect(rpcProblems(text)).toContain('is that of an operation')
  })
})
