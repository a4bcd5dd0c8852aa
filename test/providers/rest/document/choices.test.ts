import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { anApi, configureText, linesOf, planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

/* One document for versions of an API that want other forms: the workspace says which, and bodies choose by it. */

const declared = 'form: { default: text, values: [text, object] }'
const chosen =
  '{ $choose: "{with.form}", text: "{desired.owner}", object: { url: "{desired.owner}", by: "{with.by?}" } }'

const documentText = (body: string, given = declared) => `
provider:
  id: api
  with: { ${given}, by: { default: me } }
  baseUrl: http://api.test
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: POST, path: /things }
      move: { method: POST, path: "/things/{name}/move" }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    actions: { move: { on: [owner], op: move, body: ${body} } }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true }, owner: {} } }]
`

const sent = async (given: JsonObject, body = `{ to: ${chosen}, all: [${chosen}] }`) => {
  const type = typeOf(providerOf(documentText(body), given), 'api_thing')
  const api = anApi({ 'GET /things/a': { body: { name: 'a', owner: 'x' } } })
  const { commands } = await planOne(type, { spec: { name: 'a', owner: 'y' } }, api)
  return linesOf(commands, 'http://api.test')
}

const problems = (text: string, given: JsonObject = {}): string => {
  const configured = configureText(text, given)
  return configured.ok ? '' : configured.issues.map(({ message, fix }) => `${message}; ${fix}`).join('\n')
}

describe('a choice in a body', () => {
  it.each<[string, JsonObject, unknown]>([
    ['the default of the setting', {}, 'y'],
    ['what the workspace gives', { form: 'object' }, { url: 'y', by: 'me' }],
  ])('is made by %s, at any depth', async (_what, given, form) => {
    expect(await sent(given)).toEqual([['POST /things/a/move', { to: form, all: [form] }]])
  })

  it('needs no value of a variable that only another member uses', async () => {
    const body = '{ to: { $choose: "{with.form}", text: none, object: "{before.name} {desired.owner}" } }'
    expect(await sent({}, body)).toEqual([['POST /things/a/move', { to: 'none' }]])
  })
})

describe('a choice that cannot be made', () => {
  it.each<[string, string, RegExp]>([
    ['by no setting', '{ to: { $choose: "{desired.owner}", text: 1, object: 2 } }', /the choice by \{desired.owner\}/],
    ['by more than a setting', '{ to: { $choose: "a {with.form}", text: 1, object: 2 } }', /the choice by a \{with/],
    ['by a setting without values', '{ to: { $choose: "{with.by}", me: 1 } }', /the choice by \{with.by\}/],
    ['with a member too few', '{ to: [{ $choose: "{with.form}", text: 1 }] }', /has the members text; choose by/],
    ['with another member', '{ to: { $choose: "{with.form}", text: 1, list: 2 } }', /has the members text, list/],
    ['without members', '{ to: { $choose: "{with.form}" } }', /has no members/],
  ])('%s is an error of the document', (_what, body, says) => {
    expect(problems(documentText(body))).toMatch(says)
  })

  it.each<[string, JsonObject, string]>([
    ['what the workspace gives', { form: 'list' }, declared],
    ['the default', {}, 'form: { default: list, values: [text, object] }'],
  ])('is refused where %s is none of the values', (_what, given, setting) => {
    expect(problems(documentText(`{ to: ${chosen} }`, setting), given)).toContain(
      '"form" is list; it takes: text, object',
    )
  })
})
