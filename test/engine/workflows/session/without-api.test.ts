import { expect, it } from 'vitest'
import { aDocument, aThing, aType, aWorld } from '../../../semantics/world.ts'

/* Settings that only the pages of a target have: told once, never compared, and never lost in silence. */

const more = `
withoutApi: { banner: The text above the page., theme: Its colours. }
`
const document = aDocument({ thing: aType('size: { type: number }', more) })

it('attributes without an API are one note of the run, however many resources declare them', async () => {
  await using world = await aWorld({
    document,
    resources: [
      aThing('a', { size: 1, banner: 'one' }),
      aThing('b', { size: 1, banner: 'two', theme: null }),
      aThing('c', { size: 1 }),
    ],
  })
  await world.checkAndApply()
  const { plan } = await world.check()
  expect(plan).toMatchObject({ inSync: true, changes: [], unchecked: [] })
  expect(plan.notes).toMatchObject([
    {
      code: 'withoutApi',
      level: 'info',
      message: 'the API of "api" cannot read or write banner, theme of api_thing: not checked',
    },
  ])
  const sent = JSON.stringify([...world.server.state.values()])
  expect(sent).toContain('size')
  expect(sent).not.toMatch(/banner|theme/)
})

it('attributes without an API add no note where nobody declares them, and an unknown name is still an error', async () => {
  await using quiet = await aWorld({ document, resources: [aThing('a', { size: 1 })] })
  await quiet.checkAndApply()
  expect((await quiet.check()).plan.notes).toBeUndefined()
  await using wrong = await aWorld({ document, resources: [aThing('a', { size: 1, baner: 'x' })] })
  await expect(wrong.check()).rejects.toThrow(/baner/)
})

it('attributes without an API cannot be attributes of a part: a document with both is refused', async () => {
  const both = aDocument({ thing: aType('size: { type: number }\nbanner: {}', more) })
  await using world = await aWorld({ document: both, resources: [aThing('a')] })
  await expect(world.check()).rejects.toThrow(/the attribute ..?banner..? is declared twice/)
})
