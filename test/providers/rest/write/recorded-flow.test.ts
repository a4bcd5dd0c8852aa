import { expect, it } from 'vitest'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/*
 * Node-RED 4.1.15, whose PUT of a flow replaces all of it: its nodes, their wires, its environment. Recorded on a real one; an apply
 * there changed these two places and nothing else.
 */

const document = `
provider: { id: nodered, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  nodered_flow:
    description: "A tab with its nodes. One PUT replaces all of it."
    operations:
      retrieve: { method: GET, path: "/flow/{id}" }
      create: { method: PUT, path: "/flow/{id}" }
      update: { method: PUT, path: "/flow/{id}" }
      delete: { method: DELETE, path: "/flow/{id}" }
    identity: { keys: [id] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: full }
        attributes:
          id: { required: true, immutable: true }
          label: { required: true }
          disabled: { type: boolean, default: false }
          info: { default: "" }
          nodes:
            type: set
            key: [id]
            manage: declared
            element:
              type: object
              attributes: { id: { required: true }, type: { required: true }, name: { default: "" } }
`
const path = '/flow/cf343929fe6fa1d1'
const before =
  '{"id":"cf343929fe6fa1d1","label":"theirs2","env":[{"name":"X","value":"1","type":"str"}],"nodes":[{"id":"n1","type":"inject","name":"a","props":[{"p":"payload"}],"repeat":"","x":100,"y":80,"wires":[["n2"]],"z":"cf343929fe6fa1d1"},{"id":"n2","type":"debug","name":"b","active":true,"x":300,"y":80,"wires":[],"z":"cf343929fe6fa1d1"}],"configs":[{"id":"c1","type":"link in","name":"k","z":"cf343929fe6fa1d1"}]}'

it('a flow of Node-RED gets what is declared, and keeps its wires, its environment and the nodes of others', async () => {
  await using server = await startThings({
    route: ({ method, body }, state) => {
      if (method !== 'PUT') return undefined
      state.set(path, body)
      return { status: 200, body: '{"id":"cf343929fe6fa1d1"}' }
    },
  })
  server.state.set(path, before)
  const nodes = [{ id: 'n1', type: 'inject', name: 'renamed' }]
  const spec = { id: 'cf343929fe6fa1d1', label: 'theirs2', info: 'ours', nodes }
  const drive = driveDocument(server, document, [{ type: 'nodered_flow', name: 'theirs', spec }])
  expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
  const after = { ...(JSON.parse(before.replace('"name":"a"', '"name":"renamed"')) as object), info: 'ours' }
  expect(JSON.parse(server.state.get(path) ?? '')).toEqual(after)
  expect(server.writes()).toHaveLength(1)
  expect((await drive.check()).plan.inSync).toBe(true)
})
