import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { planOne, providerOf, typeOf } from '../workspaces/rest.ts'
import { hold } from './hold.ts'
import { type Way, ways } from './shape.ts'

/* One object with one attribute `v`, and the write that a declaration of it makes. */

export const documentOf = ({ send, method, ...way }: Way, facts: string) => `
provider: { id: api, baseUrl: "http://api.test", reads: { leftOut: true } }
resources:
  api_thing:
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
        write: { op: update, send: ${send}${'keeps' in way ? ', keeps: true' : ''} }
        attributes: { name: { required: true, immutable: true }, note: {}, v: ${facts} }
`

export const wayOf = (send: Way['send'], server: Way['server']): Way => {
  const way = ways.find((each) => each.send === send && each.server === server)
  if (way === undefined) throw new Error(`nothing is sent as ${send} to ${server}`)
  return way
}

export const plan = async (way: Way, facts: string, there: Json, declared: JsonObject) => {
  const type = typeOf(providerOf(documentOf(way, facts), {}), 'api_thing')
  const before = { name: 'one', note: 'old', ...(there === undefined ? {} : { v: there }) }
  const target = hold({ way, members: {}, addsOwn: false }, before)
  const { commands } = await planOne(type, { spec: { name: 'one', ...declared } }, target.transport)
  const [command] = commands
  if (command === undefined) throw new Error('nothing differs')
  await target.write(type, command.request)
  const after = target.held.state['v'] ?? null
  return { command, after }
}
