import { expect, it } from 'vitest'
import { eachOf } from '../../../builders/long.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* An object of an element whose members have defaults (`whenUndeclared: default`): where it is left out, no write adds it. */

const documentOf = (method: string, send: string): string => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: "/things/{name}" }
  update: { method: ${method}, path: "/things/{name}" }
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - name: main
    read: retrieve
    write: { op: update, send: ${send} }
    attributes:
      name: {}
      els:
        type: set
        key: [k]
        element:
          type: object
          attributes:
            k: {}
            w: {}
            n: { type: object, leftOut: true, attributes: { x: { default: "1", whenUndeclared: default } } }
`

const elements = '[{"k":"a","w":"1"},{"k":"b","w":"old","u":1},{"k":"c","w":"1","n":{"x":"9","y":2}}]'

eachOf(
  it,
  1,
)([
  ['PUT', 'full'],
  ['PUT', 'object'],
  ['PATCH', 'changed'],
])(
  'by %s, send: %s: what the plan does not show stays left out, and the undo brings back what was read',
  async (method, send) => {
    await using server = await startThings()
    const textOf = (els: string): string => `{"name":"x","els":${els}}`
    server.state.set('/things/x', textOf(elements))
    const declared = [
      { k: 'a', w: '1' },
      { k: 'b', w: 'new' },
      { k: 'c', w: '1' },
    ]
    const drive = driveThings(server, documentOf(method, send), { x: { name: 'x', els: declared } })
    const { plan, digest } = await drive.check()
    expect(plan.commands.map(({ grade, loses }) => [grade, loses])).toEqual([['reversible', undefined]])
    const { id } = await drive.apply(digest)
    expect(server.state.get('/things/x')).toBe(textOf(elements.replace('old', 'new').replace('"9"', '"1"')))
    await drive.undo(id)
    expect(server.state.get('/things/x')).toBe(textOf(elements))
  },
)
