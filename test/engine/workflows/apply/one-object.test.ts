import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import type { ThingsOptions } from '../../../builders/servers/things-api.ts'
import { aDocument, aType, aWorld } from '../../../semantics/world.ts'

/* Resources that write to one object of the target: each finds what the one before it left, and nothing else is lost. */

interface Way {
  readonly method?: string
  readonly send?: string
  readonly lock?: string
  readonly server?: ThingsOptions
}

const typeOf = (attributes: string, { method = 'PUT', send = 'object', lock = '' }: Way): string =>
  aType(attributes, lock)
    .replace('update: { method: PUT', `update: { method: ${method}`)
    .replace('send: object', `send: ${send}`)

const there = { name: 'a', size: '1', color: 'red', note: 'old', of: { others: [1] }, generation: 1 }

const aCut = (way: Way, live: JsonObject = there) =>
  aWorld({
    document: aDocument({
      size: typeOf('size: {}', way),
      color: typeOf('color: { default: "" }\nnote: { default: "" }', way),
    }),
    resources: [
      { type: 'api_size', name: 'one', spec: { name: 'a', size: '2' } },
      { type: 'api_color', name: 'two', spec: { name: 'a', color: 'blue', note: 'new' } },
    ],
    live: { a: live },
    ...(way.server && { server: way.server }),
  })

const etag: Way = { lock: 'lock: { etag: true }', server: { etag: 'header' } }
const generation: Way = { lock: 'lock: { field: generation, send: generation }', server: { generation: 'generation' } }

/** A server that wants the version in the query. */
const counted: ThingsOptions['route'] = ({ method, url, body }, state) => {
  const [path = '', query = ''] = url.split('?')
  if (method === 'GET') return undefined
  const { generation: now } = JSON.parse(state.get(path) ?? '{}') as { generation: number }
  if (query !== `version=${now}`) return { status: 409, body: `{"error":"it is ${now}"}` }
  state.set(path, JSON.stringify({ ...JSON.parse(body), generation: now + 1 }))
  return { status: 200, body: '{}' }
}

describe.each<[string, Way]>([
  ['a PUT of the whole object', {}],
  ['a PUT of the whole object with an ETag', etag],
  ['a PUT of the whole object with a generation', generation],
  [
    'a PUT with a version in its URL',
    { lock: 'lock: { field: generation, query: version }', server: { route: counted } },
  ],
  ['a PUT of all attributes', { send: 'full' }],
  ['a PUT of all attributes with an ETag', { send: 'full', ...etag }],
  ['a PATCH', { method: 'PATCH', send: 'changed' }],
  ['a PATCH with an ETag', { method: 'PATCH', send: 'changed', ...etag }],
  ['a merge patch with an ETag', { method: 'PATCH', send: 'mergePatch', ...etag }],
  [
    'a JSON patch with a generation',
    { method: 'PATCH', send: 'jsonPatch', lock: 'lock: { field: generation, send: generation }' },
  ],
])('two resources of one object, written by %s', (_, way) => {
  it('are as declared afterwards, and come back', async () => {
    await using site = await aCut(way)
    const { plan, apply } = await site.checkAndApply()
    expect(apply.outcomes.map(({ status, detail }) => [status, detail])).toEqual([
      ['succeeded', undefined],
      ['succeeded', undefined],
    ])
    expect(apply.status).toBe('succeeded')
    expect(site.bodyOf('a')).toMatchObject({ size: '2', color: 'blue', note: 'new', of: { others: [1] } })
    expect(plan.commands.map(({ loses }) => loses)).toEqual([undefined, undefined])
    const { apply: undo } = await site.undo(apply.id)
    expect(undo.outcomes.map(({ status, detail }) => [status, detail])).toEqual([
      ['succeeded', undefined],
      ['succeeded', undefined],
    ])
    expect(site.bodyOf('a')).toMatchObject({ size: '1', color: 'red', note: 'old', of: { others: [1] } })
  })
})

it.each([['object'], ['full']])(
  'what one of them adds is not lost by a PUT of %s that names all that was read',
  async (send) => {
    await using site = await aCut({ send }, { name: 'a', size: '1' })
    const { apply } = await site.checkAndApply()
    expect(apply.status).toBe('succeeded')
    expect(site.bodyOf('a')).toMatchObject({ size: '2', color: 'blue', note: 'new' })
  },
)

it('a body that is not made of a new read loses what others write before it, and says so', async () => {
  const document = aDocument({ size: typeOf('size: {}', {}), color: typeOf('color: { default: "" }', {}) })
  await using site = await aWorld({
    document: document.replace(
      'write: { op: update, send: object }',
      'write: { op: update, body: { size: "{desired.size}" } }',
    ),
    resources: [
      { type: 'api_size', name: 'one', spec: { name: 'a', size: '2' } },
      { type: 'api_color', name: 'two', spec: { name: 'a', color: 'blue' } },
    ],
    live: { a: { name: 'a', size: '1' } },
  })
  const { plan } = await site.check()
  const told = plan.commands.map(({ address, grade, loses }) => [address, grade, loses])
  expect(told.at(-1)).toEqual(['api_size.one', 'lossy', ['/*']])
})
