import type { Request, Response } from '../../core/engine/schema/command.ts'
import type { Json, JsonObject } from '../../core/engine/schema/json.ts'
import { isArray } from '../../core/engine/schema/json.ts'
import { idsOfType, type Model } from './model.ts'
import {
  byUid,
  change,
  collection,
  create,
  fold,
  handleOf,
  idOf,
  remove,
  shown,
  type Thing,
  type ThingType,
  type World,
} from './world.ts'

/* The HTTP of a model: requests over the state of a server. */

/** A request as it comes to the server. */
export interface Asked extends Pick<Request, 'method' | 'body' | 'effect'> {
  readonly url: string
}

/** What a request is about: an object, a place in a collection where there is none, or nothing that exists. */
export type Meeting =
  | { readonly kind: 'thing'; readonly uid: number }
  /** One element of an object, or all of them. */
  | { readonly kind: 'mark'; readonly uid: number; readonly mark?: string }
  | { readonly kind: 'collection'; readonly type: ThingType; readonly zone?: number; readonly named?: Named }
  | { readonly kind: 'nothing' }

interface Named {
  readonly name: string
  readonly space?: string
}

const nothing: Meeting = { kind: 'nothing' }
export const pageSize = 2
export const callerPath = '/caller'

/** Whether a segment of the path is a name, and not an id. */
const isNamed = (model: Model, type: ThingType, first: string): boolean =>
  first.endsWith('-names') || idsOfType(model, type) === 'none'

const namedBy = ({ keys }: Model, type: ThingType, rest: readonly string[]): Named | undefined => {
  const [first, second] = rest
  if (first === undefined) return undefined
  if (type === 'zone' || keys === 1) return second === undefined ? { name: first } : undefined
  return second === undefined || rest.length > 2 ? undefined : { space: first, name: second }
}

/** What the path of a request leads to, as the server is now. */
export const meet = (world: World, url: string): Meeting => {
  const { model } = world
  const segments = new URL(url, 'http://model.test').pathname.split('/').slice(1).map(decodeURIComponent)
  const isBelow = model.parents === 'path' && segments[0] === 'zones' && segments.length > 2
  const called = isBelow ? zoneCalled(world, segments[1]) : undefined
  if (isBelow && called === undefined) return nothing
  const [first = '', ...rest] = isBelow ? segments.slice(2) : segments
  const type: ThingType | undefined = /^zone/.test(first) ? 'zone' : /^item/.test(first) ? 'item' : undefined
  if (type === undefined || (type === 'item' && model.parents === 'path' && !isBelow)) return nothing
  const isMark = model.marks && rest.includes('marks')
  return isMark ? meetMark(world, type, called?.uid, first, rest) : meetIn(world, type, called?.uid, first, rest)
}

const meetMark = (...[world, type, zone, first, rest]: Parameters<typeof meetIn>): Meeting => {
  const place = rest.indexOf('marks')
  const owner = meetIn(world, type, zone, first, rest.slice(0, place))
  if (owner.kind !== 'thing') return nothing
  const at = rest[place + 1]
  if (at === undefined) return { kind: 'mark', uid: owner.uid }
  const mark = byUid(world, owner.uid)?.marks[Number(at)]
  return mark === undefined ? nothing : { kind: 'mark', uid: owner.uid, mark }
}

const meetIn = (
  world: World,
  type: ThingType,
  zone: number | undefined,
  first: string,
  rest: readonly string[],
): Meeting => {
  const below = zone === undefined ? {} : { zone }
  if (rest.length === 0) return { kind: 'collection', type, ...below }
  const { model } = world
  const all = collection(world, type, zone)
  if (!isNamed(model, type, first)) {
    const found = all.find((each) => idOf(world, each) === rest[0])
    return found === undefined || rest.length > 1 ? nothing : { kind: 'thing', uid: found.uid }
  }
  const named = namedBy(model, type, rest)
  if (named === undefined) return nothing
  const found = all.find(
    (each) =>
      fold(model, each.name) === fold(model, named.name) && (named.space === undefined || each.space === named.space),
  )
  return found === undefined ? { kind: 'collection', type, ...below, named } : { kind: 'thing', uid: found.uid }
}

export type Login = 'ann' | 'bob'

interface Answered extends Response {
  /** What the request made. */
  readonly created?: number
}

const answer = (status: number, body: Json = null, headers: Record<string, string> = {}): Answered => ({
  status,
  headers: body === null ? headers : { 'content-type': 'application/json', ...headers },
  body,
})

const notFound = answer(404, { error: 'not found' })
const conflict = answer(409, { error: 'taken, or still in use' })
const invalid = (error: string): Answered => answer(422, { error })

