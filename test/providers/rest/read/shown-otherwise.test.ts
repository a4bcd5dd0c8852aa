import { describe, expect, it } from 'vitest'
import { anApi, configureText, linesOf, planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

const text = `provider:
  id: api
  baseUrl: "http://api.test"
resources:
  api_place:
    operations:
      retrieve: { method: GET, path: "/places/{name}" }
      put: { method: PUT, path: "/places/{name}" }
      create: { method: PUT, path: "/places/{name}" }
      delete: { method: DELETE, path: "/places/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: put, send: full }
        attributes:
          name: { required: true, in: path }
          right: { readAs: { read: pull, write: push } }
          languages: { type: set, element: { readAs: { js: js-ts, ts: js-ts } } }
          wait: { type: number, default: 0, select: { in: rules, where: { type: wait } } }
`
const type = typeOf(providerOf(text, {}), 'api_place')
const showing = (body: object) => anApi({ 'GET /places/a': { body: { name: 'a', rules: [], ...body } } as never })
const planned = async (spec: object, body: object) => {
  const { read, commands } = await planOne(type, { spec: { name: 'a', ...spec } }, showing(body))
  return { read, lines: linesOf(commands) }
}

describe('a value that answers show in another form', () => {
  it('is read in its written form', async () => {
    expect((await planned({ right: 'push' }, { right: 'write' })).lines).toEqual([])
    expect((await planned({ right: 'push' }, { right: 'read' })).lines).toMatchObject([
      ['PUT /places/a', { right: 'push' }],
    ])
  })

  it.each(['custom', 'constructor', '__proto__'])(
    'stays as it is where the document does not list it: %s',
    async (right) => {
      expect((await planned({ right: 'push' }, { right })).read).toMatchObject({ attributes: { right } })
    },
  )

  it.each([
    [['js', 'js-ts', 'ts'], ['js-ts']],
    [
      ['go', 'ts'],
      ['go', 'js-ts'],
    ],
    [['js-ts'], ['js-ts']],
  ])('is one element of a set where two become equal: %j', async (languages, written) => {
    const { read, lines } = await planned({ languages: written }, { languages })
    expect(read).toMatchObject({ attributes: { languages: written } })
    expect(lines).toEqual([])
  })
})

describe('an attribute in one element of a list', () => {
  it('is read from that element', async () => {
    const rules = [
      { type: 'other', wait: 1 },
      { type: 'wait', wait: 5 },
    ]
    expect((await planned({ wait: 5 }, { rules })).lines).toEqual([])
    expect((await planned({ wait: 1 }, { rules })).lines).toMatchObject([['PUT /places/a', { wait: 1 }]])
  })

  it('has its default where the element is missing', async () => {
    expect((await planned({ wait: 0 }, { rules: [{ type: 'other', wait: 1 }] })).lines).toEqual([])
  })

  it.each([
    ['there are two of them', { rules: [{ type: 'wait', wait: 0 }, { type: 'wait' }] }],
    ['the list is missing', { rules: undefined }],
    ['the list is none', { rules: { type: 'wait' } }],
  ])('is unknown where %s', async (_, body) => {
    const { read, lines } = await planned({ wait: 0 }, body)
    expect(read).toMatchObject({ kind: 'unknown', reason: 'bad_body' })
    expect(lines).toEqual([])
  })

  it.each(['object', 'jsonPatch', 'mergePatch'])('is refused where it is not written in its place: %s', (send) => {
    const configured = configureText(text.replace('send: full', `send: ${send}`), {})
    expect(configured.ok ? '' : configured.issues[0]?.message).toContain('"wait" is an element of a list')
  })
})
