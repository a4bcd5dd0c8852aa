import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* What nobody names is kept beside lists of secrets, of which only digests are known. */

const documentOf = (write: string, facts: string): string => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: POST, path: "/things/{name}" }
  update: { method: PUT, path: "/things/{name}" }
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - name: main
    read: retrieve
    write: { op: update, ${write} }
    attributes:
      name: { immutable: true }
      vars: { type: object, attributes: { tier: {}, http: { type: object, attributes: { port: { type: number } } }, tokens: ${facts} } }
`

const secret = (name: string): JsonObject => ({ secret: `env:${name}` })

const list = '{ type: list, element: { sensitive: true } }'
const set = '{ type: set, element: { sensitive: true } }'
const objects = '{ type: list, element: { type: object, attributes: { id: {}, sec: { sensitive: true } } } }'

const others = '"unn":{"deep":[1,2.0]},"http":{"port":80,"vhost":"v"}'

/** [kind of list, facts, what is there, what is declared, what is there afterwards] */
type Row = readonly [string, string, string, Json, string]
const rows: readonly Row[] = [
  [
    'a list of which one goes and one stays',
    list,
    '["t-1","changed"]',
    [secret('ONE'), secret('TWO')],
    '["t-1","t-2"]',
  ],
  ['a list of which the first goes', list, '["changed","t-2"]', [secret('ONE'), secret('TWO')], '["t-1","t-2"]'],
  ['a list that becomes shorter', list, '["t-1","t-2"]', [secret('ONE')], '["t-1"]'],
  ['a list that becomes longer', list, '["t-1"]', [secret('ONE'), secret('TWO')], '["t-1","t-2"]'],
  ['a list of which all go', list, '["x","y"]', [secret('ONE')], '["t-1"]'],
  ['a list that becomes empty', list, '["x","y"]', [], '[]'],
  ['a list with equal secrets', list, '["x","x","t-1"]', [secret('ONE'), secret('TWO')], '["t-1","t-2"]'],
  ['a list in another order', list, '["t-2","t-1"]', [secret('ONE'), secret('TWO')], '["t-1","t-2"]'],
  ['a set of which one goes and one stays', set, '["t-1","changed"]', [secret('ONE'), secret('TWO')], '["t-1","t-2"]'],
  [
    'objects of which one secret changes',
    objects,
    '[{"id":"a","sec":"t-1","u":{"k":1}},{"id":"b","sec":"changed","u":{"k":2}}]',
    [
      { id: 'a', sec: secret('ONE') },
      { id: 'b', sec: secret('TWO') },
    ],
    '[{"id":"a","sec":"t-1","u":{"k":1}},{"id":"b","sec":"t-2","u":{"k":2}}]',
  ],
  [
    'lists of lists',
    `{ type: list, element: ${list} }`,
    '[["t-1","changed"],["t-2"]]',
    [[secret('ONE'), secret('TWO')], [secret('TWO')]],
    '[["t-1","t-2"],["t-2"]]',
  ],
  [
    'a map of lists',
    `{ type: map, element: ${list} }`,
    '{"a":["t-1","changed"],"b":["t-2"]}',
    { a: [secret('ONE'), secret('TWO')], b: [secret('TWO')] },
    '{"a":["t-1","t-2"],"b":["t-2"]}',
  ],
  ['anything', '{ type: any, sensitive: true }', '["t-1","changed"]', secret('ONE'), '"t-1"'],
]

describe.each(['send: changed', 'send: full', 'send: object'])('with %s, nothing is lost beside', (write) => {
  eachOf(it, 4)(rows)('whatever becomes of %s', async (_, facts, there, declared, after) => {
    for (const tier of ['gold', 'silver']) {
      await using server = await startThings()
      server.state.set('/things/x', `{"name":"x","vars":{"tier":"silver",${others},"tokens":${there}},"more":1.0}`)
      const drive = driveThings(server, documentOf(write, facts), {
        x: { name: 'x', vars: { tier, http: { port: 80 }, tokens: declared } },
      })
      drive.secrets['env:ONE'] = 't-1'
      drive.secrets['env:TWO'] = 't-2'
      const { plan, digest } = await drive.check()
      const { status } = await drive.apply(digest)
      expect(server.state.get('/things/x')).toBe(
        `{"name":"x","vars":{"tier":"${tier}",${others},"tokens":${after}},"more":1.0}`,
      )
      expect([status, plan.commands.flatMap(({ loses }) => loses ?? [])]).toEqual(['succeeded', []])
      expect(JSON.stringify(plan)).not.toMatch(/t-[12]|"changed"/)
    }
  })
})
