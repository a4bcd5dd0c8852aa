import { createHash } from 'node:crypto'
import type { JsonObject } from '../../core/engine/schema/json.ts'
import { idsOfType, isRenamable, type Model } from './model.ts'

/* The state of a server. Each object has an identity that never changes and that no request can see: its `uid`. */

export type ThingType = 'zone' | 'item'

export interface Thing {
  readonly uid: number
  readonly type: ThingType
  /** Made by the server; absent where there is none or it is a position. */
  readonly id?: string
  readonly name: string
  readonly space: string
  /** The uid of its zone. */
  readonly zone?: number
  readonly size: number
  readonly tags: readonly string[]
  readonly kind: string
  readonly note: string
  /** Names of its elements, in their order. */
  readonly marks: readonly string[]
  readonly token?: string
  /** Counts writes; computed. */
  readonly serial: number
}

/** `things` in the order of lists. Plain data: a copy of it is a snapshot. */
export interface World {
  readonly model: Model
  things: readonly Thing[]
  made: number
}

export const emptyWorld = (model: Model): World => ({ model, things: [], made: 0 })

export const snapshot = (world: World): World => ({ ...world })

export const byUid = ({ things }: World, uid: number | undefined): Thing | undefined =>
  things.find((each) => each.uid === uid)

/** What a list shows: items below their zone are in a list of their own. */
export const collection = ({ model, things }: World, type: ThingType, zone: number | undefined): readonly Thing[] =>
  things.filter((each) => each.type === type && (type === 'zone' || model.parents !== 'path' || each.zone === zone))

export const idOf = (world: World, thing: Thing): string | undefined => {
  if (idsOfType(world.model, thing.type) !== 'position') return thing.id
  const at = collection(world, thing.type, thing.zone).findIndex(({ uid }) => uid === thing.uid)
  return at === -1 ? undefined : String(at)
}

const codeOf = ({ uid }: Thing): string => `code-${uid}`

/** What others call a zone: its code or its id, or its name where it has none. */
export const handleOf = (world: World, uid: number | undefined): string | undefined => {
  const zone = byUid(world, uid)
  if (zone === undefined) return undefined
  return world.model.emit === 'code' ? codeOf(zone) : (idOf(world, zone) ?? zone.name)
}

export const fold = ({ casing }: Model, name: string): string => (casing ? name.toLowerCase() : name)

const hasSpace = ({ keys }: Model, type: ThingType): boolean => type === 'item' && keys === 2

/** As the API shows it. */
export const shown = (world: World, thing: Thing): JsonObject => {
  const { model } = world
  const id = idOf(world, thing)
  const common = { ...(id === undefined ? {} : { id }), name: thing.name, serial: thing.serial }
  if (thing.type === 'zone') {
    return { ...common, note: thing.note, ...(model.emit === 'code' ? { code: codeOf(thing) } : {}) }
  }
  return {
    ...common,
    ...(hasSpace(model, thing.type) ? { space: thing.space } : {}),
    ...(model.parents === 'none' ? {} : { zone: handleOf(world, thing.zone) ?? null }),
    size: thing.size,
    tags: [...thing.tags],
    kind: thing.kind,
    ...(model.marks ? { marks: thing.marks.map((name, at) => ({ name, at })) } : {}),
  }
}

/** The same text for objects that nobody could tell apart by what is compared: computed values are not. */
export const looks = (world: World, thing: Thing): string => {
  const { serial: _, code: __, ...rest } = shown(world, thing)
  return JSON.stringify([thing.type, rest])
}

/** What identifies it among its like, below its zone where that counts. */
export const keysOf = ({ model }: World, { type, name, space, zone }: Thing): string =>
  JSON.stringify([
    type,
    fold(model, name),
    ...(hasSpace(model, type) ? [space] : []),
    ...(type === 'item' && (model.parents === 'path' || model.parents === 'key') ? [zone ?? null] : []),
  ])

/** What tells it from others without an id, as it can be seen: its keys, what its zone is called, and what never changes. */
export const visibleKeysOf = (world: World, thing: Thing): string =>
  JSON.stringify([
    keysOf(world, { ...thing, zone: 0 }),
    thing.zone === undefined ? null : handleOf(world, thing.zone),
    thing.kind,
  ])

/** Where a request for it goes besides its id: a path that holds its zone leads nowhere else. */
export const placeOf = (world: World, { type, zone }: Thing): string =>
  JSON.stringify([type, world.model.parents === 'path' && zone !== undefined ? handleOf(world, zone) : null])

/** What the document says that never changes. */
export const fixedOf = (world: World, { type, name, space, zone, kind }: Thing): string => {
  const { model } = world
  if (isRenamable(model)) return JSON.stringify([kind])
  const isKey = type === 'item' && model.parents === 'key' && zone !== undefined
  return JSON.stringify([kind, fold(model, name), space, isKey ? handleOf(world, zone) : null])
}

/** What a look by its keys compares. */
export const soughtKeysOf = (world: World, thing: Thing): string => {
  const { parents } = world.model
  const isBelow = thing.type === 'item' && (parents === 'path' || parents === 'key')
  const within = isBelow && thing.zone !== undefined ? handleOf(world, thing.zone) : undefined
  return JSON.stringify([keysOf(world, { ...thing, zone: 0 }), within ?? null])
}

const nextId = (world: World, type: ThingType): string | undefined => {
  const used = new Set(world.things.flatMap((each) => (each.type === type ? [each.id] : [])))
  switch (idsOfType(world.model, type)) {
    case 'random': {
      const hex = createHash('sha256').update(`${type}${world.made}`).digest('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
    }
    case 'text':
      return `${type[0]}q${world.made + 1}k`
    case 'counted':
      return String(world.made + 10)
    case 'reused':
      for (let id = 1; ; id += 1) if (!used.has(String(id))) return String(id)
    default:
      return undefined
  }
}

export type NewThing = Pick<Thing, 'type' | 'name'> & Partial<Omit<Thing, 'uid' | 'id' | 'serial'>>

/** `undefined` where its keys are taken and the server does not allow that. */
export const create = (world: World, given: NewThing): Thing | undefined => {
  const id = nextId(world, given.type)
  const thing: Thing = {
    uid: world.made + 1,
    ...(id === undefined ? {} : { id }),
    space: 'x',
    size: 0,
    tags: [],
    kind: 'plain',
    note: '',
    marks: [],
    ...given,
    serial: 1,
  }
  if (isTaken(world, thing)) return undefined
  world.made += 1
  world.things = [...world.things, thing]
  return thing
}

/** False where its keys are taken. */
export const change = (world: World, uid: number, changes: Partial<Omit<Thing, 'uid'>>): boolean => {
  const thing = byUid(world, uid)
  if (thing === undefined) return false
  const next = { ...thing, ...changes, serial: thing.serial + 1 }
  if (keysOf(world, next) !== keysOf(world, thing) && isTaken(world, next)) return false
  world.things = world.things.map((each) => (each.uid === uid ? next : each))
  return true
}

/** False where it is refused because of what is in it. */
export const remove = (world: World, uid: number): boolean => {
  const inside = new Set(world.things.flatMap((each) => (each.zone === uid ? [each.uid] : [])))
  if (inside.size > 0 && !world.model.cascade) return false
  world.things = world.things.filter((each) => each.uid !== uid && !inside.has(each.uid))
  return true
}

const isTaken = (world: World, thing: Thing): boolean =>
  world.model.unique &&
  world.things.some((each) => each.uid !== thing.uid && keysOf(world, each) === keysOf(world, thing))