/** Answers a request and changes the world. `login`: who asks; only the first one sees everything. */
export const serve = (world: World, { method, url, body }: Asked, login: Login = 'ann'): Answered => {
  if (new URL(url, 'http://model.test').pathname === callerPath) return answer(200, { login, all: login === 'ann' })
  const met = meet(world, url)
  if (met.kind === 'nothing') return notFound
  const given = (body ?? {}) as JsonObject
  if (met.kind === 'collection') {
    if (method === 'GET') return met.named === undefined ? list(world, met, url) : notFound
    const makes = method === (world.model.upsert ? 'PUT' : 'POST') && (met.named !== undefined) === world.model.upsert
    return makes ? make(world, met, given) : met.named === undefined ? answer(405, { error: method }) : notFound
  }
  const thing = byUid(world, met.uid)
  if (thing === undefined) return notFound
  if (met.kind === 'mark') return writeMark(world, thing, met.mark, method, given)
  if (method === 'GET') return answer(200, shown(world, thing))
  if (method === 'DELETE') return remove(world, thing.uid) ? answer(204) : conflict
  if (method === 'PATCH' || method === 'PUT') return update(world, thing, given)
  return answer(405, { error: method })
}

const writeMark = (
  world: World,
  thing: Thing,
  mark: string | undefined,
  method: string,
  body: JsonObject,
): Answered => {
  const name = String(body['name'])
  if (method === 'POST' && mark === undefined) {
    if (thing.marks.includes(name)) return conflict
    change(world, thing.uid, { marks: [...thing.marks, name] })
    return answer(201, { name, at: thing.marks.length })
  }
  if (method !== 'DELETE' || mark === undefined) return answer(405, { error: method })
  change(world, thing.uid, { marks: thing.marks.filter((each) => each !== mark) })
  return answer(204)
}

const list = (world: World, { type, zone }: Extract<Meeting, { kind: 'collection' }>, url: string): Answered => {
  const all = collection(world, type, zone).map((each) => shown(world, each))
  if (!world.model.pages) return answer(200, all)
  const page = Number(new URL(url, 'http://model.test').searchParams.get('page') ?? 1)
  return answer(200, all.slice((page - 1) * pageSize, page * pageSize))
}

const zoneCalled = (world: World, handle: Json | undefined): Thing | undefined =>
  collection(world, 'zone', undefined).find((each) => {
    const own = handleOf(world, each.uid)
    return (
      own === handle ||
      (own === each.name && typeof handle === 'string' && fold(world.model, own) === fold(world.model, handle))
    )
  })

/** The members of a body, as the world keeps them; a text says what is wrong. */
const membersOf = (world: World, type: ThingType, body: JsonObject): Partial<Omit<Thing, 'uid'>> | string => {
  const { model } = world
  const { name, space, size, tags, kind, note, token, zone } = body
  const found = zoneCalled(world, zone)
  const refers = type === 'item' && (model.parents === 'field' || model.parents === 'key') && zone !== undefined
  if (refers && found === undefined) return `there is no zone ${JSON.stringify(zone)}`
  return {
    ...(name === undefined ? {} : { name: String(name) }),
    ...(space === undefined ? {} : { space: String(space) }),
    ...(size === undefined ? {} : { size: Number(size) }),
    ...(isArray(tags) ? { tags: tags.map(String) } : {}),
    ...(kind === undefined ? {} : { kind: String(kind) }),
    ...(note === undefined ? {} : { note: String(note) }),
    ...(token === undefined ? {} : { token: String(token) }),
    ...(refers && found !== undefined ? { zone: found.uid } : {}),
  }
}

const make = (world: World, met: Extract<Meeting, { kind: 'collection' }>, body: JsonObject): Answered => {
  const { type, zone, named } = met
  const members = membersOf(world, type, body)
  if (typeof members === 'string') return invalid(members)
  const name = named?.name ?? members.name
  if (name === undefined || name === '') return invalid('it needs a name')
  const parent = zone ?? members.zone
  if (type === 'item' && world.model.parents !== 'none' && parent === undefined) return invalid('it needs a zone')
  const below = parent === undefined ? {} : { zone: parent }
  const space = named?.space === undefined ? {} : { space: named.space }
  const thing = create(world, { ...members, type, name, ...space, ...below })
  if (thing === undefined) return conflict
  return { ...(world.model.silent ? answer(201) : answer(201, shown(world, thing))), created: thing.uid }
}

const update = (world: World, thing: Thing, body: JsonObject): Answered => {
  const members = membersOf(world, thing.type, body)
  if (typeof members === 'string') return invalid(members)
  const { model } = world
  const isOther = (name: 'kind' | 'name' | 'space'): boolean =>
    members[name] !== undefined && members[name] !== thing[name]
  if (isOther('kind')) return invalid('kind cannot be changed')
  if (!model.renames && (isOther('name') || isOther('space'))) return invalid('it cannot be renamed')
  if (!change(world, thing.uid, members)) return conflict
  const after = byUid(world, thing.uid)
  return after === undefined ? notFound : answer(200, shown(world, after))
}
