import type { Step } from './steps.ts'
import { byUid, change, create, idOf, remove, type Thing, type World } from './world.ts'

/* What others do to the server. Each answers what it did, in words, or nothing where it could not be done. */

export const itemNames = ['a', 'b', 'c', 'd', 'A'] as const
export const zoneNames = ['north', 'south', 'North'] as const
export const spaces = ['x', 'y'] as const

export const at = <Value>(list: readonly Value[], index: number): Value | undefined => list[index % list.length]

const calledOf = (thing: Thing): string => `${thing.type} ${thing.name}`

/** A name of the pool, or the id of something that exists. */
const nameFor = (world: World, type: Thing['type'], b: number): string => {
  const ids = world.things.flatMap((each) => idOf(world, each) ?? [])
  const pool = type === 'zone' ? zoneNames : itemNames
  return (b === 5 ? at(ids, 0) : undefined) ?? at<string>(pool, b) ?? 'a'
}

const createOutside = (world: World, { a, b, c }: Step): string | undefined => {
  const zones = world.things.filter(({ type }) => type === 'zone')
  const type = world.model.parents !== 'none' && (zones.length === 0 || a % 3 === 0) ? 'zone' : 'item'
  const zone = type === 'item' && world.model.parents !== 'none' ? at(zones, c)?.uid : undefined
  const name = nameFor(world, type, b)
  const space = at(spaces, Math.floor(a / 2)) ?? 'x'
  const made = create(world, { type, name, space, size: c, ...(zone === undefined ? {} : { zone }) })
  return made && `somebody creates ${calledOf(made)}${zone === undefined ? '' : ` in zone ${byUid(world, zone)?.name}`}`
}

/** Named like one that exists: with the same in all else, or of another kind, or in another zone. */
const twinOutside = (world: World, thing: Thing, { b, c }: Step): string | undefined => {
  const { uid: _, id: __, serial: ___, token: ____, ...rest } = thing
  const made = create(world, { ...rest, ...otherwise(world, thing, b, c) })
  return made && `somebody creates another ${calledOf(thing)}${besides(world, thing, made)}`
}

/** With all that it had, or with another kind, or in another zone; a zone with all that was inside, or empty. */
const recreateOutside = (world: World, thing: Thing, { b, c }: Step): string | undefined => {
  const { uid: _, id: __, serial: ___, token: ____, ...rest } = thing
  const inside = world.things.filter((each) => each.zone === thing.uid)
  if (!remove(world, thing.uid)) return undefined
  const made = create(world, { ...rest, ...otherwise(world, thing, b, c) })
  if (made === undefined) return undefined
  const again = b % 2 === 1 ? inside : []
  for (const { name, space, size, kind } of again)
    create(world, { type: 'item', name, space, size, kind, zone: made.uid })
  const within = again.length > 0 ? ', with items named as before' : ''
  return `somebody deletes ${calledOf(thing)} and creates another of the same name${besides(world, thing, made)}${within}`
}

/** In what a twin or a successor is not the same. */
const otherwise = (world: World, thing: Thing, b: number, c: number): Partial<Pick<Thing, 'kind' | 'zone'>> => {
  const zones = world.things.filter(({ type, uid }) => type === 'zone' && uid !== thing.zone)
  if (thing.type === 'zone' || b % 3 === 0) return {}
  if (b % 3 === 1) return { kind: 'other' }
  const zone = at(zones, c)
  return zone === undefined || thing.zone === undefined ? {} : { zone: zone.uid }
}

const besides = (world: World, thing: Thing, made: Thing): string => {
  const where = made.zone === thing.zone ? '' : `, in zone ${byUid(world, made.zone)?.name}`
  return `${where}${made.kind === thing.kind ? '' : ', of another kind'}`
}

