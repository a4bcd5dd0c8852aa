import { addressOf, type Declaration, type Declared, type Move } from './declared.ts'
import { idsOfType, isReadableById, isStable, type Model } from './model.ts'
import { byUid, fixedOf, fold, idOf, placeOf, soughtKeysOf, type Thing, visibleKeysOf, type World } from './world.ts'

/*
 * What is true, by the immortal identities alone. It knows the declarations, the server and what was done; it never asks the
 * product which object a resource is.
 *
 * Nobody has to know what nothing shows. That is this, and no more:
 * - An object that came in the place of ours between two looks, with the same keys, zone and fixed values, and the same id
 *   where ids are given again (`isTied`).
 * - An object of ours to which nothing leads any more that was known of it (`leadsTo`): neither its id, where the API can be
 *   asked for it, in the place where it was, nor its keys. What left is forgotten by a check that finds it so (`forgetGone`).
 * - The id of an object that a command made, where no read came since and the answer told none, was lost, or met a dead worker.
 */

/** An address and an object belonged together, at a time when the object could be known by this. */
interface Tie {
  readonly address: string
  readonly uid: number
  /** Agreed: made or written by us, or found as declared. Otherwise it only had the declared keys. */
  readonly strong: boolean
  /** An `import:` entry says so, and nothing is agreed yet. */
  readonly isImported?: true
  /** A check has found what an `import:` entry names. */
  readonly isSeen?: true
  /** Absent where there is none, it is a position, or nobody was told. */
  readonly id?: string
  /** Of what a command made: it may have been told. */
  readonly isUntold?: true
  readonly place: string
  /** The uid of its zone. */
  readonly zone?: number
  readonly fixed: string
  readonly keys: string
  /** What a look by its keys would compare. */
  readonly sought: string
  /** A check found several objects with these keys, and said so: from then on they prove nothing. */
  readonly doubted?: true
  /** A check found that its zone is not there any more: what is below something else is another one. */
  readonly strayed?: true
}

export interface History {
  /** In the order in which they came: what an address knows is its last one. */
  readonly ties: Tie[]
  /** What commands of ours made. */
  readonly made: Set<number>
  /** Of these those whose id no answer told. */
  readonly mute: Set<number>
}

export type Matches = ReadonlyMap<string, readonly Thing[]>

/** What each address knows. */
const lastTies = ({ ties }: History): ReadonlyMap<string, Tie> => new Map(ties.map((tie) => [tie.address, tie]))

/**
 * A zone with all that is in it, if several recorded objects are among these, and each of them is declared: who sees all else, and
 * none of these, cannot say that they are gone.
 */
export const hideable = (all: Declaration, world: World, history: History, which: number): ReadonlySet<number> => {
  const zones = world.things.filter(({ type }) => type === 'zone')
  const zone = zones[which % Math.max(1, zones.length)]
  const inside = new Set(world.things.flatMap((each) => (each === zone || each.zone === zone?.uid ? [each.uid] : [])))
  const ties = [...lastTies(history).values()].filter(({ uid }) => inside.has(uid))
  const isKnown = ({ address, strong, uid }: Tie): boolean =>
    strong && !history.mute.has(uid) && all.get(address)?.absent === false
  const { ids, parents } = world.model
  // What a value that can change refers to is no place.
  const isMeant =
    zone !== undefined && ties.length > 1 && ties.every(isKnown) && ids !== 'position' && parents !== 'field'
  return isMeant ? inside : new Set()
}

/**
 * What another user does not see. Where the API says that there is less to see, it may be anything; where it only says who asks,
 * what was recorded as the first one sees it, with all that is in it. What the other one has seen (`isSeen`) stays in sight.
 */
export const hiddenFromOther = (
  all: Declaration,
  world: World,
  history: History,
  which: number,
  isSeen: (uid: number) => boolean,
): ReadonlySet<number> => {
  const { caller, ids } = world.model
  if (caller === 'none' || ids === 'position') return new Set()
  const ties = lastTies(history)
  const isKnown = ({ uid }: Thing): boolean =>
    !isSeen(uid) &&
    !history.mute.has(uid) &&
    [...ties.values()].some((tie) => tie.uid === uid && tie.strong && all.get(tie.address)?.absent === false)
  const isHideable = (thing: Thing): boolean =>
    caller === 'sight' || [thing, ...world.things.filter(({ zone }) => zone === thing.uid)].every(isKnown)
  const things = world.things.filter(isHideable)
  const chosen = which === 3 ? things : things.filter((_, index) => index % 3 === which)
  return new Set(
    world.things.flatMap((each) => (chosen.some(({ uid }) => uid === each.uid || uid === each.zone) ? [each.uid] : [])),
  )
}

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

