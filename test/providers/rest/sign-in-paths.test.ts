import { describe, expect, it } from 'vitest'
import { configureText } from '../../builders/rest.ts'

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

describe('a sign-in, which a check sends', () => {
  it.each(['PUT', 'PATCH', 'DELETE', 'put', 'HEAD'])('is never a %s', (method) => {
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
  it.each(spellings)('goes to no path of an operation: %s', (url) => {
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
  ])('goes to none under another name of the host: %s', (url) => {
    expect(problemsOf(login(url, 'POST', 'otherHost: true,'))).toContain('is that of an operation')
  })

  it.each(['/login', '/', '/users/a/b', '/v1/login', '/users-login', '/users/a/keyring', '/users/a/keys'])(
    'may go elsewhere: %s',
    (url) => {
      expect(problemsOf(login(url))).toBe('')
      expect(problemsOf(login(url, 'GET'))).toBe('')
    },
  )
})
