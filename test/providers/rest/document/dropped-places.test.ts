import { describe, expect, it } from 'vitest'
import { configureText } from '../../../builders/workspaces/rest.ts'

/* A place under `drop` that no request can send back would change nothing: it is refused where it is written. */

const attributes = [
  'name: { required: true, immutable: true }, note: {}, secret: { writeOnly: true }, made: { computed: true }',
  'rows: { type: set, key: [n], element: { type: object, attributes: { n: {}, id: { computed: true }, in: { type: list, element: { type: object, attributes: { k: {} } } } } } }',
  'tags: { type: list, element: {} }',
  'size: { type: number, path: spec.size, send: spec.size }',
  'labels: { type: map, element: {} }',
  'slots: { type: map, element: { type: object, attributes: { w: {} } } }',
  'free: { type: any, partial: true }, whole: { type: any }',
  'pairs: { type: map, element: {}, pairs: { key: k, value: v } }',
].join(', ')

const documentOf = (
  method: string,
  part: string,
  attrs = attributes,
) => `provider: { id: api, baseUrl: "http://a.test" }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: POST, path: /things }
      update: { method: ${method}, path: "/things/{name}" }
      delete: { method: DELETE, path: "/things/{name}" }
      set: { method: ${method}, path: "/things/{name}/rows/{el.n}" }
      remove: { method: DELETE, path: "/things/{name}/rows/{el.n}" }
      add: { method: POST, path: "/things/{name}/rows" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        attributes: { ${attrs} }
        ${part}
`

/** The problems of a document, as far as they are about `drop` or `upsert`, with what to do. */
const told = (text: string): readonly string[] => {
  const configured = configureText(text, {})
  const issues = configured.ok ? [] : configured.issues
  return issues.map(({ message, fix }) => `${message} | ${fix}`).filter((each) => !/\{el\.n\}/.test(each))
}

const toldOf = (method: string, send: string, place: string): string =>
  told(documentOf(method, `write: { op: update, send: ${send}, drop: ["${place}"] }`)).join('\n')

const ways = [
  ['PATCH', 'changed'],
  ['PATCH', 'full'],
  ['PATCH', 'changed, keeps: true'],
  ['PATCH', 'mergePatch'],
  ['PATCH', 'jsonPatch'],
  ['PUT', 'changed'],
  ['PUT', 'full'],
  ['PUT', 'object'],
] as const

describe('a place that is dropped', () => {
  it.each(['rows.*.id', '/rows/*/id', 'rows.*.other', 'rows.*.in.*.id', '/rows/*/in/*/a.b', 'pairs.*.id'])(
    'is taken with each way to send, inside of the elements of a list: %s',
    (place) => {
      expect(ways.map(([method, send]) => toldOf(method, send, place))).toEqual(ways.map(() => ''))
    },
  )

  it.each<[string, string]>([
    ['spec.uid', 'in an object that holds the value of an attribute'],
    ['slots.*.uid', 'in a value of a map'],
    ['labels.own', 'a key of a map'],
    ['free.uid', 'in a JSON that is declared in part'],
  ])('is taken where objects are sent whole, and refused where their members are: %s, %s', (place) => {
    const messages = ways.map(([method, send]) => toldOf(method, send, place))
    const refused = `no request sends "${place}" back: of what was read it sends lists, with all that was read of their elements | remove it from drop`
    expect(messages).toEqual(['', '', refused, refused, refused, '', '', ''])
  })

  it.each(['created_at', 'made', 'name', 'secret', '/made/deeper'])(
    'is taken outside of attributes only where the whole object is sent: %s',
    (place) => {
      const messages = ways.map(([method, send]) => toldOf(method, send, place))
      expect(messages.slice(0, 5).map((each) => each.startsWith(`no request sends "${place}" back: `))).toEqual(
        ways.slice(0, 5).map(() => true),
      )
      expect(messages.slice(5)).toEqual(['', '', ''])
    },
  )

  it.each<[string, string]>([
    [
      'note',
      '"note" is sent as it is declared, and a target without it would take it for removed | remove it from drop, or set computed: true on the attribute if only the server sets it',
    ],
    [
      'rows.*.n',
      '"n" is sent as it is declared, and a target without it would take it for removed | remove it from drop, or set computed: true on the attribute if only the server sets it',
    ],
    [
      'spec',
      '"size" is sent as it is declared, and a target without it would take it for removed | remove it from drop, or set computed: true on the attribute if only the server sets it',
    ],
    [
      'labels.*',
      '"labels" is sent as it is declared, and a target without it would take it for removed | remove it from drop, or set computed: true on the attribute if only the server sets it',
    ],
    [
      'pairs.*.v',
      '"v" is sent as it is declared, and a target without it would take it for removed | remove it from drop, or set computed: true on the attribute if only the server sets it',
    ],
    ['rows.id', '"rows" is a list, whose elements have no names | write rows.*.id: * is any element'],
    ['/rows/0/id', '"rows" is a list, whose elements have no names | write rows.*.id: * is any element'],
    ['rows.*', 'without elements of "rows" the target would remove them | name a member of theirs, such as rows.*.id'],
    ['rows.*.n.x', '"rows.*.n" is a string, and there is nothing inside of it | remove it from drop'],
    ['tags.*.id', '"tags.*" is a string, and there is nothing inside of it | remove it from drop'],
    [
      'whole.id',
      '"whole" is any JSON, and all of it is declared | set partial: true if the server has members of its own in it, or remove it from drop',
    ],
  ])('is refused with each way to send, with what to write: %s', (place, message) => {
    expect(ways.map(([method, send]) => toldOf(method, send, place))).toEqual(ways.map(() => message))
  })

  it('is refused where the body of the write has nothing of what was read', () => {
    const write = 'write: { op: update, body: { rows: "{desired.rows}" }, drop: [rows.*.id] }'
    const rows =
      'name: { immutable: true, required: true }, rows: { type: list, element: { type: object, attributes: { n: {} } } }'
    expect(told(documentOf('PATCH', write, rows))).toEqual([
      'this write sends nothing back that could be dropped | remove drop',
    ])
  })
})

