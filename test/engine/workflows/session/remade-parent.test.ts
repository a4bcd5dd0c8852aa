import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { long } from '../../../builders/long.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'
import { yaml } from '../../../builders/workspaces/workspace.ts'

/* What was in an object that is gone for good is decided anew, once somebody made the object again. */

const document = `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_project:
    operations:
      list: { method: GET, path: /projects }
      retrieve: { method: GET, path: "/projects/{id}" }
      create: { method: POST, path: /projects, produces: { id: id } }
      delete: { method: DELETE, path: "/projects/{id}" }
    identity: { keys: [name] }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true } } }]
  api_member:
    operations:
      list: { method: GET, path: "/projects/{refs.project.id}/users" }
      create: { method: PUT, path: "/projects/{refs.project.id}/users/{user}" }
      delete: { method: DELETE, path: "/projects/{refs.project.id}/users/{user}" }
    identity: { keys: [project, user] }
    lookup: { list: {}, match: [user] }
    parts:
      - name: main
        read: list
        attributes:
          project: { in: path, required: true, ref: { type: api_project, emit: id } }
          user: { in: path, required: true }
`

const resources: readonly JsonObject[] = [
  ...['a', 'b', 'c'].map((name) => ({ type: 'api_project', name, spec: { name } })),
  { type: 'api_member', name: 'm', spec: { project: '${resource.api_project.c.id}', user: 'bob' } },
]

const start = async () => {
  let made = 0
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      const [, project = '', user] = /^\/projects\/(\w+)\/users(?:\/(\w+))?$/.exec(url) ?? []
      if (project !== '') {
        if (!state.has(`/projects/${project}`)) return { status: 404, body: '{}' }
        const users = [...state.entries()].filter(([path]) => path.startsWith(`/users/${project}/`))
        if (method === 'GET') return { status: 200, body: `[${users.map(([, text]) => text).join(',')}]` }
        if (method === 'PUT') state.set(`/users/${project}/${user}`, JSON.stringify({ user }))
        return { status: 204 }
      }
      if (url !== '/projects') return undefined
      const projects = [...state.entries()].filter(([path]) => path.startsWith('/projects/'))
      if (method === 'GET') return { status: 200, body: `[${projects.map(([, text]) => text).join(',')}]` }
      made += 1
      const answer = JSON.stringify({ id: `p${made}`, ...(JSON.parse(body) as JsonObject) })
      state.set(`/projects/p${made}`, answer)
      return { status: 201, body: answer }
    },
  })
  const drive = driveDocument(server, document, resources)
  const settle = async () => drive.apply((await drive.check()).digest)
  expect((await settle()).status).toBe('succeeded')
  expect((await drive.check()).plan.inSync).toBe(true)
  return { ...drive, server, settle, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

it('made again by an apply: what was in it is made in the new one', long, async () => {
  await using world = await start()
  world.server.state.delete('/projects/p3')
  world.server.state.delete('/users/p3/bob')
  await world.settle()
  expect((await world.settle()).status).toBe('succeeded')
  const { plan } = await world.check()
  expect([plan.inSync, plan.unchecked]).toEqual([true, []])
  expect([...world.server.state.keys()].filter((path) => path.startsWith('/users'))).toEqual(['/users/p4/bob'])
})

it('still there under its former id: the record is believed', async () => {
  await using world = await start()
  // Somebody renamed the project and made another one under its name.
  world.server.state.set('/projects/p3', JSON.stringify({ id: 'p3', name: 'former' }))
  world.server.state.set('/projects/p9', JSON.stringify({ id: 'p9', name: 'c' }))
  const { plan } = await world.check()
  expect(plan.changes.filter(({ address, action }) => address === 'api_member.m' && action === 'create')).toEqual([])
})

it('not declared, and made again by others: what has the same name in it is theirs', async () => {
  await using world = await start()
  const inProject = (name: string): readonly JsonObject[] => [
    { type: 'api_member', name: 'm', spec: { project: name, user: 'bob' } },
    { type: 'api_member', name: 'n', spec: { project: 'a', user: 'bob' } },
    { type: 'api_member', name: 'o', spec: { project: 'b', user: 'bob' } },
  ]
  const named = driveDocument(world.server, document, inProject('c'))
  expect((await named.apply((await named.check()).digest)).status).toBe('succeeded')
  world.server.state.delete('/projects/p3')
  world.server.state.set('/projects/p9', JSON.stringify({ id: 'p9', name: 'c' }))
  world.server.state.set('/users/p9/bob', JSON.stringify({ user: 'bob' }))
  const { plan } = await named.check()
  expect(plan.changes).toEqual([])
  expect(plan.unchecked).toMatchObject([
    {
      address: 'api_member.m',
      reason: 'other_parent',
      detail: expect.stringContaining('list this resource under gone'),
    },
  ])
  named.current.bundle = yaml(
    JSON.stringify({
      workspace: 'things',
      providers: { api: { source: 'rest', definition: './api.provider.yaml', with: { baseUrl: world.server.url } } },
      resources: inProject('c'),
      gone: [{ address: 'api_member.m', reason: 'the project was made anew' }],
    }),
    { 'api.provider.yaml': document },
  )
  expect((await named.check()).plan.inSync).toBe(true)
})
