import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import type { ReadResult } from '../../../../core/engine/schema/resource.ts'
import { anApi, configureText, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

const document = `
provider: { id: shop, baseUrl: "http://api.test" }
resources:
  shop_folder:
    operations:
      list: { method: GET, path: "/folders" }
      retrieve: { method: GET, path: "/folders/{name}" }
    identity: { keys: [name], container: { id: id } }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    lifecycle: { mode: reference }
    parts:
      - { name: main, read: list, attributes: { name: { compareAs: [lower] } } }
  shop_page:
    operations:
      list: { method: GET, path: "/folders/{folder}/pages" }
      delete: { method: DELETE, path: "/folders/{folder}/pages/{title}" }
      create: { method: PUT, path: "/folders/{folder}/pages/{title}" }
    identity: { keys: [folder, title] }
    lookup: { list: { absent: [404] }, match: [title] }
    parts:
      - name: main
        read: list
        attributes:
          folder: { in: path, compareAs: [lower], refersTo: { type: shop_folder, attribute: name } }
          title: { in: path }
`

const page = typeOf(providerOf(document, {}), 'shop_page')

/** Reads the page `a` of the folder `web`, which was recorded in the folder of an id. */
const read = async (folder: { status?: number; body?: Json }, was?: string, hasPage = true): Promise<ReadResult> => {
  const transport = anApi({
    'GET /folders/web': folder,
    'GET /folders/web/pages': hasPage ? { body: [{ title: 'a' }] } : { body: [] },
  })
  const parents = was === undefined ? {} : { parents: { folder: was } }
  return page.read({ address: 'shop_page.a', attributes: { folder: 'web', title: 'a' }, ...parents }, { transport })
}

describe('an object inside another object', () => {
  it('is read with the id of its container', async () => {
    expect(await read({ body: { name: 'Web', id: 7 } })).toMatchObject({ kind: 'present', parents: { folder: '7' } })
    expect(await read({ body: { name: 'web', id: 7 } }, undefined, false)).toEqual({
      kind: 'absent',
      parents: { folder: '7' },
    })
  })

  it.each([
    ['another object has the name', { body: { name: 'web', id: 8 } }, 'other_parent'],
    ['the name leads to an object with another name', { body: { name: 'old', id: 7 } }, 'other_parent'],
    ['the answer has no id', { body: { name: 'web' } }, 'bad_body'],
    ['the answer has no name', { body: { id: 7 } }, 'other_parent'],
    ['its container cannot be read', { status: 500, body: {} }, 'server_error'],
    ['its container is not there, and it is', { status: 404, body: {} }, 'other_parent'],
  ])('is unknown if %s', async (_, folder, reason) => {
    expect(await read(folder, '7')).toMatchObject({ kind: 'unknown', reason })
  })

  it('exists in the recorded container, or is unknown', async () => {
    const id = fc.integer({ min: 1, max: 3 })
    const answer = fc.oneof(
      fc.record({ body: fc.record({ name: fc.constantFrom('web', 'WEB', 'old'), id }) }),
      fc.constantFrom({ status: 404, body: {} }, { status: 403, body: {} }, { status: 502, body: {} }),
    )
    await fc.assert(
      fc.asyncProperty(answer, fc.option(id), fc.boolean(), async (folder, was, hasPage) => {
        const found = await read(folder, was === null ? undefined : String(was), hasPage)
        if (found.kind === 'unknown') return
        const { name, id: now } = 'name' in folder.body ? folder.body : { name: undefined, id: undefined }
        expect(name === undefined || name.toLowerCase() === 'web').toBe(true)
        if (was !== null && now !== undefined) expect(String(now)).toBe(String(was))
        if (found.kind === 'present' && was !== null) expect(now).toBe(was)
      }),
    )
  })
})

describe('a reference to a container that names no attribute', () => {
  const folders = {
    'GET /folders/web': { body: { name: 'web', slug: 'web', id: 7 } },
    'GET /folders/web/pages': { body: [] },
  }
  const target = { address: 'shop_page.a', attributes: { folder: 'web', title: 'a' } }

  it.each<[string, string]>([
    ['its name', document],
    [
      'its only key',
      document
        .replaceAll('{name}', '{slug}')
        .replaceAll('[name]', '[slug]')
        .replace('name: { compareAs', 'slug: { compareAs'),
    ],
  ])('means %s', async (_, text) => {
    const short = text.replace(', attribute: name }', ' }')
    expect(short).not.toContain('attribute: name')
    const type = typeOf(providerOf(short, {}), 'shop_page')
    expect(await type.read(target, { transport: anApi(folders) })).toEqual({ kind: 'absent', parents: { folder: '7' } })
    expect(type.within).toEqual([
      { attribute: 'folder', of: { type: 'shop_folder', attribute: text === document ? 'name' : 'slug' } },
    ])
  })

  it('is refused if it could mean several', () => {
    const text = document
      .replace('keys: [name], container: { id: id }', 'keys: [shelf, row]')
      .replace('match: [name]', 'match: [shelf, row]')
      .replace('name: { compareAs: [lower] }', 'shelf: {}, row: {}')
      .replace('"/folders/{name}"', '"/folders/{id}"')
      .replace(', attribute: name }', ' }')
    const configured = configureText(text, {})
    expect(configured.ok ? [] : configured.issues.map(({ message, fix }) => [message, fix])).toEqual([
      ['shop_folder has several keys, and none is "name"', 'set attribute: use one of: shelf, row, id'],
    ])
  })
})

describe('an object whose path has the id of its container', () => {
  const byRef = document
    .replace('identity: { keys: [name]', 'identity: { keys: [slug]')
    .replace('match: [name]', 'match: [slug]')
    .replace('"/folders/{name}"', '"/folders/{slug}"')
    .replace('name: { compareAs: [lower] }', 'slug: {}, number: { computed: true }')
  const withRef = (reference: string): string =>
    byRef.replace('compareAs: [lower], refersTo: { type: shop_folder, attribute: name }', reference)

  it.each(['ref: { type: shop_folder, by: slug, emit: id }', 'refersTo: { type: shop_folder, attribute: id }'])(
    'needs no proof of it: %s',
    async (reference) => {
      const type = typeOf(providerOf(withRef(reference), {}), 'shop_page')
      const transport = anApi({ 'GET /folders/7/pages': { body: [{ title: 'a' }] } })
      const target = { address: 'shop_page.a', attributes: { folder: '7', title: 'a' } }
      expect(await type.read(target, { transport })).toMatchObject({ kind: 'present' })
    },
  )

  it.each(['ref: { type: shop_folder, by: slug, emit: number }', 'refersTo: { type: shop_folder, attribute: number }'])(
    'is refused if that is neither its id nor what it is read by: %s',
    (reference) => {
      const configured = configureText(withRef(reference), {})
      expect(configured.ok ? [] : configured.issues.map(({ message, fix }) => [message, fix])).toEqual([
        [
          'the shop_folder that contains it is read by its slug, which this does not say',
          'refer to it by its slug, or by its id',
        ],
      ])
    },
  )
})

it('a container that only the create of an object names is refused, because no record can tell later which one it was', () => {
  const text = document.replace(
    '          title: { in: path }',
    '          title: { in: path }\n          home: { createOnly: true, refersTo: { type: shop_folder, attribute: name } }',
  )
  const configured = configureText(text, {})
  expect(configured.ok ? [] : configured.issues.map(({ message, fix }) => [message, fix])).toEqual([
    [
      'what only a create uses is in no record, so nothing tells later in which shop_folder the object is',
      'set immutable instead if answers show it; else name it in the path or the keys of the object, or leave out the reference',
    ],
  ])
})