describe('a place that a collection drops', () => {
  const collectionOf = (write: string) =>
    `collection: { field: rows, path: data.rows, key: [n], element: { n: {}, note: {}, in: { type: list, element: { type: object, attributes: { k: {} } } } }, write: ${write} }`
  const toldBy = (method: string, write: string) =>
    told(documentOf(method, collectionOf(write), 'name: { immutable: true }')).join('\n')

  it.each<[string, string, string, string]>([
    [
      'in all of them',
      'PATCH',
      '{ op: update, body: { r: "{all}" }, drop: [data.rows.*.id, /data/rows/*/in/*/id] }',
      '',
    ],
    ['in one', 'PUT', '{ each: { create: add, update: set, remove: remove }, drop: [data.rows.*.id] }', ''],
    [
      'inside of a member of one',
      'PATCH',
      '{ each: { create: add, update: set, remove: remove }, drop: [data.rows.*.in.*.id] }',
      '',
    ],
    [
      'a member that a PATCH of one does not send',
      'PATCH',
      '{ each: { create: add, update: set, remove: remove }, drop: [data.rows.*.id] }',
      'no request sends "data.rows.*.id" back: a PATCH of one element sends what is declared of it, with all that was read inside of that | remove it from drop',
    ],
    [
      'elements that nothing changes',
      'PATCH',
      '{ each: { create: add, remove: remove }, drop: [data.rows.*.id] }',
      'this write sends nothing back that could be dropped | remove drop',
    ],
    [
      'elements that are only removed',
      'PATCH',
      '{ op: update, body: { gone: "{removes}" }, drop: [data.rows.*.id] }',
      'this write sends nothing back that could be dropped | remove drop',
    ],
    [
      'a place outside of the list',
      'PATCH',
      '{ op: update, body: { r: "{all}" }, drop: [rows.*.id] }',
      'no request sends "rows.*.id" back: of what was read it sends lists, with all that was read of their elements | remove it from drop',
    ],
  ])('is taken or refused by what its requests send: %s', (_, method, write, message) => {
    expect(toldBy(method, write)).toBe(message)
  })

  it.each<[string, string]>([
    [
      '{ n: "{el.n}", note: "{el.note?}", in: "{el.in}" }',
      'this form has of an element what "{el}" has, and what it does not name is sent back as it was read | remove upsert; what the target refuses belongs under drop, such as data.rows.*.id',
    ],
    ['{ n: "{el.n}", note: "{el.note}", in: "{el.in}", kind: fixed }', ''],
    ['"{el}"', ''],
  ])('may need a form of each element, which is refused if it changes nothing: %s', (upsert, message) => {
    expect(toldBy('PATCH', `{ op: update, body: { r: "{all}" }, upsert: ${upsert} }`)).toBe(message)
  })
})
