import { expect, it } from 'vitest'
import { checkProvider } from '../../../core/tools/authoring/check-provider.ts'

const documentOf = (update: string, write = '', attributes = 'size: {}, color: {}'): string => `
provider: { id: api, baseUrl: "https://api.test", pagination: { style: none } }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      update: ${update}
      create: { method: PUT, path: "/things/{name}" }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update${write} }
        attributes: { name: { in: path, required: true }, made: { computed: true, immutable: true }, ${attributes} }
`
const warned = (...facts: Parameters<typeof documentOf>) =>
  checkProvider({ name: 'api.provider.yaml', text: documentOf(...facts) }).findings

const below = '{ method: PUT, path: "/things/{name}/settings" }'

it('warns of a PUT below the object whose place in the answer nothing tells', () => {
  expect(warned(below)).toMatchObject([
    {
      severity: 'warning',
      code: 'replacesUnknown',
      line: 15,
      message: expect.stringContaining('PUT /things/{name}/settings replaces'),
      fix: expect.stringContaining('keeps: true'),
    },
  ])
})

it.each<[string, Parameters<typeof documentOf>]>([
  ['its path tells it', [below, '', 'size: { path: settings.size }']],
  ['its body tells it', [below, '', 'size: { path: config.size, send: size }']],
  ['the server keeps the rest', [below, ', keeps: true']],
  [
    'it is one of several things below',
    ['{ method: PUT, path: "/things/{name}/sizes/{name}" }', '', 'size: {}, color: {}'],
  ],
  ['it merges', ['{ method: PATCH, path: "/things/{name}/settings" }']],
  ['it is the object', ['{ method: PUT, path: "/things/{name}" }']],
])('says nothing where %s', (_, facts) => expect(warned(...facts)).toEqual([]))

it.each(['', ', keeps: true', ', send: full'])(
  'warns of an attribute inside of the answer, sent at the top of the body%s',
  (write) => {
    const inside = 'size: { path: spec.size }, kind: { path: spec.kind, computed: true }'
    expect(warned('{ method: PUT, path: "/things/{name}" }', write, inside)).toMatchObject([
      {
        severity: 'warning',
        code: 'sentOutside',
        line: 16,
        fix: 'say where the body has it: send: spec.size, or send: size',
      },
    ])
  },
)

it.each([
  ['', 'size: { path: spec.size, send: spec.size }'],
  ['', 'size: { path: spec.size, send: size }'],
  [', send: object', 'size: { path: spec.size }'],
  [', body: { spec: "{fields}" }', 'size: { path: spec.size }'],
])('says nothing where the place is known: write%s, %s', (write, attributes) =>
  expect(warned('{ method: PUT, path: "/things/{name}" }', write, attributes)).toEqual([]),
)
