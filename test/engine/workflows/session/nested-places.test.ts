import { expect, it } from 'vitest'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { startRoutes } from '../../../builders/servers/json-routes.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* What is in an object that is not shown, at any depth, is not gone. */

const type = (name: string, path: string, attributes: readonly string[]): string => `
  park_${name}:
    operations:
      retrieve: { method: GET, path: "${path}" }
      create: { method: PUT, path: "${path}" }
      delete: { method: DELETE, path: "${path}" }
    identity: { keys: [${attributes.map((each) => each.split(':')[0]).join(', ')}] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, attributes: { ${attributes.join(', ')} } }]`

const inPath = (name: string, other?: string): string =>
  `${name}: { in: path${other === undefined ? '' : `, refersTo: { type: park_${other}, attribute: name }`} }`

const document = `
provider: { id: park, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:${[
  type('garden', '/gardens/{name}', [inPath('name')]),
  type('bed', '/gardens/{garden}/beds/{name}', [inPath('garden', 'garden'), inPath('name')]),
  type('tag', '/gardens/{garden}/beds/{bed}/tags/{tag}', [
    inPath('garden', 'garden'),
    inPath('bed', 'bed'),
    inPath('tag'),
  ]),
  type('keeper', '/keepers/{name}', [inPath('name')]),
  type('duty', '/duties/{bed}/{keeper}', [inPath('bed', 'bed'), inPath('keeper', 'keeper')]),
].join('')}
`

const declared = {
  'garden.a': '{ name: a }',
  'garden.b': '{ name: b }',
  'garden.c': '{ name: c }',
  'bed.north': '{ garden: a, name: north }',
  'bed.south': '{ garden: a, name: south }',
  'bed.east': '{ garden: b, name: east }',
  'tag.n': '{ garden: a, bed: north, tag: x }',
  'tag.n2': '{ garden: a, bed: north, tag: y }',
  'tag.s': '{ garden: a, bed: south, tag: x }',
  'bed.far': '{ garden: b, name: north }',
  'tag.f1': '{ garden: b, bed: north, tag: x }',
  'tag.f2': '{ garden: b, bed: north, tag: y }',
  'tag.f3': '{ garden: b, bed: north, tag: z }',
  'keeper.kim': '{ name: kim }',
  'keeper.lee': '{ name: lee }',
  'duty.d': '{ bed: north, keeper: kim }',
}

