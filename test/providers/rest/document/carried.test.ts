import { expect, it } from 'vitest'
import type { Issue } from '../../../../core/engine/schema/issue.ts'
import { configureText } from '../../../builders/workspaces/rest.ts'

/* What can be declared is in a request: otherwise a plan shows a change that nothing makes, and an apply says "done". */

interface Facts {
  readonly create?: string
  readonly update?: string
  readonly write?: string
  readonly attributes?: string
  readonly more?: string
  readonly calls?: string
}

const issuesOf = ({
  create = '{ method: POST, path: /things }',
  update = '{ method: PATCH, path: "/things/{id}" }',
  write = '{ op: update }',
  attributes = 'name: {}, size: {}',
  more = '',
  calls = '',
}: Facts): readonly Issue[] => {
  const text = `
provider: { id: api, baseUrl: "http://api.test" }
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{id}" }
      create: ${create}
      update: ${update}
      on: { method: PUT, path: "/things/{id}/on", body: none }
      off: { method: DELETE, path: "/things/{id}/on" }
${calls}
      delete: { method: DELETE, path: "/things/{id}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    parts:
      - { name: main, read: retrieve, write: ${write}, attributes: { ${attributes} } }
${more}
`
  const configured = configureText(text, {})
  return configured.ok ? [] : configured.issues
}

const problemsOf = (facts: Facts): readonly string[] => issuesOf(facts).map(({ message }) => message.replace(/;.*/, ''))

const unsent = (name: string, op = 'create') => `"${name}" can be declared and "${op}" sends it nowhere`

it.each<[string, Facts, readonly string[]]>([
  ['all attributes', {}, []],
  ['all attributes in an envelope', { create: '{ method: POST, path: /things, body: { a: "{fields}" } }' }, []],
  [
    'a part of them',
    {
      create: '{ method: POST, path: /things, body: { a: "{fields.a}" } }',
      attributes: 'name: { path: a.name, send: a.name }, size: { path: a.size, send: a.size }',
    },
    [],
  ],
  [
    'another part of them',
    {
      create: '{ method: POST, path: /things, body: { a: "{fields.a}" } }',
      attributes: 'name: { path: a.name, send: a.name }, size: {}',
    },
    [unsent('size')],
  ],
  ['each by its name', { create: '{ method: POST, path: /things, body: { n: "{name}", s: "{desired.size}" } }' }, []],
  [
    'one in the query',
    { create: '{ method: POST, path: /things, query: { n: "{name}" }, body: { s: "{size}" } }' },
    [],
  ],
  [
    'only the name of another object',
    {
      create: '{ method: POST, path: /things, body: { s: "{refs.size.name}" } }',
      attributes: 'name: {}, size: { ref: { type: api_thing, emit: id } }',
    },
    [unsent('name')],
  ],
  ['only one', { create: '{ method: POST, path: /things, body: { n: "{name}" } }' }, [unsent('size')]],
  ['none', { create: '{ method: POST, path: /things, body: none }' }, [unsent('name'), unsent('size')]],
  [
    'those that no update sends',
    {
      create: '{ method: POST, path: /things, body: { n: "{name}" } }',
      attributes: 'name: {}, size: { sendOn: update }',
    },
    [],
  ],
  ['a key that no body has and no path either', { attributes: 'name: { in: path }, size: {}' }, [unsent('name')]],
  [
    'a key that the path has',
    { create: '{ method: PUT, path: "/things/{name}" }', attributes: 'name: { in: path }, size: {}' },
    [],
  ],
  [
    'what scopes another attribute',
    {
      attributes:
        'name: {}, room: { in: path }, size: { ref: { type: api_thing, emit: id, scope: { room: "{room}" } } }',
    },
    [],
  ],
  [
    'what the server makes',
    {
      create: '{ method: POST, path: /things, body: { n: "{name}" } }',
      attributes: 'name: {}, size: { computed: true }',
    },
    [],
  ],
])('a create sends %s', (_, facts, expected) => {
  expect(problemsOf(facts)).toEqual(expected)
})

