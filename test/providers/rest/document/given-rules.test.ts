import { describe, expect, it } from 'vitest'
import { anApi, configureText, planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

const text = `provider:
  id: things
  with: { own: {}, region: { default: eu } }
  baseUrl: "http://api.test"
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things }
      create: { method: POST, path: /things }
      update: { method: PATCH, path: /things }
      delete: { method: DELETE, path: /things }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name], where: { region: "{with.region}" } }
    discover: { op: list, ignore: [{ name: "{with.own}" }] }
    parts:
      - name: main
        read: list
        write: { op: update }
        attributes:
          name: { required: true }
          members:
            type: set
            key: [id]
            ignore: [{ id: "{with.own}" }, { id: "{name}" }]
            element: { type: object, attributes: { id: { required: true } } }
`
const type = typeOf(providerOf(text, { own: 'me' }), 'api_thing')
const item = (name: string, region: string, ...ids: string[]) => ({ name, region, members: ids.map((id) => ({ id })) })

describe('a value of the workspace under `with`', () => {
  const api = () =>
    anApi({ 'GET /things': { body: [item('one', 'us'), item('one', 'eu', 'me', 'one', 'other'), item('me', 'eu')] } })

  it('can be used in rules for foreign elements, beside values of the object itself', async () => {
    const { commands } = await planOne(type, { spec: { name: 'one', members: [{ id: 'other' }] } }, api())
    expect(commands).toEqual([])
    const gone = await planOne(type, { spec: { name: 'one', members: [] } }, api())
    expect(gone.commands).toHaveLength(1)
  })

  it('can be used in rules for foreign objects', async () => {
    const target = { address: 'api_thing.one', attributes: { name: 'one' } }
    const listed = await type.list?.([target], { transport: api() })
    expect(listed).toMatchObject({ objects: [{ identity: { name: 'one' } }, { identity: { name: 'one' } }] })
  })

  it('must be declared in the document', () => {
    const configured = configureText(text.replace('{ id: "{with.own}" }', '{ id: "{with.onw}" }'), { own: 'me' })
    expect(configured.ok ? '' : configured.issues[0]?.message).toBe('nothing gives {with.onw} a value')
  })
})
