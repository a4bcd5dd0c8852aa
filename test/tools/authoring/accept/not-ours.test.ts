import { expect, it } from 'vitest'
import { renderAccept } from '../../../../core/pages/render/plain/authoring/render-accept.ts'
import { acceptDrift } from '../../../../core/tools/authoring/accept/accept-drift.ts'
import { aDocument, aListedType, aThing, aWorld, lists } from '../../../semantics/world.ts'

/* What is not ours is not accepted: its values are those of another object. */

const start = async (more: string) => {
  const world = await aWorld({
    document: aDocument({ thing: aListedType('size: { type: number }', more) }),
    server: { route: lists },
    resources: [aThing('a', { size: 1 }), aThing('b', { size: 1 })],
  })
  const accept = (...[address, ...paths]: readonly string[]) => {
    const load = async () => ({ ...world.current.bundle, folder: '/home/me/things' })
    const deps = { ...world.deps, config: { load } }
    return acceptDrift({ workspace: 'things', paths, ...(address === undefined ? {} : { address }) }, deps)
  }
  return { ...world, accept }
}

it.each([[[]], [['api_thing.a']], [['api_thing.a', 'size']]])(
  'an object that somebody made again under its name is refused, and the others are accepted: %j',
  async (words) => {
    await using site = await start('')
    await site.checkAndApply()
    site.server.state.delete('/things/1')
    site.put('9', { id: '9', name: 'a', size: 5 })
    site.put('2', { id: '2', name: 'b', size: 6 })
    expect((await site.check()).plan.changes[0]).toMatchObject({ blocked: { reason: 'made_again' } })
    const { report, changed } = await site.accept(...words)
    expect(report.refused).toEqual([
      {
        address: 'api_thing.a',
        reason: 'not_ours',
        detail: 'the object that exists is not that of the resource',
        fix: expect.stringContaining('write import: [{ to: api_thing.a, id: { id: "9" } }]') as string,
      },
    ])
    expect(report.accepted.map(({ address }) => address)).toEqual(words.length === 0 ? ['api_thing.b'] : [])
    expect(JSON.stringify(changed)).not.toContain('"size":5')
  },
)

it('an object that was found and is not adopted is refused by its name, and left among all', async () => {
  await using site = await start('lifecycle: { adopt: false }')
  site.put('1', { id: '1', name: 'a', size: 5 })
  site.put('2', { id: '2', name: 'b', size: 1 })
  const one = await site.accept('api_thing.a', 'size')
  expect(one.report).toMatchObject({ accepted: [], refused: [{ address: 'api_thing.a', reason: 'not_ours' }] })
  const { report } = await site.accept()
  expect(report).toMatchObject({ accepted: [], refused: [], left: [{ address: 'api_thing.a', path: '' }] })
  expect(renderAccept(report)).toBe(
    'left  api_thing.a: the object that exists is not that of the resource\nnothing to accept\n',
  )
})
