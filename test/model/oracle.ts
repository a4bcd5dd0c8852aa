import { addressOf, type Declaration, type Declared, type Move } from './declared.ts'
import { idsOfType, isRenamable, isStable, type Model } from './model.ts'
import { byUid, fold, idOf, soughtKeysOf, type Thing, visibleKeysOf, type World } from './world.ts'

/*
 * What is true, by the immortal identities alone. It knows the declarations, the server and what was done; it never asks the
 * product which object a resource is.
 */

/** An address and an object belonged together, at a time when the object could be known by this. */
export interface Tie {
  readonly address: string
  readonly uid: number
  /** Agreed: made or written by us, or found as declared. Otherwise it only had the declared keys. */
  readonly strong: boolean
  readonly id: string | undefined
  readonly keys: string
  /** What a look by its keys would compare. */
  readonly sought: string
  /** It was known by an earlier tie alone: it does not have the declared name, and may be in use for something else. */
  readonly renamed?: true
  /** A check found several objects with these keys, and said so: from then on they prove nothing. */
  readonly doubted?: true
}

export interface History {
  readonly ties: Tie[]
  /** What commands of ours made. */
  readonly made: Set<number>
}

export type Matches = ReadonlyMap<string, readonly Thing[]>

const hasZoneKey = ({ parents }: Model): boolean => parents === 'path' || parents === 'key'

/** Whether an object has the keys that are declared, its zone left out. */
const hasName = (model: Model, declared: Declared, thing: Thing): boolean =>
  thing.type === declared.type &&
  fold(model, thing.name) === fold(model, declared.name) &&
  (declared.type === 'zone' || model.keys === 1 || thing.space === declared.space)

const zoneNameOf = ({ zone }: Declared, all: Declaration): string | undefined =>
  zone && (all.get(`m_zone.${zone.label}`)?.name ?? zone.name)

/** The zones that an item's reference may mean. */
const zonesOf = (declared: Declared, all: Declaration, world: World, known: Matches): ReadonlySet<number> => {
  if (declared.zone === undefined) return new Set()
  if (!world.model.byName) return new Set((known.get(`m_zone.${declared.zone.label}`) ?? []).map(({ uid }) => uid))
  const name = fold(world.model, zoneNameOf(declared, all) ?? '')
  return new Set(
    world.things.flatMap((each) => (each.type === 'zone' && fold(world.model, each.name) === name ? [each.uid] : [])),
  )
}

const zonesFirst = (all: Declaration): readonly Declared[] =>
  [...all.values()].sort((left, right) => Number(left.type === 'item') - Number(right.type === 'item'))

/** The objects that have exactly the keys that each address declares. */
const matchAll = (all: Declaration, world: World): Matches => {
  const found = new Map<string, readonly Thing[]>()
  for (const declared of zonesFirst(all)) {
    const named = world.things.filter((each) => hasName(world.model, declared, each))
    const isBelow = declared.type === 'item' && hasZoneKey(world.model)
    const zones = isBelow ? zonesOf(declared, all, world, found) : new Set<number>()
    found.set(
      addressOf(declared),
      named.filter(({ zone }) => !isBelow || (zone !== undefined && zones.has(zone))),
    )
  }
  return found
}

/** Of several with the same keys the one that the address was tied to, where an id can tell them apart. */
export const bindAll = (all: Declaration, world: World, { ties }: History): Matches => {
  const found = matchAll(all, world)
  const narrowed = [...found].map(([address, things]): [string, readonly Thing[]] => {
    const last = ties.findLast((tie) => tie.address === address)
    const tied = things.filter(
      (each) => last !== undefined && hasId(world.model, each.type) && isTied(last, each, world),
    )
    return [address, things.length > 1 && tied.length === 1 ? tied : things]
  })
  return new Map(narrowed)
}

const hasId = (model: Model, type: Thing['type']): boolean => {
  const ids = idsOfType(model, type)
  return ids !== 'none' && ids !== 'position' && model.lookup !== 'keys'
}

/** Whether something is called as declared, in a zone that may rightly be meant. */
const fitsOf = (declared: Declared, all: Declaration, world: World, may: Matches): ((thing: Thing) => boolean) => {
  const isBelow = declared.type === 'item' && hasZoneKey(world.model)
  const known = may.get(`m_zone.${declared.zone?.label}`) ?? []
  const zones = new Set([...zonesOf(declared, all, world, may), ...known.map(({ uid }) => uid)])
  return (thing) =>
    hasName(world.model, declared, thing) && (!isBelow || (thing.zone !== undefined && zones.has(thing.zone)))
}

