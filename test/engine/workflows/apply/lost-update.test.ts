import { expect, it } from 'vitest'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* An update was done, and its answer is lost: what then appears is what was sent, and nobody else has changed it. */

const document = `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_key:
    operations:
      retrieve: { method: GET, path: "/keys/{name}" }
      create: { method: PUT, path: "/keys/{name}", body: "{fields}" }
      update: { method: PUT, path: "/keys/{name}", body: "{fields}" }
      delete: { method: DELETE, path: "/keys/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: full }
        attributes: { name: { required: true, in: path }, text: { default: "" }, note: { default: "" } }
`

it.each([
  ['what was sent', { text: '2' }, []],
  ['what others wrote', { text: '3' }, ['api_key.k']],
  ['what was sent, and more', { text: '2', note: 'theirs' }, ['api_key.k']],
])('after an update without an answer, %s is told as a change of others only if it is', async (_, found, drift) => {
  let isDown = false
  await using server = await startThings({
    route: ({ method, url, body }, state) => {
      if (isDown) return { status: 500, body: '{}' }
      if (method !== 'PUT') return undefined
      isDown = state.has(url)
      state.set(url, JSON.stringify({ name: 'k', ...JSON.parse(body) }))
      return isDown ? { status: 504, body: '{}' } : { status: 200, body: state.get(url) ?? '' }
    },
  })
  const key = (text: string) => ({ type: 'api_key', name: 'k', spec: { name: 'k', text, note: 'n' } })
  const drive = driveDocument(server, document, [key('1')])
  await drive.apply((await drive.check()).digest)
  drive.want([key('2')])
  expect((await drive.apply((await drive.check()).digest)).status).toBe('failed')
  isDown = false
  server.state.set('/keys/k', JSON.stringify({ name: 'k', note: 'n', ...found }))
  expect((await drive.check()).plan.drift.map(({ address }) => address)).toEqual(drift)
})
