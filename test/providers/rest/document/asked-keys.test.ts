import { expect, test } from 'vitest'
import { configureText } from '../../../builders/workspaces/rest.ts'

const messages = (operation: string, more = ''): readonly string[] => {
  const configured = configureText(
    `
provider: { id: api, baseUrl: "http://api.test" }
resources:
  api_thing:
    operations:
      retrieve: { ${operation} }
      update: { method: PUT, path: "/zones/{zone}/things" }
      create: { method: POST, path: "/zones/{zone}/things" }
      delete: { method: DELETE, path: /thing }
    identity: { keys: [zone, name] }
    lookup: { retrieve: true }
    parts:
      - { name: main, read: retrieve, write: { op: update, send: object }, attributes: { zone: { in: path }, name: { immutable: true }, note: {} } }
${more}`,
    {},
  )
  return configured.ok ? [] : configured.issues.map(({ message }) => message)
}

test.each([
  ['the path', 'method: GET, path: "/zones/{zone}/things/{name}"'],
  ['the query', 'method: GET, path: "/things/{name}", query: { zone: "{zone}" }'],
  ['the body', 'method: POST, effect: read, path: "/things/{name}", body: { zone: "{zone}" }'],
])('a read asks for each key, here in %s', (_, operation) => expect(messages(operation)).toEqual([]))

test('a read that does not ask for a key would read one object for many resources', () =>
  expect(messages('method: GET, path: "/things/{name}"')).toEqual([
    '"retrieve" does not ask for the key "zone": each resource would read the same object',
  ]))

test('settings that exist once are asked for by nothing', () =>
  expect(messages('method: GET, path: /thing', '    lifecycle: { single: true }')).toEqual([]))
