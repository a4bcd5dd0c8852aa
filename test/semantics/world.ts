import type { Json, JsonObject } from '../../core/engine/schema/json.ts'
import { driveDocument, startThings, type ThingsOptions } from '../builders/servers/things-api.ts'

/* Workflows over a real server on loopback whose objects are JSON texts. */

/** Answers a GET of `/things` or `/projects` with the list of what is stored below, and one of the `/tags` of a thing with `{ tags }`. */
export const lists: NonNullable<ThingsOptions['route']> = ({ method, url }, state) => {
  const [path = ''] = url.split('?')
  if (method !== 'GET' || !/\/(things|projects|tags)$/.test(path)) return undefined
  const below = [...state].filter(([each]) => each.slice(0, each.lastIndexOf('/')) === path)
  const list = `[${below.map(([, text]) => text).join(',')}]`
  return { status: 200, body: path.endsWith('/tags') ? `{"tags":${list}}` : list }
}

/** A type whose objects have ids of the server, and are found in a list by their name. */
export const aListedType = (attributes: string, more = '', place = 'things'): string => `
operations:
  list: { method: GET, path: /${place} }
  retrieve: { method: GET, path: "/${place}/{id}" }
  create: { method: POST, path: /${place}, produces: { id: id } }
  update: { method: PATCH, path: "/${place}/{id}" }
  delete: { method: DELETE, path: "/${place}/{id}" }
identity: { keys: [name] }
lookup: { list: {}, match: [name] }
serverId: { id: id }
${more}
parts:
  - name: main
    read: retrieve
    write: { op: update }
    attributes:
      name: { required: true }
${attributes.trim().replaceAll(/^ */gm, '      ')}
`

/** A type whose tags are read and written apart, each by a request of its own. */
export const taggedType = `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: "/things/{name}" }
  update: { method: PUT, path: "/things/{name}" }
  delete: { method: DELETE, path: "/things/{name}" }
  tags: { method: GET, path: "/things/{name}/tags" }
  setTag: { method: PUT, path: "/things/{name}/tags/{el.id}" }
  dropTag: { method: DELETE, path: "/things/{name}/tags/{el.id}" }
identity: { keys: [name] }
lookup: { retrieve: true }
parts:
  - name: main
    read: retrieve
    write: { op: update, send: object }
    attributes: { name: { in: path, required: true }, size: { type: number }, color: {} }
  - name: tags
    read: tags
    onCreate: after
    collection:
      field: tags
      key: [id]
      element: { id: {}, color: {} }
      write: { each: { create: setTag, update: setTag, remove: dropTag } }
`

/** A type of things with an attribute `name` in the path. `attributes` and `more` are lines of YAML. */
export const aType = (attributes: string, more = '', place = 'things'): string => `
operations:
  retrieve: { method: GET, path: "/${place}/{name}" }
  create: { method: PUT, path: "/${place}/{name}" }
  update: { method: PUT, path: "/${place}/{name}" }
  delete: { method: DELETE, path: "/${place}/{name}" }
identity: { keys: [name] }
lookup: { retrieve: true }
${more}
parts:
  - name: main
    read: retrieve
    write: { op: update, send: object }
    attributes:
      name: { in: path, required: true }
${attributes.trim().replaceAll(/^ */gm, '      ')}
`

/** A provider document with these types, each named `api_<name>`. */
export const aDocument = (types: Readonly<Record<string, string>>): string =>
  [
    'provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }',
    'resources:',
    ...Object.entries(types).map(([name, text]) => `  api_${name}:\n${text.replaceAll(/^/gm, '    ')}`),
    '',
  ].join('\n')

/** A resource of type `api_thing`, whose object has the name of the resource. */
export const aThing = (name: string, spec: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  type: 'api_thing',
  name,
  spec: { name, ...spec },
  ...more,
})

interface WorldOptions {
  /** YAML of the attributes of `api_thing`. */
  readonly attributes?: string
  /** More keys of the type. */
  readonly more?: string
  /** A whole document, instead of `api_thing` alone. */
  readonly document?: string
  readonly resources: readonly JsonObject[]
  readonly live?: Readonly<Record<string, Json>>
  /** Keys of the workspace. */
  readonly settings?: JsonObject
  /** By their sources. */
  readonly secrets?: Readonly<Record<string, string>>
  readonly server?: ThingsOptions
}

/** The server and the workflows over it; `await using` ends the server. */
export const aWorld = async ({
  attributes = 'size: { type: number }',
  more = '',
  document = aDocument({ thing: aType(attributes, more) }),
  resources,
  live = {},
  settings = {},
  secrets = {},
  server: options = {},
}: WorldOptions) => {
  const server = await startThings(options)
  for (const [name, value] of Object.entries(live)) server.state.set(`/things/${name}`, JSON.stringify(value))
  const drive = driveDocument(server, document, resources, {}, settings)
  Object.assign(drive.secrets, secrets)
  const checkAndApply = async () => {
    const { plan, digest } = await drive.check()
    return { plan, apply: await drive.apply(digest) }
  }
  const sent = () => server.writes().map(({ method, url }) => `${method} ${url}`)
  const bodyOf = (name: string): Json => JSON.parse(server.state.get(`/things/${name}`) ?? 'null') as Json
  const put = (name: string, value: Json) => void server.state.set(`/things/${name}`, JSON.stringify(value))
  return {
    ...drive,
    server,
    checkAndApply,
    sent,
    bodyOf,
    put,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

interface Judged {
  readonly attributes: string
  readonly desired: JsonObject
  /** Absent: there is no object. */
  readonly live?: JsonObject
  readonly lifecycle?: JsonObject
  readonly more?: string
  readonly secrets?: WorldOptions['secrets']
}

/** What a check says of one thing, what an apply of it sends, and whether a check after that finds nothing more. */
export const judge = async ({ attributes, desired, live, lifecycle = {}, more = '', secrets = {} }: Judged) => {
  await using world = await aWorld({
    attributes,
    more,
    secrets,
    resources: [aThing('a', desired, { lifecycle })],
    ...(live === undefined ? {} : { live: { a: live } }),
  })
  const { plan, digest } = await world.check()
  if (plan.commands.length > 0) await world.apply(digest)
  const [change] = plan.changes
  const action = change === undefined ? 'none' : change.blocked === undefined ? change.action : 'blocked'
  const { inSync } = (await world.check()).plan
  return { action, plan, inSync, stored: world.bodyOf('a'), sent: world.sent().map((line) => line.split(' ')[0]) }
}
