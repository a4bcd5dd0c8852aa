import { expect, it } from 'vitest'
import { configureText } from '../../../builders/workspaces/rest.ts'

const document = (provider: string, more = ''): string => `
provider:
  id: api
  with: { base: { default: "http://api.test" }, who: {}, key: { secret: true } }
  baseUrl: "{with.base}"
  ${provider}
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: PUT, path: "/things/{name}" }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    discover: { op: list ${more} }
    parts: [{ name: main, read: retrieve, attributes: { name: { in: path } } }]
`
const issuesOf = (text: string) => {
  const configured = configureText(text, { who: { id: 'me' }, key: { $secret: 'env:K' } })
  return configured.ok ? [] : configured.issues.map(({ file, line, message }) => `${file}:${line} ${message}`)
}

it.each<[string, string, string?]>([
  [
    'a header of the login',
    'auth: { login: { url: /in, headers: { X-Who: "{with.who.name}" }, body: { k: "{with.key}" }, token: t } }',
  ],
  ['a part of its body', 'auth: { login: { url: /in, body: { k: "{with.key}", who: "{with.who.name}" }, token: t } }'],
  ['a variable of an object there', 'auth: { login: { url: /in, body: { k: "{with.key}", who: "{who}" }, token: t } }'],
  [
    'a field of a token request',
    'auth: { oauth2: { tokenUrl: /in, clientId: me, clientSecret: "{with.key}", parameters: { a: "{with.who.name}" } } }',
  ],
  ['a constant', 'params: { tenant: "{with.who.name}" }'],
  ['a constant of an object', 'params: { tenant: "{name}" }'],
  ['a rule about what is not ours', '', ', ignore: [{ name: "{with.who.name}" }]'],
])('a variable without a value is an error at its place: %s', (_, provider, more = '') => {
  const [issue, ...others] = issuesOf(document(provider, more))
  expect(others).toEqual([])
  expect(issue).toMatch(/^api\.provider\.yaml:(6|16) .*value/)
})

it.each([
  ['auth: { header: { name: X, template: "Key {secret}", secret: "{with.key}" } }'],
  [
    'auth: { login: { url: /in, body: { k: "{with.key}", who: "{with.who.id}" }, token: t, send: { header: A, template: "T {token}" } } }',
  ],
  ['auth: { login: { url: /in, body: { k: "{with.key}", who: "{with.who.name?}" }, token: t } }'],
  ['params: { tenant: "{{x}}" }'],
])('a variable with a value is accepted: %s', (provider) => {
  expect(issuesOf(document(provider))).toEqual([])
})