/** A zone that is named like the id of another, with items that are named like that one's. */
const impostorOutside = (world: World, { a, b }: Step): string | undefined => {
  const zone = at(
    world.things.filter(({ type }) => type === 'zone'),
    a,
  )
  const id = zone && idOf(world, zone)
  if (zone === undefined || id === undefined) return undefined
  const items = world.things.filter((each) => each.zone === zone.uid)
  if (b % 2 === 1) remove(world, zone.uid)
  const impostor = create(world, { type: 'zone', name: id })
  if (impostor === undefined) return undefined
  for (const { name, space, size, kind } of items)
    create(world, { type: 'item', name, space, size, kind, zone: impostor.uid })
  const before = b % 2 === 1 ? `deletes ${calledOf(zone)} and ` : ''
  return `somebody ${before}creates a zone named ${id} (the id of ${zone.name}) with the same items`
}

const reorder = (world: World, a: number): string | undefined => {
  const { things } = world
  if (things.length < 2) return undefined
  const by = 1 + (a % (things.length - 1))
  world.things = [...things.slice(by), ...things.slice(0, by)]
  return `somebody reorders the lists: ${world.things.map(calledOf).join(', ')}`
}

const editOutside = (world: World, thing: Thing, { b, c }: Step): string | undefined => {
  const tags = [['t1'], ['t1', 't2'], []][c % 3] ?? []
  const marks = [[...thing.marks].reverse(), ['m0', ...thing.marks], thing.marks.slice(1)][c % 3] ?? []
  const item = { size: b, tags, ...(world.model.marks ? { marks: [...new Set(marks)] } : {}) }
  const next = thing.type === 'zone' ? { note: `note ${b}` } : item
  return change(world, thing.uid, next) ? `somebody changes ${calledOf(thing)}: ${JSON.stringify(next)}` : undefined
}

const reparentOutside = (world: World, thing: Thing, { b }: Step): string | undefined => {
  const zone = at(
    world.things.filter(({ type }) => type === 'zone'),
    b,
  )
  if (thing.type !== 'item' || zone === undefined || zone.uid === thing.zone) return undefined
  return change(world, thing.uid, { zone: zone.uid })
    ? `somebody puts ${calledOf(thing)} into zone ${zone.name}`
    : undefined
}

const renameOutside = (world: World, thing: Thing, { b }: Step): string | undefined => {
  const name = nameFor(world, thing.type, b)
  if (!world.model.renames || name === thing.name) return undefined
  return change(world, thing.uid, { name }) ? `somebody renames ${calledOf(thing)} to ${name}` : undefined
}

/** What requests cannot change, the server can: another kind, and with an odd `c` another name as well. */
const refitOutside = (world: World, thing: Thing, { b, c }: Step): string | undefined => {
  const kind = thing.kind === 'other' ? 'another' : 'other'
  const name = world.model.renames && c % 2 === 1 ? nameFor(world, thing.type, b) : thing.name
  const words = `somebody makes ${calledOf(thing)} of another kind${name === thing.name ? '' : `, and renames it to ${name}`}`
  if (thing.type !== 'item' || !change(world, thing.uid, { kind, name })) return undefined
  return words
}

export const playOutside = (world: World, step: Step): string | undefined => {
  if (step.do === 'create outside') return createOutside(world, step)
  if (step.do === 'impostor outside') return impostorOutside(world, step)
  if (step.do === 'reorder outside') return reorder(world, step.a)
  const thing = at(world.things, step.a)
  if (thing === undefined) return undefined
  switch (step.do) {
    case 'rename outside':
      return renameOutside(world, thing, step)
    case 'delete outside':
      return remove(world, thing.uid) ? `somebody deletes ${calledOf(thing)}` : undefined
    case 'recreate outside':
      return recreateOutside(world, thing, step)
    case 'twin outside':
      return twinOutside(world, thing, step)
    case 'edit outside':
      return editOutside(world, thing, step)
    case 'refit outside':
      return refitOutside(world, thing, step)
    case 'reparent outside':
      return reparentOutside(world, thing, step)
    default:
      return undefined
  }
}
