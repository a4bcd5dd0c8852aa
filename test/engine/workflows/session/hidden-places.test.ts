import { expect, it } from 'vitest'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { startRoutes } from '../../../builders/servers/json-routes.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* A part of a target that is hidden: what is missing there is not gone, while what is missing elsewhere is. */

const document = `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_realm:
    operations:
      retrieve: { method: GET, path: "/realms/{name}" }
      create: { method: POST, path: /realms }
      delete: { method: DELETE, path: "/realms/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true } } }]
  api_user:
    operations:
      retrieve: { method: GET, path: "/realms/{realm}/users/{name}" }
      create: { method: POST, path: "/realms/{realm}/users" }
      delete: { method: DELETE, path: "/realms/{realm}/users/{name}" }
    identity: { keys: [realm, name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        attributes: { realm: { in: path, immutable: true, REFERS }, name: { immutable: true } }
`
const toRealm = 'refersTo: { type: api_realm, attribute: name }'

/** By the document, or by what the configuration refers to. */
const ways = [
  ['the document says what a realm is', toRealm, (realm: string) => realm],
  ['the configuration refers to it', 'required: true', (realm: string) => `"\${resource.api_realm.${realm}.name}"`],
] as const

const start = async (
  refers: string,
  spelled = (realm: string): string => realm,
  users = ['x', 'y'],
  realms = ['a', 'b', 'c'],
) => {
  const hidden = new Set<string>()
  const isShown = (realm = '', user = ''): boolean => !hidden.has(realm) && !hidden.has(`${realm}/${user}`)
  const server = await startRoutes({
    'GET /realms/:realm': ({ params: { realm = '' } }) =>
      isShown(realm) ? { status: 200, body: { name: realm } } : { status: 404, body: {} },
    'GET /realms/:realm/users/:name': ({ params: { realm = '', name = '' } }) =>
      isShown(realm, name) ? { status: 200, body: { name } } : { status: 404, body: {} },
  })
  const given = testDeps()
  const want = (more = ''): void => {
    const declared = realms.flatMap((realm) => [
      ...(refers === '' ? [] : [`{ type: api_realm, name: ${realm}, spec: { name: ${realm} } }`]),
      ...users.map(
        (name) => `{ type: api_user, name: ${realm}-${name}, spec: { realm: ${spelled(realm)}, name: ${name} } }`,
      ),
    ])
    given.current.bundle = yaml(
      `workspace: w\nproviders: { api: { source: rest, definition: ./api.yaml, with: { baseUrl: "${server.url}" } } }\n${more}\nresources: [${declared}]\n`,
      { 'api.yaml': document.replace(', REFERS', refers === '' ? '' : `, ${refers}`) },
    )
  }
  want()
  const check = async () => {
    const { plan } = await checkWorkspace({ workspace: 'w', trigger: 'cli', actor }, given.deps)
    return {
      changes: plan?.changes.map(({ action, address }) => `${action} ${address}`) ?? [],
      unchecked: plan?.unchecked.map(({ address, reason }) => `${reason} ${address}`) ?? [],
      details: plan?.unchecked.map(({ detail }) => detail) ?? [],
    }
  }
  expect(await check()).toEqual({ changes: [], unchecked: [], details: [] })
  return { check, want, hidden, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

it.each(ways)('a realm is unchecked that is hidden with its users, where %s', async (_, refers, spelled) => {
  await using api = await start(refers, spelled)
  api.hidden.add('a')
  const { changes, unchecked, details } = await api.check()
  expect({ changes, unchecked }).toEqual({
    changes: [],
    unchecked: ['out_of_sight api_realm.a', 'out_of_sight api_user.a-x', 'out_of_sight api_user.a-y'],
  })
  expect(details[0]).toContain('3 of 3 recorded objects of api_realm.a are gone at once')
})

it('a realm that no resource declares is a place too', async () => {
  await using api = await start('')
  api.hidden.add('a')
  const { changes, unchecked, details } = await api.check()
  expect({ changes, unchecked }).toEqual({
    changes: [],
    unchecked: ['out_of_sight api_user.a-x', 'out_of_sight api_user.a-y'],
  })
  expect(details[0]).toContain('2 of 2 recorded objects of realm a are gone at once')
})

it('what is missing in a place of which less is seen than gone is unchecked, and what is seen there is not', async () => {
  await using api = await start('', undefined, ['x', 'y', 'z'])
  for (const user of ['a/x', 'a/y']) api.hidden.add(user)
  expect(await api.check()).toMatchObject({
    changes: [],
    unchecked: ['out_of_sight api_user.a-x', 'out_of_sight api_user.a-y'],
    details: [expect.stringContaining('2 of 3 recorded objects of realm a'), expect.anything()],
  })
})

it('the users of a realm that is seen are hidden together', async () => {
  await using api = await start(toRealm)
  for (const user of ['a/x', 'a/y']) api.hidden.add(user)
  expect(await api.check()).toMatchObject({
    changes: [],
    unchecked: ['out_of_sight api_user.a-x', 'out_of_sight api_user.a-y'],
  })
})

it('one user in each of several realms was deleted', async () => {
  await using api = await start(toRealm)
  for (const user of ['a/x', 'b/y']) api.hidden.add(user)
  expect(await api.check()).toMatchObject({ changes: ['create api_user.a-x', 'create api_user.b-y'], unchecked: [] })
})

it('what was in a realm that somebody confirms to be gone is gone with it', async () => {
  await using api = await start(toRealm)
  api.hidden.add('a')
  api.want('gone: [{ address: api_realm.a, reason: it was closed }]')
  const { changes, unchecked } = await api.check()
  expect(unchecked).toEqual([])
  expect(changes.toSorted()).toEqual(['create api_realm.a', 'create api_user.a-x', 'create api_user.a-y'])
})

it.each([
  ['that are declared', toRealm],
  ['that are not', ''],
])('the only users of two realms are hidden where the realms are seen, %s', async (_, refers) => {
  await using api = await start(refers, undefined, ['x'], ['a', 'b', 'c', 'd', 'e'])
  for (const user of ['a/x', 'b/x']) api.hidden.add(user)
  const { changes, unchecked, details } = await api.check()
  expect({ changes, unchecked }).toEqual({
    changes: [],
    unchecked: ['out_of_sight api_user.a-x', 'out_of_sight api_user.b-x'],
  })
  expect(details[0]).toMatch(/realm.a, \S*realm.b lost all that was recorded in them at once/)
})

it('the only user of one realm was deleted', async () => {
  await using api = await start(toRealm, undefined, ['x'], ['a', 'b', 'c', 'd', 'e'])
  api.hidden.add('a/x')
  expect(await api.check()).toMatchObject({ changes: ['create api_user.a-x'], unchecked: [] })
})

it('the only users of two realms were deleted where somebody confirms one of them', async () => {
  await using api = await start(toRealm, undefined, ['x'], ['a', 'b', 'c', 'd', 'e'])
  for (const user of ['a/x', 'b/x']) api.hidden.add(user)
  api.want('gone: [{ address: api_user.a-x, reason: she left }]')
  expect(await api.check()).toMatchObject({ changes: ['create api_user.a-x', 'create api_user.b-x'], unchecked: [] })
})

it('most of what is in a realm counts without the realm, which is seen', async () => {
  await using api = await start(toRealm, undefined, ['x', 'y', 'z'])
  for (const user of ['a/x', 'a/y']) api.hidden.add(user)
  expect((await api.check()).unchecked).toEqual(['out_of_sight api_user.a-x', 'out_of_sight api_user.a-y'])
})

it.each([
  [
    'a member that never changes',
    'home: { type: object, immutable: true, attributes: { realm: { REFERS } } }',
    '{ home: { realm: a }',
  ],
  [
    'a member of what may change',
    'home: { type: object, attributes: { realm: { immutable: true, REFERS } } }',
    '{ home: { realm: a }',
  ],
  ['an element', 'homes: { type: set, immutable: true, element: { REFERS } }', '{ homes: [a]'],
])('what names its realm in %s is hidden with it', async (_, attribute, spec) => {
  const flat = `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
${['realm', 'user']
  .map(
    (kind) => `  api_${kind}:
    operations:
      retrieve: { method: GET, path: "/${kind}s/{name}" }
      create: { method: POST, path: /${kind}s }
      update: { method: PATCH, path: "/${kind}s/{name}" }
      delete: { method: DELETE, path: "/${kind}s/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: { immutable: true }${kind === 'user' ? `, ${attribute.replace('REFERS', toRealm)}` : ''} } }]`,
  )
  .join('\n')}
`
  const hidden = new Set<string>()
  const home = { home: { realm: 'a' }, homes: ['a'] }
  const answer = (name = '') =>
    hidden.has(name) ? { status: 404, body: {} } : { status: 200, body: { name, ...home } }
  await using server = await startRoutes({
    'GET /realms/:name': ({ params: { name = '' } }) => answer(name),
    'GET /users/:name': ({ params: { name = '' } }) => answer(name),
  })
  const user = (name: string) => `{ type: api_user, name: ${name}, spec: ${spec}, name: ${name} } }`
  const others = ['b', 'c', 'd', 'e'].map((name) => `{ type: api_realm, name: ${name}, spec: { name: ${name} } }`)
  const given = testDeps()
  given.current.bundle = yaml(
    `workspace: w\nproviders: { api: { source: rest, definition: ./api.yaml, with: { baseUrl: "${server.url}" } } }\nresources: [${[user('x'), user('y'), ...others]}]\n`,
    { 'api.yaml': flat },
  )
  const check = () => checkWorkspace({ workspace: 'w', trigger: 'cli', actor }, given.deps)
  expect((await check()).plan).toMatchObject({ inSync: true })
  for (const name of ['x', 'y']) hidden.add(name)
  const { changes, unchecked } = (await check()).plan ?? {}
  expect([changes, unchecked?.map(({ address }) => address)]).toEqual([[], ['api_user.x', 'api_user.y']])
})