it.each<[string, Facts, readonly string[]]>([
  ['all attributes', {}, []],
  [
    'a template with both',
    { write: '{ op: update, send: template, body: { n: "{desired.name}", s: "{desired.size}" } }' },
    [],
  ],
  [
    'a template with the former value of one',
    { write: '{ op: update, send: template, body: { n: "{desired.name}", s: "{size}" } }' },
    ['"update" sends the former value of "size": that is what {size} is in a request that changes it'],
  ],
  [
    'a template with one',
    { write: '{ op: update, send: template, body: { n: "{desired.name}" } }' },
    [unsent('size', 'update')],
  ],
  [
    'a template with one, where the other cannot change',
    {
      write: '{ op: update, send: template, body: { n: "{desired.name}" } }',
      attributes: 'name: {}, size: { immutable: true }',
    },
    [],
  ],
  [
    'a switch by the call itself',
    {
      more: '      - { name: on, read: retrieve, onCreate: after, write: { op: on, remove: off }, attributes: { on: { type: boolean } } }',
    },
    [],
  ],
  [
    'a number by a call that cannot have it',
    {
      more: '      - { name: on, read: retrieve, onCreate: after, write: { op: on, remove: off }, attributes: { on: { type: number } } }',
    },
    [unsent('on', 'on')],
  ],
])('an update sends %s', (_, facts, expected) => {
  expect(problemsOf(facts)).toEqual(expected)
})

it.each<[string, string, readonly string[]]>([
  ['the value that is asked for', '{ on: [size], op: resize, body: { s: "{desired.size}", was: "{size}" } }', []],
  ['the former value by its own name', '{ on: [size], op: resize, body: { was: "{before.size}" } }', []],
  ['the name of the object', '{ on: [size], op: resize, body: { n: "{name}" } }', []],
  [
    'what it is about only for some values',
    '{ on: [size], when: { size: [l] }, op: resize, body: { from: "{size}" } }',
    [],
  ],
  ['what it goes along with', '{ on: [size], alongside: true, op: resize, body: { was: "{size}" } }', []],
  [
    'the former value for the new one',
    '{ on: [size], op: resize, body: { s: "{size}" } }',
    ['"resize" sends the former value of "size": that is what {size} is in a request that changes it'],
  ],
])('a call sends %s', (_, action, expected) => {
  const facts = {
    calls: '      resize: { method: POST, path: "/things/{id}/resize" }',
    more: `    actions: { resize: ${action} }`,
  }
  expect(problemsOf(facts)).toEqual(expected)
})

const elements = (add: string, set?: string): Facts => ({
  calls: `
      add: { method: POST, path: "/things/{id}/rules", body: ${add} }
${set === undefined ? '' : `      set: { method: PUT, path: "/things/{id}/rules/{el.id}", body: ${set} }`}
      drop: { method: DELETE, path: "/things/{id}/rules/{el.id}" }`,
  more: `      - { name: rules, read: retrieve, onCreate: after, collection: { field: rules, key: [name], element: { name: {}, note: {}, id: { computed: true } }, write: { each: { create: add, ${set === undefined ? '' : 'update: set, '}remove: drop } } } }`,
})
it.each<[string, Facts, readonly string[]]>([
  ['all members', elements('"{el}"', '"{changed}"'), []],
  ['all members in an envelope', elements('{ rule: "{el}" }'), []],
  ['each by its name', elements('{ n: "{el.name}", o: "{el.note}" }', '{ o: "{el.note}" }'), []],
  ['the key, and what it does not have', elements('{ of: "{key}", o: "{el.note}" }'), []],
  ['only the key', elements('{ of: "{key}" }'), [unsent('note', 'add')]],
  ['a name of the object around', elements('{ n: "{name}", o: "{el.note}" }'), [unsent('name', 'add')]],
  ['nothing when it changes', elements('"{el}"', 'none'), [unsent('note', 'set')]],
])('a call for one element sends %s', (_, facts, expected) => {
  expect(problemsOf(facts)).toEqual(expected)
})

it('what no create sends is not mended by what it is already', () => {
  const facts = {
    create: '{ method: POST, path: /things, body: { n: "{name}" } }',
    attributes: 'name: {}, size: { immutable: true }',
  }
  expect(problemsOf(facts)).toEqual([unsent('size')])
  expect(issuesOf(facts).map(({ fix }) => fix)).toEqual([
    'name it in the path, the query or the body of the operation, or set computed: true or sendOn: update',
  ])
})
