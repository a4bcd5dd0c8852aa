import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { toCurl } from '../../../../core/engine/transport/curl/curl.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'
import { providerOf } from '../../../builders/workspaces/rest.ts'
import { temporaryFolder } from '../../../builders/workspaces/workspace.ts'

/* Servers that listen at a Unix socket, as Docker, Incus and Caddy's admin endpoint do. */

const folder = temporaryFolder()
afterAll(folder.remove)
const used: string[] = []
const aSocket = (): string => {
  used.push(join(folder.path, `${used.length}.sock`))
  return used.at(-1) ?? ''
}

const documentAt = (socket: string, more = '') => `
provider:
  id: api
  with: { baseUrl: {}, socket: { default: "${socket}" }, key: { secret: true, default: "" } }
  baseUrl: "{with.baseUrl}/v1"
  socket: "{with.socket}"
  ${more}
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: PUT, path: "/things/{name}" }
      update: { method: PATCH, path: "/things/{name}" }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - { name: main, read: retrieve, write: { op: update }, attributes: { name: { in: path }, size: { type: number } } }
`
const aThing = (size: number) => [{ type: 'api_thing', name: 'a', spec: { name: 'a', size } }]

describe('a provider at a Unix socket', () => {
  it('is read and written at the socket, and nowhere else', async () => {
    const socket = aSocket()
    await using server = await startThings({ socket })
    const api = driveDocument(server, documentAt(socket), aThing(1))
    const first = await api.check()
    expect(first.plan.commands).toMatchObject([{ request: { url: 'http://localhost/v1/things/a', socket } }])
    expect(await api.apply(first.digest)).toMatchObject({ status: 'succeeded' })
    expect(await api.check()).toMatchObject({ run: { status: 'in_sync' } })
    api.want(aThing(2))
    expect(await api.apply((await api.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(server.state.get('/v1/things/a')).toBe('{"size":2}')
    api.want([])
    expect(await api.apply((await api.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(server.state.size).toBe(0)
    expect(server.received.every(({ headers }) => headers.host === 'localhost')).toBe(true)
  })

  it('is named in the command line for curl', async () => {
    const socket = aSocket()
    await using server = await startThings({ socket })
    const { plan } = await driveDocument(server, documentAt(socket), aThing(1)).check()
    const [line] = plan.commands.map(({ request }) => toCurl(request))
    expect(line).toContain(` --unix-socket ${socket} `)
    expect(line).toContain(' http://localhost/v1/things/a')
  })

  it('is part of the approval: another socket makes another plan', async () => {
    const [one, other] = [aSocket(), aSocket()]
    await using _one = await startThings({ socket: one })
    await using _other = await startThings({ socket: other })
    const digests = await Promise.all(
      [one, other].map(async (socket) => {
        const { digest } = await driveDocument({ url: 'http://localhost' }, documentAt(socket), aThing(1)).check()
        return digest
      }),
    )
    expect(digests[0]).not.toBe(digests[1])
  })

  it('has its own objects: one name at two sockets means two objects', async () => {
    const [one, other] = [aSocket(), aSocket()]
    await using first = await startThings({ socket: one })
    await using second = await startThings({ socket: other })
    const both = (sockets: readonly [string, string]) => ({
      providers: Object.fromEntries(
        sockets.map((socket, n) => [
          `p${n}`,
          { source: 'rest', definition: './api.provider.yaml', with: { baseUrl: first.url, socket } },
        ]),
      ),
      resources: [0, 1].map((n) => ({
        type: 'api_thing',
        name: `a${n}`,
        provider: `p${n}`,
        spec: { name: 'a', size: n },
      })),
    })
    const planOf = async (sockets: readonly [string, string]) => {
      const api = driveDocument(first, documentAt(one), [])
      const { files, entry } = api.current.bundle
      const text = JSON.stringify({ workspace: 'things', ...both(sockets) })
      api.current.bundle = { entry, files: { ...files, [entry]: text } }
      return { api, ...(await api.check()) }
    }
    expect((await planOf([one, one])).plan.unchecked).toMatchObject([
      { address: 'api_thing.a0' },
      { address: 'api_thing.a1' },
    ])
    const { api, digest } = await planOf([one, other])
    expect(await api.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect([first, second].map(({ state }) => state.get('/v1/things/a'))).toEqual(['{"size":0}', '{"size":1}'])
  })

  it.each([
    ['http://localhost', 'unix:/run/a.sock'],
    ['http://localhost/', 'unix:/run/a.sock'],
    ['http://other.test', 'unix:/run/a.sock'],
    ['http://localhost/v1', 'unix:/run/a.sock/v1'],
    ['http://localhost/v1/', 'unix:/run/a.sock/v1'],
  ])('is the same for any host and with or without a slash at the end: %s', (baseUrl, place) =>
    expect(providerOf(documentAt('/run/a.sock').replace('}/v1"', '}"'), { baseUrl }).place).toBe(place),
  )

  it.each([
    ['another host', 'http://elsewhere.test/v1/things/a'],
    ['another port', 'http://localhost:81/v1/things/a'],
  ])('follows no redirect to %s, which would not be at the socket', async (_, location) => {
    const socket = aSocket()
    await using server = await startThings({
      socket,
      route: () => ({ status: 302, body: '{}', headers: { location } }),
    })
    const { plan } = await driveDocument(server, documentAt(socket), aThing(1)).check()
    expect(plan.unchecked).toMatchObject([
      { detail: expect.stringContaining(`only http://localhost is asked at the socket`) },
    ])
    expect(server.received).toHaveLength(1)
  })

  it.each([
    ['is not there', () => aSocket(), /there is no socket .*\.sock where this runs/],
    ['is a plain file', () => import.meta.filename, /no process listens at the socket/],
  ])('is reported where it %s, and nothing is planned from that', async (_, at, words) => {
    const { plan } = await driveDocument({ url: 'http://localhost' }, documentAt(at()), aThing(1)).check()
    expect(plan.changes).toEqual([])
    expect(plan.unchecked).toMatchObject([{ reason: 'network', detail: expect.stringMatching(words) }])
  })

  it.each([
    ['a relative path without a folder', 'run/api.sock', '', /relative.*no folder/],
    ['a URL', 'unix:///run/api.sock', '', /no path of a socket/],
    ['a path that no socket can have', `/${'x'.repeat(108)}`, '', /longer than/],
    [
      'a sign-in elsewhere',
      '/run/api.sock',
      'auth: { login: { url: "https://id.test/login", otherHost: true, token: t, body: { k: "{with.key}" } } }',
      /https:\/\/id\.test.*socket/,
    ],
  ])('is refused with %s, at the provider entry', async (_, socket, more, words) => {
    const api = driveDocument({ url: 'http://localhost' }, documentAt(socket, more), aThing(1))
    const { bundle } = api.current
    const entry = bundle.files[bundle.entry] ?? ''
    const withKey = entry.replace('"with":{', '"with":{"key":{"secret":"env:KEY"},')
    api.current.bundle = { ...bundle, files: { ...bundle.files, [bundle.entry]: withKey } }
    await expect(api.check()).rejects.toThrow(words)
    await expect(api.check()).rejects.toThrow(/plumbline\.yaml:1:/)
  })

  it('can be named by a declared variable', async () => {
    const text = documentAt('/run/a.sock').replace('{with.socket}', '{with.sock}')
    const api = driveDocument({ url: 'http://localhost' }, text, aThing(1))
    await expect(api.check()).rejects.toThrow(/api\.provider\.yaml:6:11: .*\{with\.sock\}.* is used and not declared/)
  })

  it('is never left by a redirect, and a document that allows it is refused', async () => {
    const api = driveDocument({ url: 'http://localhost' }, documentAt('/run/a.sock', 'redirects: anyOrigin'), aThing(1))
    await expect(api.check()).rejects.toThrow(/api\.provider\.yaml:7:14: nothing leaves a socket/)
  })

  it('does not exist with an empty text, so that one document also serves a port', async () => {
    await using server = await startThings()
    const { plan } = await driveDocument(server, documentAt(''), aThing(1)).check()
    expect(plan.commands).toMatchObject([{ request: { url: `${server.url}/v1/things/a` } }])
    expect(plan.commands[0]?.request).not.toHaveProperty('socket')
  })
})
