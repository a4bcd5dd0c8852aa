import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import type { ThingsOptions } from '../../../builders/servers/things-api.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aThing, aWorld } from '../../../semantics/world.ts'

const tagOf = (text = ''): string => `"${createHash('sha256').update(text).digest('hex').slice(0, 12)}"`

const counted = 'size: { type: number }\ngeneration: { type: number, computed: true }'

/** An apply that made `a` larger and created `b`, on a server that compares versions. */
const start = async (attributes: string, more: string, server: ThingsOptions) => {
  const world = await aWorld({
    ...{ attributes, more, server },
    resources: [aThing('a', { size: 2 }), aThing('b', { size: 1 })],
    live: { a: { size: 1, note: 'first', ...(server.generation && { generation: 7 }) } },
  })
  const { apply } = await world.checkAndApply()
  expect(apply.status).toBe('succeeded')
  world.clock.forward(60_000)
  const planned = () => planUndoOf({ workspace: 'things', applyId: apply.id, trigger: 'cli', actor }, world.deps)
  return { ...world, planned }
}

describe('the undo on a server that compares versions', () => {
  it('is sent with the ETag of what is there now, and keeps what nobody declares', async () => {
    await using site = await start('size: { type: number }', 'lock: { etag: true }', { etag: 'header' })
    // Somebody else has changed what nobody declares, and with it the version.
    site.put('a', { size: 2, note: 'second' })
    const now = new Map([...site.server.state].map(([path, text]) => [path, tagOf(text)]))
    const { plan } = await site.planned()
    site.clock.forward(1_000)
    expect(await site.apply(plan.digests.commands)).toMatchObject({ status: 'succeeded' })
    const sent = site.server.writes().slice(-2)
    expect(sent.map(({ method, url, headers }) => [method, url, headers['if-match']])).toEqual([
      ['DELETE', '/things/b', now.get('/things/b')],
      ['PUT', '/things/a', now.get('/things/a')],
    ])
    expect(site.bodyOf('a')).toEqual({ size: 1, note: 'second' })
  })

  it('is sent with the generation of what is there now', async () => {
    const lock = 'lock: { field: generation, send: generation }'
    await using site = await start(counted, lock, { generation: 'generation' })
    site.put('a', { size: 2, note: 'second', generation: 12 })
    const { plan } = await site.planned()
    site.clock.forward(1_000)
    expect(await site.apply(plan.digests.commands)).toMatchObject({ status: 'succeeded' })
    expect(site.server.lines().at(-1)).toEqual(['PUT /things/a', { size: 1, note: 'second', generation: 12 }])
  })

  it.each([
    ['ETag', 'size: { type: number }', 'lock: { etag: true }', { etag: 'header' }],
    ['generation', counted, 'lock: { field: generation, send: generation }', { generation: 'generation' }],
  ] as const)(
    'is refused by the server if the object moves after our last read: %s',
    async (_, attributes, lock, server) => {
      await using site = await start(attributes, lock, server)
      const { plan } = await site.planned()
      site.clock.forward(1_000)
      const moved = { size: 9, note: 'third', ...('generation' in server && { generation: 40 }) }
      site.server.behaviour.before = ({ method, url }) => {
        if (method === 'PUT' && url === '/things/a') site.put('a', moved)
      }
      const apply = await site.apply(plan.digests.commands)
      expect(apply).toMatchObject({ status: 'failed' })
      expect(apply.outcomes).toContainEqual(expect.objectContaining({ command: 'api_thing.a#1', status: 'failed' }))
      expect(site.bodyOf('a')).toEqual(moved)
    },
  )
})
