import { expect, test } from 'vitest'
import { loadRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { driveShelves, startShelves, thing } from '../../../builders/servers/shelves.ts'

test('what was agreed about an object that is gone says nothing of the one that an import names instead', async () => {
  await using server = await startShelves('counted')
  const drive = driveShelves(server.url, { name: '{ immutable: true }', lifecycle: '{}' })
  drive.want(thing('one', 'a') + thing('two', 'b'))
  await drive.apply()
  server.things.shift()
  drive.want(thing('one', 'a'), 'import: [{ to: shelf_thing.one, id: { id: "2" } }]')
  // Once it was created a second time: its record had the new id and the former name.
  for (const _ of ['at first', 'again']) {
    const { plan } = await drive.check()
    expect(plan?.changes.map(({ action, blocked }) => [action, blocked?.reason])).toEqual([['update', 'immutable']])
    expect(plan?.idleEntries).toBeUndefined()
  }
  const { resources } = await loadRecorded(drive.deps.store, 'shelves')
  expect(resources).toMatchObject([{ address: 'shelf_thing.one', ids: { id: '2' }, attributes: { name: 'b' } }])
})
