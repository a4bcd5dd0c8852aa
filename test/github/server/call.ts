import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { teamBySlug } from '../state/organization.ts'
import type { Repository } from '../state/parts.ts'
import type { Account, Organization, Team, World } from '../state/shapes.ts'
import { keyOf } from '../state/world.ts'
import type { Resource } from './limits.ts'
import { notFound } from './refusal.ts'
import type { Actor, Tokens } from './tokens.ts'

/** What an operation is asked, after the description has checked it. */
export interface Call {
  readonly world: World
  readonly operation: string
  readonly params: Readonly<Record<string, string>>
  readonly query: JsonObject
  readonly body: JsonObject
  readonly actor: Actor
  /** The media types that were asked for. */
  readonly accept: string
  readonly tokens: Tokens
  /** What is left of the actor's hour. */
  readonly limit: (resource?: Resource) => JsonObject
}

export interface Listed {
  /** The whole list, in GitHub's order; the server cuts the page that was asked for. */
  readonly items: readonly unknown[]
  readonly view: (item: never) => Json
  /** The member that holds the list, beside `total_count`; without it the body is the list. */
  readonly under?: string
  /** More members beside the list. */
  readonly beside?: JsonObject
}

export interface Reply {
  readonly status: number
  readonly body?: Json
  readonly headers?: Readonly<Record<string, string>>
  readonly list?: Listed
}

export type Handler = (call: Call) => Reply
/** By `operationId` of the description. */
export type Shelf = Readonly<Record<string, Handler>>

export const ok = (body: Json, status = 200): Reply => ({ status, body })
export const done: Reply = { status: 204 }

export const listed = <Item>(
  items: Iterable<Item>,
  view: (item: Item) => Json,
  under?: string,
  beside?: JsonObject,
): Reply => ({
  status: 200,
  list: {
    items: [...items],
    view,
    ...(under === undefined ? {} : { under }),
    ...(beside === undefined ? {} : { beside }),
  },
})

export const param = ({ params }: Call, name: string): string => params[name] ?? ''

export const organizationOf = (call: Call): Organization =>
  call.world.organizations.get(keyOf(param(call, 'org'))) ?? notFound()

export const repositoryOf = ({ world, params }: Pick<Call, 'world' | 'params'>): Repository => {
  const { owner = '', repo = '' } = params
  const id = world.repositoryIds.get(keyOf(owner, repo))
  return (id === undefined ? undefined : world.repositories.get(id)) ?? notFound()
}

export const teamOf = (call: Call): Team => teamBySlug(organizationOf(call), param(call, 'team_slug')) ?? notFound()

export const accountOf = ({ world }: Pick<Call, 'world'>, login: string): Account =>
  world.accounts.get(keyOf(login)) ?? notFound()

/** What the map holds under the number in the path. */
export const byId = <Item>(call: Call, items: ReadonlyMap<number, Item>, name: string): Item =>
  items.get(Number(param(call, name))) ?? notFound()

/** Members that were sent, of those that the operation takes. */
export const taken = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