/** A park whose answers to these paths are 404, or that status. */
const start = async () => {
  const hidden = new Map<string, number>()
  const answer = (path: string) => {
    const [, status] = [...hidden].find(([each]) => path.startsWith(each)) ?? []
    return status === undefined ? { status: 200, body: {} } : { status, body: {} }
  }
  const route = (path: string, ...names: readonly string[]) => ({
    [`GET ${path}`]: ({ params }: { readonly params: Readonly<Record<string, string>> }) =>
      answer(names.reduce((url, name) => url.replace(`:${name}`, params[name] ?? ''), path)),
  })
  const server = await startRoutes({
    ...route('/gardens/:name', 'name'),
    ...route('/gardens/:garden/beds/:name', 'garden', 'name'),
    ...route('/gardens/:garden/beds/:bed/tags/:tag', 'garden', 'bed', 'tag'),
    ...route('/keepers/:name', 'name'),
    ...route('/duties/:bed/:keeper', 'bed', 'keeper'),
  })
  const given = testDeps()
  const want = (more = ''): void => {
    const all = Object.entries(declared).map(([address, spec]) => {
      const [kind, name] = address.split('.')
      return `{ type: park_${kind}, name: ${name}, spec: ${spec} }`
    })
    given.current.bundle = yaml(
      `workspace: w\nproviders: { park: { source: rest, definition: ./park.yaml, with: { baseUrl: "${server.url}" } } }\n${more}\nresources: [${all}]\n`,
      { 'park.yaml': document },
    )
  }
  want()
  const check = async () => {
    const { plan } = await checkWorkspace({ workspace: 'w', trigger: 'cli', actor }, given.deps)
    return {
      changes: plan?.changes.map(({ action, address }) => `${action} ${address}`).toSorted() ?? [],
      unchecked: plan?.unchecked.map(({ address, reason }) => `${reason} ${address}`).toSorted() ?? [],
      drift: plan?.drift.map(({ address }) => address) ?? [],
      details: plan?.unchecked.map(({ detail }) => detail) ?? [],
    }
  }
  expect(await check()).toEqual({ changes: [], unchecked: [], drift: [], details: [] })
  return { check, want, hidden, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

it('what is in a part of a garden that is hidden is hidden with it, at any depth', async () => {
  await using park = await start()
  park.hidden.set('/gardens/a', 404)
  expect(await park.check()).toMatchObject({
    changes: [],
    drift: [],
    unchecked: ['bed.north', 'bed.south', 'garden.a', 'tag.n', 'tag.n2', 'tag.s'].map(
      (each) => `out_of_sight park_${each}`,
    ),
  })
})

it('a bed is a place too, and its tag is in it and no link between the bed and its garden', async () => {
  await using park = await start()
  park.hidden.set('/gardens/a/beds/north', 404)
  const { changes, unchecked, details } = await park.check()
  expect({ changes, unchecked }).toEqual({
    changes: [],
    unchecked: ['bed.north', 'tag.n', 'tag.n2'].map((each) => `out_of_sight park_${each}`),
  })
  expect(details[0]).toContain('3 of 3 recorded objects of park_bed.north are gone at once')
})

it('all objects of one type in a place are hidden together, although what else is there is seen', async () => {
  await using park = await start()
  park.hidden.set('/gardens/b/beds/north/tags', 200).set('/gardens/b/beds', 404)
  const { changes, unchecked, details } = await park.check()
  expect({ changes, unchecked }).toEqual({
    changes: [],
    unchecked: ['out_of_sight park_bed.east', 'out_of_sight park_bed.far'],
  })
  expect(details[0]).toContain('2 of 2 recorded objects of type park_bed in park_garden.b are gone at once')
})

it('one of two objects of a type in a place was deleted', async () => {
  await using park = await start()
  park.hidden.set('/gardens/b/beds/east', 404)
  expect(await park.check()).toMatchObject({ changes: ['create park_bed.east'], unchecked: [] })
})

it('beds of one name in two gardens are two places', async () => {
  await using park = await start()
  for (const tag of ['x', 'y']) park.hidden.set(`/gardens/b/beds/north/tags/${tag}`, 404)
  park.hidden.set('/gardens/b/beds/north/tags/z', 404)
  expect((await park.check()).unchecked).toEqual(['f1', 'f2', 'f3'].map((each) => `out_of_sight park_tag.${each}`))
})

it('a link whose end is hidden is hidden, and one whose end is gone is gone', async () => {
  await using park = await start()
  park.hidden.set('/gardens/a/beds/north', 404).set('/duties/', 404)
  expect((await park.check()).unchecked).toContain('out_of_sight park_duty.d')
  park.hidden.clear()
  park.hidden.set('/keepers/kim', 404).set('/duties/', 404)
  expect(await park.check()).toMatchObject({
    changes: ['create park_duty.d', 'create park_keeper.kim'],
    unchecked: [],
  })
})

it('nothing is said of what was in an object that cannot be read', async () => {
  await using park = await start()
  park.hidden
    .set('/gardens/a/beds/north/tags/x', 404)
    .set('/gardens/a/beds/north/tags/y', 200)
    .set('/gardens/a/beds/north', 403)
  const { changes, drift, unchecked, details } = await park.check()
  expect({ changes, drift }).toEqual({ changes: [], drift: [] })
  expect(unchecked).toEqual(['forbidden park_bed.north', 'out_of_sight park_tag.n'])
  expect(details.join()).toContain('it is in park_bed.north, which is not seen')
})

it('what was in a bed that somebody confirms to be gone is gone with it', async () => {
  await using park = await start()
  park.hidden.set('/gardens/a/beds/north', 404)
  park.want('gone: [{ address: park_bed.north, reason: it was dug over }]')
  expect(await park.check()).toMatchObject({
    changes: ['create park_bed.north', 'create park_tag.n', 'create park_tag.n2'],
    unchecked: [],
  })
})
