import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { yaml } from '../workspaces/workspace.ts'
import { driveDocument, startThings } from './things-api.ts'

/*
 * Gardens have an id and a name. Beds are below a garden in the path, and tags below a bed; gnomes stand by themselves, under a
 * code of their own, and say in which garden they are. Nothing but gardens has an id.
 */

const typeText = (type: string, path: string, keys: string, attributes: string, more = ''): string => `
  ${type}:
    operations:
      retrieve: { method: GET, path: "${path}" }
      create: { method: PUT, path: "${path}" }
      update: { method: PUT, path: "${path}" }
      delete: { method: DELETE, path: "${path}" }
${more}    identity: { keys: [${keys}] }
    lookup: { retrieve: true }
    parts:
      - { name: main, read: retrieve, write: { op: update, send: full }, attributes: { ${attributes}, note: {} } }`

const inGarden = 'garden: { in: path, refersTo: { type: park_garden } }'

const gardensDocument = (gnomeIn: string) => `
provider: { id: park, baseUrl: "{with.baseUrl}", with: { baseUrl: {} }, reads: { absent: [404] } }
resources:
  park_garden:
    operations:
      list: { method: GET, path: /gardens }
      retrieve: { method: GET, path: "/gardens/{slug}" }
      create: { method: POST, path: /gardens, produces: { id: id } }
      update: { method: PATCH, path: "/gardens/{slug}" }
      delete: { method: DELETE, path: "/gardens/{slug}" }
    identity: { keys: [slug], container: { id: id } }
    serverId: { id: id }
    lookup: { list: {}, match: [slug] }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { slug: { immutable: true }, note: {} } }]${typeText(
      'park_bed',
      '/gardens/{garden}/beds/{name}',
      'garden, name',
      `${inGarden}, name: { in: path }`,
    )}${typeText(
      'park_tag',
      '/gardens/{garden}/beds/{bed}/tags/{tag}',
      'garden, bed, tag',
      `${inGarden}, bed: { in: path, refersTo: { type: park_bed, attribute: name } }, tag: { in: path }`,
    )}${typeText(
      'park_gnome',
      '/gnomes/{code}',
      'code',
      `code: { in: path }, ${gnomeIn}`,
      '      list: { method: GET, path: /gnomes }\n',
    )}
`

export const gardens = {
  garden: { type: 'park_garden', name: 'rose', spec: { slug: 'rose', note: 'ours' } },
  bed: { type: 'park_bed', name: 'b', spec: { garden: 'rose', name: 'north', note: 'ours' } },
  tag: { type: 'park_tag', name: 't', spec: { garden: 'rose', bed: 'north', tag: 'x', note: 'ours' } },
  gnome: { type: 'park_gnome', name: 'g', spec: { code: 'g1', garden: 'rose', note: 'ours' } },
} satisfies Readonly<Record<string, JsonObject>>

/** `gnomeIn`: the attribute by which a gnome says in which garden it is. */
export const startGardens = async (
  resources: readonly JsonObject[],
  gnomeIn = 'garden: { required: true, immutable: true, refersTo: { type: park_garden } }',
) => {
  const document = gardensDocument(gnomeIn)
  const garden = (id: number, note = 'theirs', slug = 'rose'): string => JSON.stringify({ id, slug, note })
  let made = 100
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      const [, above] = /^(\/gardens\/[^/]+)\/./.exec(url) ?? []
      if (above !== undefined && !state.has(above)) return { status: 404, body: '{}' }
      const [path = ''] = url.split('?')
      if (path !== '/gardens' && path !== '/gnomes') return undefined
      if (method === 'GET') {
        const all = [...state].filter(([each]) => new RegExp(`^${path}/[^/]+$`).test(each)).map(([, text]) => text)
        return { status: 200, body: `[${all.join(',')}]` }
      }
      made += 1
      const given = JSON.parse(body) as JsonObject
      const text = JSON.stringify({ ...given, id: made })
      state.set(`/gardens/${String(given['slug'])}`, text)
      return { status: 201, body: text }
    },
  })
  const { state } = server
  state.set('/gardens/rose', garden(7))
  if (resources.some(({ type }) => type === 'park_garden')) state.delete('/gardens/rose')
  const drive = driveDocument(server, document, resources)
  const want = (now: readonly JsonObject[], more: JsonObject = {}): void => {
    const providers = { api: { source: 'rest', definition: './api.provider.yaml', with: { baseUrl: server.url } } }
    drive.current.bundle = yaml(JSON.stringify({ workspace: 'things', providers, resources: now as Json, ...more }), {
      'api.provider.yaml': document,
    })
  }
  const look = async () => {
    const { plan } = await drive.check()
    return {
      plan,
      changes: plan.changes.map(({ action, address, blocked }) => `${blocked?.reason ?? action} ${address}`),
      unchecked: plan.unchecked.map(({ reason, address }) => `${reason} ${address}`),
      details: plan.unchecked.map(({ detail }) => detail),
    }
  }
  const settle = async () => drive.apply((await drive.check()).digest)
  /** Others make the garden again, with all that is in it. */
  const remake = (): void => {
    state.set('/gardens/rose', garden(900))
    for (const path of [...state.keys()].filter((each) => /beds|gnomes/.test(each)))
      state.set(path, JSON.stringify({ ...(JSON.parse(state.get(path) ?? '{}') as JsonObject), note: 'theirs' }))
  }
  const applied = await settle()
  return {
    ...drive,
    server,
    state,
    garden,
    want,
    look,
    settle,
    remake,
    applied,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