/** Whether the configuration says of an object, by its name, that it shall not exist. */
export const isForbidden = (thing: Thing, all: Declaration, world: World, history: History): boolean => {
  const may = legitimate(all, world, history)
  return [...all.values()].some((declared) => declared.absent && fitsOf(declared, all, world, may)(thing))
}

/** What an address may rightly mean: what has its keys, and what it was tied to. A zone that was renamed is still the zone. */
export const legitimate = (all: Declaration, world: World, { ties }: History): Matches => {
  const found = new Map<string, readonly Thing[]>()
  for (const declared of zonesFirst(all)) {
    const address = addressOf(declared)
    const own = ties.filter((tie) => tie.address === address)
    const fits = fitsOf(declared, all, world, found)
    found.set(
      address,
      world.things.filter((each) => fits(each) || own.some((tie) => isTied(tie, each, world))),
    )
  }
  return found
}

/** Why a declared resource is not as its only object is; `undefined` where it is. */
const differenceOf = (declared: Declared, all: Declaration, world: World, known: Matches): string | undefined => {
  const address = addressOf(declared)
  const [thing, ...others] = known.get(address) ?? []
  if (declared.absent) return thing && `${address} shall not exist, and is there`
  if (thing === undefined) return `${address} has no object`
  if (others.length > 0) return `${others.length + 1} objects have the keys of ${address}`
  if (declared.type === 'zone') {
    return thing.note === declared.note ? undefined : `${address} has another note: ${thing.note}`
  }
  const wrong = (['size', 'kind'] as const).filter((name) => thing[name] !== declared[name])
  const tags = (list: readonly string[]): string => [...new Set(list)].sort().join()
  if (declared.tags !== undefined && tags(declared.tags) !== tags(thing.tags)) return `${address} has other tags`
  const { marks } = declared
  if (world.model.marks && marks !== undefined && tags(marks) !== tags(thing.marks)) return `${address} has other marks`
  if (wrong.length > 0) return `${address} has another ${wrong.join(' and ')}`
  if (world.model.parents === 'none') return undefined
  const zones = zonesOf(declared, all, world, known)
  return thing.zone !== undefined && zones.has(thing.zone) ? undefined : `${address} is in another zone`
}

/** Addresses that mean the same object. */
const sharedBy = (known: Matches): readonly string[] => {
  const owners = new Map<number, string>()
  const shared: string[] = []
  for (const [address, things] of known) {
    for (const { uid } of things) {
      const other = owners.get(uid)
      if (other !== undefined) shared.push(`${other} and ${address} are one object`)
      owners.set(uid, address)
    }
  }
  return shared
}

/** Objects of ours that nobody declares any more, and that can be known to be ours. */
const orphans = (all: Declaration, world: World, { ties }: History, known: Matches): readonly string[] => {
  const claimed = new Set([...known.values()].flatMap((things) => things.map(({ uid }) => uid)))
  return world.things.flatMap((thing) => {
    const last = ties.findLast(({ uid, strong }) => strong && uid === thing.uid)
    if (last === undefined || claimed.has(thing.uid)) return []
    const ids = idsOfType(world.model, thing.type)
    const isAsKnown = last.keys === visibleKeysOf(world, thing)
    const isRenamed = isStable(ids) && world.model.lookup !== 'keys' && isRenamable(world.model)
    if (!isAsKnown && !(isRenamed && !all.has(last.address))) return []
    const how = isAsKnown ? '' : ' (renamed outside)'
    return [`${thing.type} ${thing.name}${how} is left over: ${last.address} made or took it, and nobody declares it`]
  })
}

/** Everything that keeps a workspace from being in sync. */
export const truth = (all: Declaration, world: World, history: History): readonly string[] => {
  const known = bindAll(all, world, history)
  return [
    ...[...all.values()].flatMap((declared) => differenceOf(declared, all, world, known) ?? []),
    ...sharedBy(known),
    ...orphans(all, world, history, known),
  ]
}

/** Whether nobody could be in doubt: each address means one object or none, and its zone is one. */
export const isClear = (all: Declaration, world: World, history: History): boolean => {
  const may = legitimate(all, world, history)
  const uids = [...may.values()].flatMap((things) => things.map(({ uid }) => uid))
  return [...may.values()].every((things) => things.length <= 1) && new Set(uids).size === uids.length
}

export const tieOf = (address: string, thing: Thing, world: World, strong: boolean): Tie => ({
  address,
  uid: thing.uid,
  strong,
  id: idOf(world, thing),
  keys: visibleKeysOf(world, thing),
  sought: soughtKeysOf(world, thing),
})

