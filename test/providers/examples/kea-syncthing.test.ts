import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../core/engine/schema/json.ts'
import { anApi, linesOf, planOne, providerOf, typeOf } from '../../builders/workspaces/rest.ts'

const read = (example: string) =>
  readFileSync(new URL(`../../../examples/${example}/${example}.provider.yaml`, import.meta.url), 'utf8')
const secret = { $secret: 'env:KEY' }
const kea = typeOf(providerOf(read('kea'), { baseUrl: 'http://api.test', user: 'kea', password: secret }), 'kea_dhcp4')
const answering = (answer: Json) => anApi({ 'POST /': { body: [answer] } })
const config = {
  'valid-lifetime': 4000,
  loggers: [{ name: 'kea-dhcp4' }],
  subnet4: [{ id: 1, subnet: '192.0.2.0/24', 'valid-lifetime': 4000, 't1-percent': 0.5, reservations: [] }],
}

describe('an API with one address for all commands', () => {
  it('is asked by POST for its contents, which are written back with the differences', async () => {
    const api = answering({ result: 0, arguments: { Dhcp4: config } })
    const spec = { 'valid-lifetime': '2h', subnet4: [{ id: 1, subnet: '192.0.2.0/24' }] }
    const { read: found, commands } = await planOne(kea, { spec }, api)
    expect(found).toMatchObject({ kind: 'present', attributes: { 'valid-lifetime': 4000 } })
    expect(api.sent.map(({ effect, body }) => [effect, body])).toEqual([
      ['read', { command: 'config-get', service: ['dhcp4'] }],
    ])
    expect(linesOf(commands).map(([line, body]) => [line, (body as { command: string }).command])).toEqual([
      ['POST /', 'config-set'],
      ['POST /', 'config-write'],
    ])
    expect(JSON.stringify(commands[0]?.request.body)).toContain('"/valid-lifetime":7200')
  })

  it.each([1, 2, 3])(
    'makes a resource unchecked, with its words, where it answers 200 with the result %s',
    async (result) => {
      const { read: found } = await planOne(kea, { spec: {} }, answering({ result, text: 'the server is offline' }))
      expect(found).toMatchObject({
        kind: 'unknown',
        detail: expect.stringMatching(/means 400: the server is offline$/),
      })
    },
  )
})

it('a folder of Syncthing is shared with the instance itself, which nobody declares', async () => {
  const given = { baseUrl: 'http://api.test', apiKey: secret, device: 'OWN' }
  const folder = typeOf(providerOf(read('syncthing'), given), 'syncthing_folder')
  const shares = ['OWN', 'LAPTOP'].map((deviceID) => ({ deviceID, introducedBy: '', encryptionPassword: '' }))
  const api = anApi({
    'GET /rest/config/folders/docs': { body: { id: 'docs', label: 'Docs', path: '/srv/docs', devices: shares } },
    'GET /rest/db/ignores?folder=docs': { body: { error: null, ignore: null } },
  })
  const spec = { id: 'docs', path: '/srv/docs', devices: [{ deviceID: 'laptop' }], ignore: [] }
  expect((await planOne(folder, { spec }, api)).commands).toEqual([])
  const { commands } = await planOne(folder, { spec: { ...spec, devices: [] } }, api)
  expect(commands).toHaveLength(1)
})
