import { describe, expect, it } from 'vitest'
import { checkProvider } from '../../../core/tools/authoring/check-provider.ts'

const documentOf = ({ provider = '', list = '', resolver = '' }): string => `
provider: { id: api, baseUrl: "https://api.test"${provider} }
${resolver === '' ? '' : `resolvers: { user: { list: { method: GET, path: /users${resolver} }, name: login } }`}
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things${list} }
      retrieve: { method: GET, path: "/things/{id}" }
      labels: { method: GET, path: "/things/{id}/labels"${list} }
      update: { method: PATCH, path: "/things/{id}" }
      addLabel: { method: POST, path: "/things/{id}/labels" }
      dropLabel: { method: DELETE, path: "/things/{id}/labels/{key.name}" }
      create: { method: POST, path: /things, produces: { id: id } }
      delete: { method: DELETE, path: "/things/{id}" }
    identity: { keys: [name] }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    discover: {}
    parts:
      - { name: main, read: retrieve, write: { op: update }, attributes: { name: { required: true } } }
      - name: labels
        read: { op: labels, list: { as: labels } }
        onCreate: after
        collection:
          field: labels
          key: [name]
          element: { name: { required: true } }
          write: { each: { create: addLabel, remove: dropLabel } }
`
const warned = (facts: Parameters<typeof documentOf>[0]) =>
  checkProvider({ name: 'api.provider.yaml', text: documentOf(facts) }).findings

const none = ', pagination: { style: none }'

describe('a document that does not say whether its lists come in pages', () => {
  it('gets one warning that names the lists', () => {
    expect(warned({ resolver: ' ' })).toMatchObject([
      {
        severity: 'warning',
        code: 'unpaged',
        line: 2,
        message: 'nothing says whether these lists come in pages: GET /things, GET /things/{id}/labels, GET /users',
        fix: expect.stringContaining('`pagination: { style: none }`'),
      },
    ])
  })

  it.each([
    ['for all', { provider: none }],
    ['for each list', { list: none }],
  ])('gets none where it says so %s', (_, facts) => {
    expect(warned(facts)).toEqual([])
  })

  it('is warned of the lists that are left', () => {
    expect(warned({ list: none, resolver: ' ' }).map(({ message }) => message)).toEqual([
      'nothing says whether these lists come in pages: GET /users',
    ])
  })
})
