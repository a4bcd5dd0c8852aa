import { expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { checkProvider } from '../../../core/tools/authoring/check-provider.ts'

const json = (schema: Json): JsonObject => ({ content: { 'application/json': { schema } } })
const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required: [...required],
})
const [text, number] = [{ type: 'string' }, { type: 'integer' }]
const rule = object({ name: text, port: number }, ['name'])
const thing = object({ id: text, name: text, owner: text, rules: { type: 'array', items: rule } })
const done = { responses: { 204: {} } }

const description: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Api' },
  paths: {
    '/things': {
      get: { responses: { 200: json({ type: 'array', items: thing }) } },
      post: { requestBody: json(object({ name: text })), ...done },
    },
    '/things/{id}': { get: { responses: { 200: json(thing) } }, delete: done },
    '/things/{id}/move': {
      post: { requestBody: json(object({ to: object({ owner: text }), reason: text }, ['reason'])), ...done },
    },
    '/things/{id}/rules': { post: { requestBody: json(object({ rules: { type: 'array', items: rule } })), ...done } },
    '/things/{id}/some-rules': {
      get: { responses: { 200: json(object({ results: { type: 'array', items: rule } })) } },
    },
    '/things/{id}/all-rules': { put: { requestBody: json({ type: 'array', items: rule }), ...done } },
    '/things/{id}/number': { put: { requestBody: json(number), ...done } },
    '/things/{id}/rule': { post: { requestBody: json(rule), ...done } },
  },
}

const document = ({
  move = '{ on: [owner], op: move, body: { to: { owner: "{desired.owner}" }, reason: wanted } }',
  element = '{ name: { required: true }, port: { type: number } }',
  write = '{ op: setRules, body: { rules: "{all}" } }',
  owner = '{ sendOn: update }',
  read = 'retrieve',
}): string => `provider: { id: api, baseUrl: "https://api.test", pagination: { style: none } }
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{id}" }
      create: { method: POST, path: /things, body: { name: "{name}" } }
      delete: { method: DELETE, path: "/things/{id}" }
      move: { method: POST, path: "/things/{id}/move" }
      setRules: { method: POST, path: "/things/{id}/rules" }
      setAll: { method: PUT, path: "/things/{id}/all-rules" }
      setNumber: { method: PUT, path: "/things/{id}/number" }
      rules: { method: GET, path: "/things/{id}/some-rules" }
      addRule: { method: POST, path: "/things/{id}/rule" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    lifecycle: { adopt: false }
    actions: { move: ${move} }
    parts:
      - { name: main, read: retrieve, attributes: { name: { immutable: true }, owner: ${owner} } }
      - { name: rules, read: ${read}, onCreate: after, collection: { field: rules, key: [name], element: ${element}, write: ${write} } }
`

const check = (changed: Parameters<typeof document>[0]) =>
  checkProvider(
    { name: 'api.yaml', text: document(changed) },
    { name: 'api.json', text: JSON.stringify(description) },
  ).findings.map(({ severity, message }) => `${severity}: ${message}`)

const move = 'move (POST /things/{id}/move)'
const setRules = 'setRules (POST /things/{id}/rules)'
const addRule = 'addRule (POST /things/{id}/rule)'
const each = '{ each: { create: addRule, remove: addRule } }'

it.each<[string, Parameters<typeof document>[0], readonly string[]]>([
  ['an action as described', {}, []],
  [
    'an action without what it requires',
    { move: '{ on: [owner], op: move, body: { to: { owner: "{desired.owner}" } } }' },
    [`warning: ${move} requires "reason", but no attribute sends it`],
  ],
  [
    'an action with another member',
    { move: '{ on: [owner], op: move, body: { target: "{desired.owner}", reason: x } }' },
    [`warning: the request of ${move} has no "target"`],
  ],
  [
    'an action with another member inside',
    { move: '{ on: [owner], op: move, body: { to: { user: "{desired.owner}" }, reason: x } }' },
    [`warning: the request of ${move} has no "user"`],
  ],
  [
    'an action that sends its attributes',
    { move: '{ on: [owner], op: move }' },
    [`warning: the request of ${move} has no "owner"`, `warning: ${move} requires "reason", but no attribute sends it`],
  ],
  [
    'an action with a value of another type',
    { owner: '{ sendOn: update, type: number }' },
    ['warning: "owner" is number here, but string in the request'],
  ],
  [
    'an action that is one value of another type',
    { move: '{ on: [owner], op: setNumber, body: "{desired.owner}" }' },
    ['warning: "owner" is string here, but integer in the request'],
  ],
  ['a collection as described', { write: each }, []],
  ['a collection that is the whole of it', { write: '{ op: setAll, body: "{all}" }' }, []],
  [
    'a collection that is the whole of it, with a member that is none',
    {
      write: '{ op: setAll, body: "{all}" }',
      element: '{ name: { required: true }, port: { type: number }, colour: {} }',
    },
    ['warning: the request of setAll (PUT /things/{id}/all-rules) has no "colour"'],
  ],
  [
    'a member of its elements that is none',
    { element: '{ name: { required: true }, port: { type: number }, colour: {} }' },
    [`warning: the request of ${setRules} has no "colour"`],
  ],
  [
    'a member of another type',
    { element: '{ name: { required: true }, port: {} }' },
    ['warning: "port" is string here, but integer in the request'],
  ],
  [
    'elements that are written one by one',
    { write: each, element: '{ name: { required: true }, port: { type: number }, colour: {} }' },
    [`warning: the request of ${addRule} has no "colour"`],
  ],
])('the body of a request is compared: %s', (_, changed, warnings) => {
  const found = check(changed).filter((each) => !each.includes('the response of') && !each.includes('in the response'))
  expect(found).toEqual(expect.arrayContaining([...warnings]))
  expect(found.filter((each) => each.includes('request'))).toHaveLength(
    warnings.filter((each) => each.includes('request')).length,
  )
  if (warnings.length === 0) expect(found).toEqual([])
})

const list = '{ op: rules, list: { as: rules, items: results } }'

it.each<[string, Parameters<typeof document>[0], readonly string[]]>([
  ['as described', { read: list, write: each }, []],
  [
    'with a member that its elements do not have',
    {
      read: list,
      write: each,
      element: '{ name: { required: true }, port: { type: number }, colour: { computed: true } }',
    },
    ['warning: the response of rules (GET /things/{id}/some-rules) has no "colour"'],
  ],
  [
    'at a place where the answer has none',
    { read: '{ op: rules, list: { as: rules } }', write: each },
    ['warning: the response of rules (GET /things/{id}/some-rules) is not a list in the description'],
  ],
])('a part that is a whole list is compared: %s', (_, changed, expected) => expect(check(changed)).toEqual(expected))
