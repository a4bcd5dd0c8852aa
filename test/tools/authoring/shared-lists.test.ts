import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { checkProvider, initProvider } from '../../../core/tools/authoring/check-provider.ts'

const json = (schema: Json): JsonObject => ({ content: { 'application/json': { schema } } })

/** Keys whose list shows of whom they are, or says so in words. */
const described = (members: JsonObject, path = '/keys'): JsonObject => {
  const properties = { uuid: { type: 'string', readOnly: true }, name: { type: 'string' }, ...members }
  const key = { type: 'object', properties }
  const sent = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
  return {
    openapi: '3.1.0',
    info: { title: 'Keys' },
    paths: {
      [path]: {
        get: { responses: { 200: json({ type: 'array', items: key }) } },
        post: { requestBody: json(sent), responses: { 201: json(key) } },
      },
      [`${path}/{uuid}`]: {
        get: { responses: { 200: json(key) } },
        patch: { requestBody: json(sent), responses: { 200: json(key) } },
        delete: { responses: { 204: {} } },
      },
    },
  }
}

const text = { type: 'string' }

const document = (keys: string, lookup: string, more = '', path = '/keys', list = '') => `provider:
  { id: keys, with: { user: { default: u } }, baseUrl: "https://api.test", pagination: { style: none }, me: { read: { method: GET, path: /me }, as: { uuid: uuid } } }
resources:
  api_key:
    operations:
      list: { method: GET, path: "${path}"${list} }
      retrieve: { method: GET, path: "/keys/{uuid}" }
      create: { method: POST, path: /keys }
      update: { method: PATCH, path: "/keys/{uuid}" }
      delete: { method: DELETE, path: "/keys/{uuid}" }
    identity: { keys: [${keys}] }
    lookup: ${lookup}
    serverId: { uuid: uuid }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: { required: true }, owner: { immutable: true } } }]
${more}`

const warnings = (source: string, description?: JsonObject): readonly string[] =>
  checkProvider(
    { name: 'api.yaml', text: source },
    description && { name: 'api.json', text: JSON.stringify(description) },
  ).findings.map(({ severity, message }) => `${severity}: ${message}`)

const shared = (members: string) =>
  `warning: the list /keys may hold objects of others: its items have an owner (${members}), but no key and no filter uses it`

describe('a list that may contain the objects of others', () => {
  it.each([
    ['by its name', 'name', '{ list: {}, match: [name] }', '', [shared('owner')]],
    ['the owner is a key', 'owner, name', '{ list: {}, match: [owner, name] }', '', []],
    ['the owner must be the caller', 'name', '{ list: {}, match: [name], where: { owner: "{me.uuid}" } }', '', []],
    ['the list is filtered by an owner', 'name', '{ list: { query: { owner_uuid: u1 } }, match: [name] }', '', []],
    ['the list is filtered by the caller', 'name', '{ list: { query: { of: "{me.uuid}" } }, match: [name] }', '', []],
    ['by what the workspace gives', 'name', '{ list: { query: { of: "{with.user}" } }, match: [name] }', '', []],
    [
      'another filter says nothing',
      'name',
      '{ list: { query: { name: "{name}" } }, match: [name] }',
      '',
      [shared('owner')],
    ],
    ['nothing is taken over', 'name', '{ list: {}, match: [name] }', '    lifecycle: { adopt: false }', []],
    [
      'all of them are listed',
      'name',
      '{ list: { query: { owner: u1 } }, match: [name] }',
      '    discover: { op: list }',
      [shared('owner')],
    ],
  ])('gets a warning unless something narrows it: %s', (_, keys, lookup, more, expected) => {
    expect(warnings(document(keys, lookup, more))).toEqual(expected)
  })

  it.each(['/me/keys', '/user/keys', '/users/current/keys', '/my-keys', '/users/{with.user}/keys'])(
    'gets no warning where it belongs to the caller, or to one object: %s',
    (path) => {
      expect(warnings(document('name', '{ list: {}, match: [name] }', '', path))).toEqual([])
    },
  )

  it.each([
    ['user_uuid', text],
    ['createdBy', text],
    ['whose', { type: 'string', description: 'The user that this key belongs to.' }],
  ])('is recognised by the description too: %s', (member, schema) => {
    const source = document('name', '{ list: {}, match: [name] }').replace(', owner: { immutable: true }', '')
    expect(warnings(source, described({ [member]: schema }))).toContain(shared(member))
    expect(warnings(source, described({ colour: text }))).toEqual([])
  })

  it.each([
    ['an owner', described({ user: text }), { adopt: false }],
    ['no owner', described({ colour: text }), undefined],
    ['a list of the caller', described({ user: text }, '/user/keys'), undefined],
  ])('makes the draft of a document adopt nothing where it cannot know: %s', (_, description, lifecycle) => {
    const made = initProvider({ name: 'api.json', text: JSON.stringify(description) }, {}).text
    expect(Object.values<{ lifecycle?: unknown }>(parse(made).resources)[0]?.lifecycle).toEqual(lifecycle)
    expect(made.includes('# decide: the list may hold objects of others (user)')).toBe(lifecycle !== undefined)
    expect(warnings(made, description)).toEqual([])
  })
})
