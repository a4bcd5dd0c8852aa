import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { anApi, linesOf, planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

/* The writes of the worked outcomes W1-W11 of a Waldur project: its customer changes by a call, all else by a PATCH. */
const document = `
provider: { id: waldur, baseUrl: "http://api.test", pagination: { style: link } }
resources:
  waldur_project:
    operations:
      list: { method: GET, path: "/projects/" }
      retrieve: { method: GET, path: "/projects/{uuid}/" }
      create: { method: POST, path: "/projects/", produces: { uuid: uuid } }
      update: { method: PATCH, path: "/projects/{uuid}/" }
      move: { method: POST, path: "/projects/{uuid}/move_project/" }
      delete: { method: DELETE, path: "/projects/{uuid}/" }
    identity: { keys: [customer, name] }
    lookup:
      list: { query: { name_exact: "{name}" } }
      match: [customer, name]
      where: { is_removed: false }
    serverId: { uuid: uuid }
    lifecycle: { preventDelete: true, onImmutable: report }
    actions:
      move: { on: [customer], op: move, body: { customer: "{desired.customer}", preserve_permissions: true } }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes:
          name: {}
          customer: {}
          description: { normalise: [trim] }
          endDate: { path: end_date, send: end_date }
          kind: { immutable: true }
`
const project = {
  uuid: 'p1',
  name: 'P',
  customer: 'http://api.test/customers/c1/',
  description: 'old',
  end_date: '2026-12-31',
  kind: 'default',
  is_removed: false,
}
const base = { name: 'P', customer: project.customer }
const other = 'http://api.test/customers/c2/'
const patch = 'PATCH /projects/p1/'

const linesFor = async (spec: JsonObject, live: Json = project, more: object = {}) => {
  const api = anApi({
    'GET /projects/?name_exact=P': { status: 200, body: live === null ? [] : [live] },
    ...(live === null ? {} : { 'GET /projects/p1/': { status: 200, body: live } }),
  })
  const type = typeOf(providerOf(document, {}), 'waldur_project')
  const { commands, planned } = await planOne(type, { spec: { ...base, ...spec }, ...more }, api)
  return { lines: linesOf(commands), commands, change: planned.change }
}

describe('a project', () => {
  it.each<[string, JsonObject, Json, object, readonly unknown[]]>([
    ['W1', { description: 'd' }, null, {}, [['POST /projects/', { ...base, description: 'd' }]]],
    ['W2', {}, project, {}, []],
    [
      'W3',
      { description: ' new ', endDate: '2027-01-31' },
      project,
      {},
      [[patch, { description: 'new', end_date: '2027-01-31' }]],
    ],
    ['W7', {}, { ...project, is_removed: true }, {}, [['POST /projects/', base]]],
    ['W8', {}, project, { absent: true }, [['DELETE /projects/p1/']]],
    ['W9', { endDate: null }, project, {}, [[patch, { end_date: null }]]],
    ['W10', { customer: other }, project, {}, [['POST /projects/', { name: 'P', customer: other }]]],
    [
      'W11',
      { customer: other, description: 'new' },
      project,
      { ids: { uuid: 'p1' } },
      [
        ['POST /projects/p1/move_project/', { customer: other, preserve_permissions: true }],
        [patch, { description: 'new' }],
      ],
    ],
  ])('gets the requests that the worked example %s promises', async (_id, spec, live, more, lines) => {
    expect((await linesFor(spec, live, more)).lines).toEqual(lines)
  })

  it('W4 is blocked where it is of another kind', async () => {
    expect(await linesFor({ kind: 'course' })).toMatchObject({
      lines: [],
      change: { blocked: { reason: 'immutable' } },
    })
  })

  it('W11 can be moved back', async () => {
    const { commands } = await linesFor({ customer: other }, project, { ids: { uuid: 'p1' } })
    expect(commands).toMatchObject([
      {
        grade: 'reversible',
        inverse: { method: 'POST', body: { customer: project.customer, preserve_permissions: true } },
      },
    ])
  })
})
