import { expect, it } from 'vitest'
import { anApi, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

const document = `
provider: { id: hosts, baseUrl: "http://api.test" }
resources:
  hosts_host:
    operations:
      list: { method: GET, path: "/hosts" }
      kind: { method: GET, path: "/hosts/{name}/kind" }
      power: { method: GET, path: "/hosts/{name}/power" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    lifecycle: { mode: reference }
    parts:
      - { name: main, read: list, attributes: { name: {}, size: { type: number, computed: true, appliesWhen: { kind: [real] } } } }
      - { name: kind, read: kind, attributes: { kind: { computed: true } } }
      - { name: power, read: power, appliesWhen: { kind: [real] }, attributes: { power: { computed: true } } }
`

it('an attribute that depends on an unreadable condition is unknown too', async () => {
  const transport = anApi({
    'GET /hosts': { body: [{ name: 'a', size: 3 }] },
    'GET /hosts/a/kind': { status: 403, body: {} },
    'GET /hosts/a/power': { body: { power: 'on' } },
  })
  const type = typeOf(providerOf(document, {}), 'hosts_host')
  const found = await type.read({ address: 'hosts_host.a', attributes: { name: 'a' } }, { transport })
  expect(found).toMatchObject({
    kind: 'present',
    unread: { kind: { reason: 'forbidden' }, size: { reason: 'forbidden' }, power: { reason: 'forbidden' } },
  })
})