/** What a check said that it cannot tell, because several objects have the keys, is not known by them any more. */
export const doubtAll = (unclear: readonly string[], world: World, { ties }: History): void => {
  const several = (sought: string): boolean =>
    world.things.filter((each) => soughtKeysOf(world, each) === sought).length > 1
  const lasts = unclear.flatMap((address) => ties.findLast((tie) => tie.address === address)?.sought ?? [])
  const doubted = new Set(lasts.filter(several))
  for (const [index, tie] of ties.entries()) if (doubted.has(tie.sought)) ties[index] = { ...tie, doubted: true }
}

/** What left and was not there at a check is nobody's any more, where nothing but its name could lead to it: it may come back. */
export const forgetGone = (all: Declaration, world: World, history: History, unclear: readonly string[]): void => {
  const isGone = ({ address, uid, keys }: Tie): boolean => {
    const thing = byUid(world, uid)
    if (all.has(address) || unclear.includes(address) || thing === undefined) return false
    const isFound = isStable(idsOfType(world.model, thing.type)) && world.model.lookup !== 'keys'
    return !isFound && keys !== visibleKeysOf(world, thing)
  }
  history.ties.splice(0, history.ties.length, ...history.ties.filter((tie) => !isGone(tie)))
}

/** What belonged to an address that has moved belongs to the new one. */
export const followMoves = (moves: readonly Move[], history: History): void => {
  for (const { from, to } of moves) {
    const isKnown = (tie: Tie): boolean => history.ties.some(({ address, uid }) => address === to && uid === tie.uid)
    const own = history.ties.filter((tie) => tie.address === from && !isKnown(tie))
    history.ties.push(...own.map((tie) => ({ ...tie, address: to })))
  }
}

/** Ties every address to the only object that it may be, in a zone that has another name by now too; strongly where nothing differs. */
export const tieAll = (
  all: Declaration,
  world: World,
  history: History,
  isKnown: (address: string) => boolean,
): void => {
  const exact = bindAll(all, world, history)
  const may = legitimate(all, world, history)
  const named = new Set([...exact.values()].flatMap((things) => things.map(({ uid }) => uid)))
  // Without an id, what has another name by now is whose that name is.
  const isLeft = (thing: Thing): boolean => hasId(world.model, thing.type) || !named.has(thing.uid)
  const earlier = (address: string): readonly Thing[] => (may.get(address) ?? []).filter(isLeft)
  const known = new Map([...exact].map(([address, things]) => [address, things[0] ? things : earlier(address)]))
  const uids = [...known.values()].flatMap((things) => things.map(({ uid }) => uid))
  for (const declared of all.values()) {
    const address = addressOf(declared)
    const [thing, ...others] = known.get(address) ?? []
    const isShared = uids.filter((uid) => uid === thing?.uid).length > 1
    const isOne = thing !== undefined && others.length === 0 && !isShared
    if (!isOne || declared.absent || !isKnown(address)) continue
    const isStrong = differenceOf(declared, all, world, exact) === undefined
    const renamed = hasName(world.model, declared, thing) ? {} : { renamed: true as const }
    history.ties.push({ ...tieOf(address, thing, world, isStrong), ...renamed })
  }
}

/**
 * Whether an object is the one of a tie, or one that nobody could tell from it. That is only one that came when the other
 * was gone or had got another name, between two checks, with all that is shown and cannot change: the keys, the zone,
 * the kind, and the id where ids are given again. Whoever sees two of them, now or at an earlier check, does know that
 * they prove nothing.
 */
const isTied = (tie: Tie, thing: Thing, world: World): boolean => {
  if (tie.uid === thing.uid) return true
  if (tie.keys !== visibleKeysOf(world, thing)) return false
  const ids = idsOfType(world.model, thing.type)
  if (ids !== 'none' && ids !== 'position') return tie.id === idOf(world, thing)
  const isAlone = world.things.every((each) => each === thing || soughtKeysOf(world, each) !== tie.sought)
  return isAlone && tie.doubted !== true
}

/** Whether any address was ever tied to it under the name that it has; under another one somebody else may use it. */
export const isOurs = (uid: number, world: World, { ties }: History): boolean => {
  const thing = byUid(world, uid)
  if (thing === undefined) return false
  const sought = soughtKeysOf(world, thing)
  return ties.some((tie) => !tie.renamed && tie.sought === sought && isTied(tie, thing, world))
}
