import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'
import { configureText } from '../../../builders/workspaces/rest.ts'

/* Ids that are made from the name, and change with it: pages of a wiki with a number and a slug. */

const resource = (follows = ', follows: [slug]') => `
operations:
  list: { method: GET, path: /pages }
  retrieve: { method: GET, path: "/pages/{slug}" }
  create: { method: POST, path: /pages, produces: { id: id, slug: slug } }
  update: { method: PATCH, path: "/pages/{slug}" }
  delete: { method: DELETE, path: "/pages/{slug}" }
identity: { keys: [name]${follows} }
lookup: { list: {}, match: [name] }
serverId: { id: id, slug: slug }
parts:
  - { name: main, read: list, write: { op: update }, attributes: { name: {}, size: { type: number } } }
`

const slugOf = (name: unknown): string => String(name).toLowerCase().replaceAll(' ', '-')

const aWiki = async () => {
  const pages = new Map<number, JsonObject>()
  const add = (page: JsonObject): JsonObject => {
    const made = { ...page, id: pages.size + 1, slug: slugOf(page['name']) }
    pages.set(made.id, made)
    return made
  }
  const server = await startThings({
    route: ({ method, url, body }) => {
      if (method === 'GET' && url === '/pages') return { status: 200, body: JSON.stringify([...pages.values()]) }
      if (method === 'POST') return { status: 201, body: JSON.stringify(add(JSON.parse(body) as JsonObject)) }
      const found = [...pages.values()].find(({ slug }) => url === `/pages/${slug}`)
      if (found === undefined) return { status: 404, body: '{}' }
      const next = { ...found, ...(JSON.parse(body) as JsonObject) }
      pages.set(Number(found['id']), { ...next, slug: slugOf(next['name' as never]) })
      return { status: 200, body: JSON.stringify(pages.get(Number(found['id']))) }
    },
  })
  const rename = (id: number, name: string): void => {
    pages.set(id, { ...pages.get(id), name, slug: slugOf(name) })
  }
  return { server, pages, add, rename, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

describe('an id that changes with the name', () => {
  it('does not identify an object: a page that was renamed outside is renamed back', async () => {
    await using wiki = await aWiki()
    const one = driveThings(wiki.server, resource(), { a: { name: 'Main Page', size: 1 } })
    expect(await one.apply((await one.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(await one.check()).toMatchObject({ run: { status: 'in_sync' } })
    wiki.rename(1, 'Start')
    const { plan, digest } = await one.check()
    expect(plan.commands.map(({ request: { method, url } }) => `${method} ${new URL(url).pathname}`)).toEqual([
      'PATCH /pages/start',
    ])
    expect(await one.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(wiki.pages.get(1)).toMatchObject({ name: 'Main Page', slug: 'main-page' })
    expect(await one.check()).toMatchObject({ run: { status: 'in_sync' } })
  })

  it('may belong to another object by now, which is not changed', async () => {
    await using wiki = await aWiki()
    const one = driveThings(wiki.server, resource(), { a: { name: 'Main Page', size: 1 } })
    expect(await one.apply((await one.check()).digest)).toMatchObject({ status: 'succeeded' })
    wiki.rename(1, 'Start')
    wiki.add({ name: 'Main Page', size: 7 })
    const { plan } = await one.check()
    expect(plan.commands).toEqual([])
    expect(plan.inSync).toBe(false)
  })

  it.each([
    ['another name than those of serverId', ', follows: [path]', /"path" is no serverId/],
    ['all ids', ', follows: [id, slug]', /no id stays/],
  ])('is refused in a document with %s', (_what, follows, says) => {
    const text = `provider: { id: api, baseUrl: "http://api.test" }\nresources:\n  api_page:\n${resource(follows).replaceAll(/^/gm, '    ')}`
    const configured = configureText(text, {})
    expect(configured.ok ? [] : configured.issues.map(({ message }) => message)).toEqual([expect.stringMatching(says)])
  })
})