/**
 * The objects that have exactly the keys that each address declares; of several the one that the address was tied to, where an
 * id can tell them apart. Zones first: what is in another zone of the same name does not have the keys.
 */
export const bindAll = (all: Declaration, world: World, history: History): Matches => {
  const found = new Map<string, readonly Thing[]>()
  /** A zone that has not got the name yet that it is given now is still the zone of what is below it. */
  const zonesMeant = new Map<string, readonly Thing[]>()
  const lasts = lastTies(history)
  for (const declared of zonesFirst(all)) {
    const address = addressOf(declared)
    const isBelow = declared.type === 'item' && hasZoneKey(world.model)
    const zones = isBelow ? zonesOf(declared, all, world, zonesMeant) : new Set<number>()
    const isIn = ({ zone }: Thing): boolean => !isBelow || (zone !== undefined && zones.has(zone))
    const things = world.things.filter((each) => hasName(world.model, declared, each) && isIn(each))
    const last = lasts.get(address)
    const isOwn = (each: Thing): boolean => last !== undefined && isTied(last, each, world, history)
    const tied = isReadableById(world.model, declared.type) ? things.filter(isOwn) : []
    const matches = things.length > 1 && tied.length === 1 ? tied : things
    found.set(address, matches)
    const still = (each: Thing): boolean => last?.uid === each.uid && last.sought === soughtKeysOf(world, each)
    zonesMeant.set(address, matches.length === 0 ? world.things.filter(still) : matches)
  }
  return found
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
export const legitimate = (all: Declaration, world: World, history: History): Matches => {
  const found = new Map<string, readonly Thing[]>()
  const lasts = lastTies(history)
  for (const declared of zonesFirst(all)) {
    const address = addressOf(declared)
    const last = lasts.get(address)
    const fits = fitsOf(declared, all, world, found)
    found.set(
      address,
      world.things.filter((each) =>
        last === undefined || !isMadeAgain(last, declared, each, world)
          ? fits(each) || (last !== undefined && isTied(last, each, world, history))
          : false,
      ),
    )
  }
  return found
}

/**
 * Another object under the name of one that was tied, that is gone, and whose id is never given again: it is not meant, unless
 * nothing of that name shall exist.
 */
const isMadeAgain = (last: Tie, { absent, imported }: Declared, thing: Thing, world: World): boolean =>
  !absent &&
  imported === undefined &&
  last.strong &&
  last.id !== undefined &&
  last.isUntold !== true &&
  (isStable(idsOfType(world.model, thing.type)) ||
    (idsOfType(world.model, thing.type) === 'reused' && last.id !== idOf(world, thing))) &&
  last.uid !== thing.uid &&
  byUid(world, last.uid) === undefined

/** Why a declared resource is not as its only object is; `undefined` where it is. */
const differenceOf = (
  declared: Declared,
  all: Declaration,
  world: World,
  known: Matches,
  isWhole = true,
): string | undefined => {
  const address = addressOf(declared)
  const [thing, ...others] = known.get(address) ?? []
  if (declared.absent) return thing && `${address} shall not exist, and is there`
  if (thing === undefined) return `${address} has no object`
  if (others.length > 0 && !isWhole) return undefined
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

const uidsIn = (matches: Matches): readonly number[] =>
  [...matches.values()].flatMap((things) => things.map(({ uid }) => uid))

/** Whether a look by what a tie says comes to this object: by its id, where the API can be asked for it, or by its keys. */
const leadsTo = (tie: Tie, thing: Thing, world: World): boolean => {
  const id = idOf(world, thing)
  const isId = tie.id !== undefined && tie.id === id
  const knowsId = tie.id !== undefined && tie.isUntold !== true
  const isThere = tie.place === placeOf(world, thing) && tie.fixed === fixedOf(world, thing)
  if (isId && knowsId && isReadableById(world.model, thing.type) && isThere) return true
  return tie.sought === soughtKeysOf(world, thing) && (isId || !knowsId)
}

/** Objects of ours that nobody declares any more, and to which something leads. */
const orphans = (world: World, history: History, known: Matches): readonly string[] => {
  const claimed = new Set(uidsIn(known))
  const lasts = [...lastTies(history).values()]
  return world.things.flatMap((thing) => {
    const isOwn = ({ address }: Tie): boolean =>
      history.ties.some((tie) => tie.strong && tie.address === address && tie.uid === thing.uid)
    const owner = lasts.find((tie) => tie.uid === thing.uid && isOwn(tie) && leadsTo(tie, thing, world))
    if (owner === undefined || claimed.has(thing.uid)) return []
    return [`${thing.type} ${thing.name} is left over: ${owner.address} made or took it, and nobody declares it`]
  })
}

/** Everything that keeps a workspace from being in sync. `isWhole`: no list hid a page, where a second object may have been. */
export const truth = (all: Declaration, world: World, history: History, isWhole = true): readonly string[] => {
  const known = bindAll(all, world, history)
  return [
    ...[...all.values()].flatMap((declared) => differenceOf(declared, all, world, known, isWhole) ?? []),
    ...sharedBy(known),
    ...orphans(world, history, known),
  ]
}

/** Whether something has the keys that an address declares. */
export const isThere = (address: string, all: Declaration, world: World, history: History): boolean =>
  (bindAll(all, world, history).get(address) ?? []).length > 0

/** Whether the object of an address still exists, and its own id leads to it, whatever else of it has changed. */
export const isLedTo = (address: string, world: World, history: History): boolean => {
  const tie = lastTies(history).get(address)
  const thing = byUid(world, tie?.uid)
  if (tie === undefined || thing === undefined || tie.isUntold || tie.id === undefined) return false
  if (!tie.strong && tie.isImported !== true) return false
  const isTaken = [...lastTies(history).values()].some(
    (each) => each.uid === tie.uid && each.address !== address && each.isImported === true,
  )
  if (isTaken) return false
  const { ids } = world.model
  const isMoved = world.model.parents !== 'none' && tie.zone !== thing.zone
  return isStable(ids) && isReadableById(world.model, thing.type) && tie.id === idOf(world, thing) && !isMoved
}

/** Whether nobody could be in doubt: each address means one object or none, and its zone is one. */
export const isClear = (all: Declaration, world: World, history: History): boolean => {
  const may = legitimate(all, world, history)
  const uids = uidsIn(may)
  return [...may.values()].every((things) => things.length <= 1) && new Set(uids).size === uids.length
}

const tieOf = (address: string, thing: Thing, world: World, strong: boolean): Tie => {
  const id = idsOfType(world.model, thing.type) === 'position' ? undefined : idOf(world, thing)
  return {
    address,
    uid: thing.uid,
    strong,
    ...(id === undefined ? {} : { id }),
    place: placeOf(world, thing),
    ...(thing.zone === undefined ? {} : { zone: thing.zone }),
    fixed: fixedOf(world, thing),
    keys: visibleKeysOf(world, thing),
    sought: soughtKeysOf(world, thing),
  }
}

const beside = ' (object 2)'
const besideOf = (address: string): string => `${address}${beside}`

/** What a replacement left stands beside its address until it is deleted: one more stands beside that. */
const freeBeside = (address: string, uid: number, world: World, history: History): string => {
  const left = lastTies(history).get(besideOf(address))?.uid
  return left !== uid && byUid(world, left) !== undefined ? `${address} (object 3)` : besideOf(address)
}

/** What a command made for an address: its own, or beside what it replaces for as long as that is there. */
export const tieMade = (
  address: string,
  thing: Thing,
  world: World,
  history: History,
  old: number | undefined,
): void => {
  const tie = tieOf(
    byUid(world, old) === undefined ? address : freeBeside(address, thing.uid, world, history),
    thing,
    world,
    true,
  )
  history.ties.push({ ...tie, isUntold: true })
}

/** What a command called otherwise is known by the new name too, from before it was sent. */
export const tieRenamed = (address: string, before: Thing, world: World, history: History): void => {
  const thing = byUid(world, before.uid)
  const last = lastTies(history).get(address)
  if (thing === undefined || last?.uid !== thing.uid || last.sought === soughtKeysOf(world, thing)) return
  history.ties.push(tieOf(freeBeside(address, thing.uid, world, history), thing, world, true))
}

/** An apply has ended, and what the answers told was noted. */
export const noteMade = ({ ties, mute }: History): void => {
  for (const [index, { isUntold: _, ...tie }] of ties.entries()) if (!mute.has(tie.uid)) ties[index] = tie
}

/**
 * A check takes the former object of a replacement for what is left. Where no answer told the id of the newer one, that is the only one
 * besides it with the name and the fixed values that were sent.
 */
export const followFormer = (former: readonly string[], world: World, history: History): void => {
  const lasts = lastTies(history)
  for (const address of former) {
    const owner = address.slice(0, -beside.length)
    const [made, own] = [lasts.get(address), lasts.get(owner)]
    if (made === undefined || own === undefined || (made.id !== undefined && !made.isUntold)) continue
    const alike = world.things.filter(
      (each) =>
        each.uid !== own.uid && made.sought === soughtKeysOf(world, each) && made.fixed === fixedOf(world, each),
    )
    const [thing] = alike
    if (thing === undefined || alike.length > 1) continue
    history.mute.delete(thing.uid)
    history.ties.push({ ...own, address }, tieOf(owner, thing, world, true))
  }
}

/** Whether it is what a replacement of an address left, which is still to be deleted. */
export const isFormer = (address: string | undefined, uid: number, { ties }: History): boolean =>
  address !== undefined && ties.some((tie) => tie.address === besideOf(address) && tie.uid === uid)

/** A worker died before it could note the answer. */
export const loseId = ({ ties }: History, uid: number): void => {
  for (const [index, { id: _, ...tie }] of ties.entries()) if (tie.uid === uid) ties[index] = tie
}

/** What a check said that it cannot tell, because several objects have the keys, is not known by them any more. */
export const doubtAll = (unclear: readonly string[], world: World, history: History): void => {
  const { ties } = history
  const lasts = lastTies(history)
  const several = (sought: string): boolean =>
    world.things.filter((each) => soughtKeysOf(world, each) === sought).length > 1
  const doubted = new Set(unclear.flatMap((address) => lasts.get(address)?.sought ?? []).filter(several))
  for (const [index, tie] of ties.entries()) if (doubted.has(tie.sought)) ties[index] = { ...tie, doubted: true }
}

/**
 * What left, or shall not exist, is nobody's any more once a check finds nothing to which what is known of it leads, or only
 * what is declared otherwise: it may come back.
 */
export const forgetGone = (all: Declaration, world: World, history: History, open: readonly string[]): void => {
  const known = bindAll(all, world, history)
  const isOpen = (address: string): boolean => open.some((each) => address === each || address === besideOf(each))
  // What a check could not read whole, it has not tied to its new address: the former one still stands for it.
  const isSure = (address: string): boolean => all.get(address)?.absent !== true && !isOpen(address)
  const claimed = new Set(
    [...known].flatMap(([address, things]) => (isSure(address) ? uidsIn(new Map([[address, things]])) : [])),
  )
  const gone = [...lastTies(history)].flatMap(([address, tie]) => {
    const declared = all.get(address)
    if (isOpen(address) || (declared !== undefined && !declared.absent)) return []
    const isMeant = (thing: Thing): boolean => leadsTo(tie, thing, world) && !claimed.has(thing.uid)
    return (known.get(address) ?? []).length === 0 && !world.things.some(isMeant) ? [address] : []
  })
  // What nobody can tell from it, and is declared elsewhere, stands for it.
  const isShown = (tie: Tie): boolean => world.things.some((each) => isTied(tie, each, world, history))
  const lost = new Set(history.ties.flatMap((tie) => (gone.includes(tie.address) && !isShown(tie) ? [tie.uid] : [])))
  const kept = history.ties.filter(({ address }) => !gone.includes(address))
  const strayed = kept.map((tie) =>
    tie.zone !== undefined && lost.has(tie.zone) ? { ...tie, strayed: true as const } : tie,
  )
  history.ties.splice(0, history.ties.length, ...strayed)
}

/**
 * People say that an object belongs to an address, and nothing is agreed yet. An address with a record has its own, as long as that
 * exists.
 */
export const tieImported = (address: string, thing: Thing, world: World, history: History): void => {
  const { ties } = history
  const last = lastTies(history).get(address)
  if (last !== undefined && byUid(world, last.uid) !== undefined) return
  ties.push({ ...tieOf(address, thing, world, false), isImported: true })
}

/** An `import:` entry that left before any check saw it was never said. */
export const forgetUnseenImports = (all: Declaration, history: History): void => {
  const lasts = new Set(lastTies(history).values())
  const isUnseen = (tie: Tie): boolean =>
    tie.isImported === true && tie.isSeen !== true && lasts.has(tie) && !all.has(tie.address)
  history.ties.splice(0, history.ties.length, ...history.ties.filter((tie) => !isUnseen(tie)))
}

/** What a check found for an address that had nothing, and was recorded under one that left, is the new one's. */
export const followFound = (
  all: Declaration,
  world: World,
  history: History,
  isFound: (address: string) => boolean,
): void => {
  const may = legitimate(all, world, history)
  for (const [address, things] of may) {
    const [thing, ...others] = things
    const isForbidden = all.get(address)?.absent === true
    const isNew = history.ties.every(
      (tie) => tie.address !== address || tie.isImported || (isForbidden && byUid(world, tie.uid) === undefined),
    )
    if (!isNew || thing === undefined || others.length > 0 || !isFound(address)) continue
    for (const [index, tie] of history.ties.entries())
      if (tie.uid === thing.uid && !all.has(tie.address)) history.ties[index] = { ...tie, address }
  }
}

/** What others must know of: what the last check found for what is declared. */
export const heldBy = (all: Declaration, history: History): ReadonlySet<number> =>
  new Set(
    [...lastTies(history)].flatMap(([address, { uid, isImported, isSeen, isUntold }]) =>
      all.get(address)?.absent === false && !isUntold && (!isImported || isSeen === true) ? [uid] : [],
    ),
  )

/** Of these, what another workspace can know to be ours: without an id, an object that others rename is another one until we look again. */
export const knownOutside = (held: ReadonlySet<number>, world: World, history: History): ReadonlySet<number> => {
  const isKnown = (tie: Tie): boolean =>
    tie.id !== undefined || world.things.some((thing) => thing.uid === tie.uid && leadsTo(tie, thing, world))
  return new Set(history.ties.flatMap((tie) => (held.has(tie.uid) && isKnown(tie) ? [tie.uid] : [])))
}

/** What was handed over is nobody's any more, whatever a check could read. */
export const forgetRemoved = (removed: readonly string[], { ties }: History): void => {
  const isKept = ({ address }: Tie): boolean => !removed.some((each) => address === each || address === besideOf(each))
  ties.splice(0, ties.length, ...ties.filter(isKept))
}

/**
 * The server went back to a copy: what was gone by then, and shall not be declared any more, may have been forgotten, whatever a check
 * could read. It is not looked for, and may still be known.
 */
export const loosenGone = (all: Declaration, before: World, { ties }: History): void => {
  for (const [index, tie] of ties.entries()) {
    const isGone = byUid(before, tie.uid) === undefined
    if (isGone && all.get(tie.address)?.absent !== false) ties[index] = { ...tie, strong: false }
  }
}

/**
 * What belonged to an address when the copy was made is back, and what the address has since is not there: nobody else has made this
 * object, so that it may be believed to be its own. Nobody has to know it.
 */
export const tieRestored = (then: History['ties'], world: World, history: History): void => {
  const lasts = lastTies(history)
  const isBack = ({ address, uid }: Tie): boolean => {
    const now = lasts.get(address)
    return now !== undefined && byUid(world, now.uid) === undefined && byUid(world, uid) !== undefined
  }
  for (const tie of lastTies({ ...history, ties: [...then] }).values())
    if (isBack(tie)) history.ties.push({ ...tie, address: besideOf(tie.address), strong: false })
}

/** What belonged to an address that has moved belongs to the new one, unless that has something of its own. */
export const followMoves = (moves: readonly Move[], history: History): void => {
  for (const { from, to } of moves) {
    const lasts = lastTies(history)
    if (!lasts.has(from) || lasts.has(to)) continue
    for (const [index, tie] of history.ties.entries())
      if (tie.address === from) history.ties[index] = { ...tie, address: to }
  }
}

/**
 * What belonged to an address that is declared no more, and is not handed over, belongs to the one that has its keys now, unless
 * that has something of its own.
 */
export const followKeys = (all: Declaration, handedOver: readonly string[], world: World, history: History): void => {
  const lasts = lastTies(history)
  const known = bindAll(all, world, history)
  for (const declared of all.values()) {
    const to = addressOf(declared)
    if (lasts.has(to) || declared.imported !== undefined) continue
    const { type, name, space } = declared
    const keys = JSON.parse(soughtKeysOf(world, { type, name, space } as Thing)) as readonly [string, unknown]
    const zones = zonesOf(declared, all, world, known)
    const isLike = (tie: Tie): boolean =>
      (JSON.parse(tie.sought) as readonly [string, unknown])[0] === keys[0] &&
      (type === 'zone' || !hasZoneKey(world.model) || (tie.zone !== undefined && zones.has(tie.zone)))
    const from = [...lasts].find(
      ([address, tie]) =>
        !all.has(address) && !handedOver.includes(address) && !address.endsWith(beside) && isLike(tie),
    )?.[0]
    for (const [index, tie] of history.ties.entries())
      if (tie.address === from) history.ties[index] = { ...tie, address: to }
  }
}

export const seeImports = (open: readonly string[], { ties }: History): void => {
  for (const [index, tie] of ties.entries())
    if (tie.isImported && !open.includes(tie.address)) ties[index] = { ...tie, isSeen: true }
}

/** Ties every address to the only object that it may be, where it has the declared keys; strongly where nothing differs. */
export const tieAll = (
  all: Declaration,
  world: World,
  history: History,
  isKnown: (address: string) => boolean,
): void => {
  const exact = bindAll(all, world, history)
  const uids = uidsIn(exact)
  for (const declared of all.values()) {
    const address = addressOf(declared)
    const [thing, ...others] = exact.get(address) ?? []
    const isShared = uids.filter((uid) => uid === thing?.uid).length > 1
    if (thing === undefined || others.length > 0 || isShared || declared.absent || !isKnown(address)) continue
    const isStrong = differenceOf(declared, all, world, exact) === undefined
    history.ties.push(tieOf(address, thing, world, isStrong))
  }
}

/**
 * Whether an object is the one of a tie, or one that nobody could tell from it. That is only one that came when the other
 * was gone or had got another name, between two checks, with all that is shown and cannot change: the keys, the zone,
 * the kind, and the id where ids are given again. Whoever sees two of them, now or at an earlier check, does know that
 * they prove nothing.
 */
const isTied = (tie: Tie, thing: Thing, world: World, history: History): boolean => {
  if (tie.uid === thing.uid) return true
  if (tie.keys !== visibleKeysOf(world, thing) || !isInSameZone(tie, thing, world, history)) return false
  const ids = idsOfType(world.model, thing.type)
  if (ids !== 'none' && ids !== 'position') return tie.id === idOf(world, thing)
  const isAlone = world.things.every((each) => each === thing || soughtKeysOf(world, each) !== tie.sought)
  return isAlone && tie.doubted !== true
}

/** Whether its zone is the one of the tie, or cannot be told from it, as far as any address knows that one. */
const isInSameZone = (tie: Tie, thing: Thing, world: World, history: History): boolean => {
  if (tie.zone === undefined || tie.zone === thing.zone) return true
  if (tie.strayed) return false
  const own = [...lastTies(history).values()].find(({ uid }) => uid === tie.zone)
  const zone = byUid(world, thing.zone)
  return own === undefined || (zone !== undefined && isTied(own, zone, world, history))
}

/** Whether an address is tied to it under the name that it has; under another one somebody else may use it. */
export const isOurs = (uid: number, world: World, history: History): boolean => {
  const thing = byUid(world, uid)
  if (thing === undefined) return false
  const sought = soughtKeysOf(world, thing)
  return [...lastTies(history).values()].some((tie) => tie.sought === sought && isTied(tie, thing, world, history))
}
