import { expect, it } from 'vitest'
import { gardens, startGardens } from '../../../builders/servers/gardens-api.ts'

const named = (name: string, slug: string) => ({ ...gardens.garden, name, spec: { slug, note: 'ours' } })

it('two addresses that exchange names which never change are told the way out, and it works without a request', async () => {
  await using world = await startGardens([named('one', 'rose'), named('two', 'lily')])
  const before = [...world.state]
  const swapped = [named('one', 'lily'), named('two', 'rose')]
  world.want(swapped)
  const { changes, unchecked, details } = await world.look()
  expect([changes, unchecked]).toEqual([[], ['ambiguous park_garden.one', 'ambiguous park_garden.two']])
  const wayOut = expect.stringContaining('with moved: one of them to a third address first')
  expect(details).toEqual([wayOut, wayOut])
  const move = (from: string, to: string) => ({ moved: [{ from: `park_garden.${from}`, to: `park_garden.${to}` }] })
  world.want([named('third', 'rose'), named('two', 'lily')], move('one', 'third'))
  expect((await world.look()).plan.inSync).toBe(true)
  world.want([named('third', 'rose'), named('one', 'lily')], move('two', 'one'))
  expect((await world.look()).plan.inSync).toBe(true)
  world.want(swapped, move('third', 'two'))
  expect((await world.look()).plan.inSync).toBe(true)
  world.want(swapped)
  expect((await world.look()).plan.inSync).toBe(true)
  expect([...world.state]).toEqual(before)
})
