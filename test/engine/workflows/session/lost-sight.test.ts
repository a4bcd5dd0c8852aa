import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { driveShelves, type Shelves, startShelves, thing } from '../../../builders/servers/shelves.ts'
import { actor, temporaryFolder, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const names = ['a', 'b', 'c', 'd']
const all = (many: readonly string[] = names): string => many.map((name) => thing(name, name)).join('')
const withSight = ', sight: { read: { method: GET, path: /me }, sees: [{ place: roles.0, is: [owner] }] }'

/** A shelf whose things are declared and were seen. */
const start = async (model: Shelves = {}, many: readonly string[] = names) => {
  const api = await startShelves(
    'counted',
    many.map((name) => ({ name, note: 'n' })),
  )
  const given = driveShelves(api.url, model)
  given.want(all(many))
  expect((await given.check()).run.status).toBe('in_sync')
  const look = async () => {
    const { plan, run } = await given.check()
    const changes = plan?.changes.map(({ action, address }) => `${action} ${address}`) ?? []
    const unchecked = plan?.unchecked.map(({ reason, address }) => `${reason} ${address}`) ?? []
    return { changes, unchecked, details: plan?.unchecked.map(({ detail }) => detail) ?? [], status: run.status }
  }
  return { ...api, ...given, api, look }
}

const unseen = (...many: readonly string[]): readonly string[] => many.map((name) => `out_of_sight shelf_thing.${name}`)

describe('an API that hides what its caller may not see', () => {
  it('causes no creation where all of several objects are gone, and all is as before once they are seen again', async () => {
    await using shelf = await start()
    shelf.api.behaviour.isBlind = true
    const blind = await shelf.look()
    expect(blind).toMatchObject({ changes: [], unchecked: unseen(...names) })
    expect(blind.details[0]).toContain('4 of 4 recorded objects of shelf are gone at once')
    shelf.api.behaviour.isBlind = false
    expect(await shelf.look()).toMatchObject({ changes: [], unchecked: [], status: 'in_sync' })
    expect(shelf.writes()).toEqual([])
  })

  it.each([
    ['one of four was deleted', ['b'], ['create shelf_thing.b'], []],
    ['half of them', ['b', 'c'], ['create shelf_thing.b', 'create shelf_thing.c'], []],
    ['most of them', ['a', 'b', 'c'], [], unseen('a', 'b', 'c')],
  ])('believes that a few are gone, and doubts that most of them are: %s', async (_, gone, changes, unchecked) => {
    await using shelf = await start()
    for (const name of gone) shelf.things.splice(shelf.names().indexOf(name), 1)
    expect(await shelf.look()).toMatchObject({ changes, unchecked })
  })

  it('means a deletion where its only object is gone', async () => {
    await using shelf = await start({}, ['a'])
    shelf.things.splice(0)
    expect(await shelf.look()).toMatchObject({ changes: ['create shelf_thing.a'], unchecked: [] })
  })

  it('gets an object again that a person confirms to be gone', async () => {
    await using shelf = await start()
    shelf.things.splice(0)
    shelf.want(all(), 'gone: [{ address: "shelf_thing.*", reason: the shelf burnt }]')
    expect((await shelf.look()).changes).toHaveLength(4)
    expect(await shelf.apply()).toMatchObject({ status: 'succeeded' })
    expect(shelf.names()).toEqual(names)
  })

  it('does not make us forget what left the configuration meanwhile', async () => {
    await using shelf = await start()
    shelf.api.behaviour.isBlind = true
    shelf.want('')
    expect(await shelf.look()).toMatchObject({ changes: [], unchecked: unseen(...names) })
    shelf.api.behaviour.isBlind = false
    expect((await shelf.look()).changes.toSorted()).toEqual(names.map((name) => `delete shelf_thing.${name}`))
  })

  it('changes nothing in a resource that refers to an unseen object', async () => {
    await using shelf = await start({}, ['a', 'b'])
    const child =
      '  - { type: shelf_thing, name: child, spec: { name: child, note: "${resource.shelf_thing.a.id}" } }\n'
    shelf.want(all(['a', 'b']) + child)
    expect(await shelf.apply()).toMatchObject({ status: 'succeeded' })
    shelf.things.splice(0, 2)
    const { changes, unchecked } = await shelf.look()
    expect(changes).toEqual([])
    expect(unchecked).toEqual([...unseen('a', 'b'), 'unresolved shelf_thing.child'])
  })

  it('gets no request where sight is lost between the approval and the apply', async () => {
    await using shelf = await start()
    shelf.want(all() + thing('e', 'e') + thing('f', 'f', 'new'))
    const id = await shelf.approve()
    shelf.api.behaviour.isBlind = true
    expect(await shelf.run(id)).toMatchObject({ status: 'refused', error: { code: 'TARGET_UNREAD' } })
    expect(shelf.writes()).toEqual([])
  })
})

describe('a provider that says what its caller must see', () => {
  it('proves by that no more than one thing: most of the objects may be hidden', async () => {
    await using shelf = await start({ more: withSight })
    shelf.things.splice(0, 3)
    expect(await shelf.look()).toMatchObject({ changes: [], unchecked: unseen('a', 'b', 'c') })
  })

  it('lets a few missing objects count as deleted where the caller sees it', async () => {
    await using shelf = await start({ more: withSight })
    shelf.things.splice(1, 1)
    expect(await shelf.look()).toMatchObject({ changes: ['create shelf_thing.b'], unchecked: [] })
  })

  it('lets no object count as missing where the caller does not see it, not even one that was never seen', async () => {
    await using shelf = await start({ more: withSight }, ['a'])
    shelf.api.behaviour.isBlind = true
    shelf.want(all(['a', 'b']))
    const { changes, unchecked, details } = await shelf.look()
    expect({ changes, unchecked: unchecked.toSorted() }).toEqual({ changes: [], unchecked: unseen('a', 'b') })
    expect(details[0]).toMatch(
      /^shelf does not show what it must show: the answer to GET \S+\/me does not hold roles.0: \["owner"\]$/,
    )
  })

  it('shows no secret of it', async () => {
    const sight = ', sight: { read: { method: GET, path: /me }, sees: [{ place: owner, is: [long-enough-a-secret] }] }'
    await using shelf = await start({ more: sight }, ['a'])
    shelf.secrets['env:S'] = 'long-enough-a-secret'
    shelf.want(`${all(['b'])}  - { type: shelf_thing, name: s, spec: { name: s, note: { secret: "env:S" } } }\n`)
    const { details } = await shelf.look()
    expect(details[0]).toContain('does not hold owner: ["')
    expect(details.join()).not.toContain('long-enough-a-secret')
  })

  it('is asked only where something is missing, and once', async () => {
    await using shelf = await start({ more: withSight })
    const asked = () => shelf.seen.filter(({ url }) => url === '/me').length
    expect(asked()).toBe(0)
    shelf.things.splice(0, 2)
    await shelf.look()
    expect(asked()).toBe(1)
  })

  it('believes a person who confirms that an object is gone, whatever is seen', async () => {
    await using shelf = await start({ more: withSight })
    shelf.api.behaviour.isBlind = true
    shelf.want(all(), 'gone: [{ address: shelf_thing.a, reason: I threw it away }]')
    expect(await shelf.look()).toMatchObject({ changes: ['create shelf_thing.a'], unchecked: unseen('b', 'c', 'd') })
  })

  it.each([
    ['{ read: { method: POST, path: /me } }', 'the test of what is visible must be a read'],
    ['{ read: { method: GET, path: "/users/{name}" } }', 'nothing gives {name} a value here'],
    ['{ read: { method: GET, path: "/users/{with.user}" } }', '"{with.user}" is used and not declared'],
    ['{ read: { method: GET, path: /me }, sees: [{ place: id }] }', 'the rule has no condition on the value'],
  ])('%s is refused', async (sight, message) => {
    await using api = await startShelves('counted')
    const { want, check } = driveShelves(api.url, { more: `, sight: ${sight}` })
    want(all())
    expect((await check()).run.error?.message).toContain(message)
  })
})

it('missing files all count as deleted, because files cannot be hidden', async () => {
  const { path: folder } = await temporaryFolder()
  const { deps } = testDeps({
    bundle: yaml(`
workspace: files
providers: { here: { source: host, with: { root: "${folder}" } } }
resources:
  - { type: host_file, name: a, spec: { path: "${join(folder, 'a')}", content: x, mode: "0644" } }
  - { type: host_file, name: b, spec: { path: "${join(folder, 'b')}", content: x, mode: "0644" } }
`),
  })
  for (const name of ['a', 'b']) await writeFile(join(folder, name), 'x', { mode: 0o644 })
  const check = () => checkWorkspace({ workspace: 'files', trigger: 'cli', actor }, deps)
  expect((await check()).run.status).toBe('in_sync')
  for (const name of ['a', 'b']) await rm(join(folder, name))
  expect((await check()).plan?.changes.map(({ action }) => action)).toEqual(['create', 'create'])
})
