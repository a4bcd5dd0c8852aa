interface Ordered {
  readonly id: string
  readonly dependsOn: readonly string[]
}

/** Decides which commands may run at the same time. Its functions have no side effects. */
export interface Traffic<Command> {
  /** The target of a command, and how many commands the target takes at the same time. */
  laneOf(command: Command): WaveLane
  claimsOf(command: Command): Claims
  /** How many commands run at the same time in all lanes together. */
  readonly most: number
}

interface WaveLane {
  readonly name: string
  readonly width: number
}

/**
 * The way in which a command touches each thing, by the name of the thing. `alone`: no other command may touch it
 * meanwhile.
 */
export type Claims = ReadonlyMap<string, string>

/**
 * Commands that touch one thing run at the same time only if both touch it in the same way, and not `alone`. There is
 * no other rule.
 */
const goTogether = (left: string, right: string): boolean => left === right && left !== 'alone'

export const canRunBeside = (left: Claims, right: Claims): boolean =>
  [...left].every(([thing, way]) => {
    const other = right.get(thing)
    return other === undefined || goTogether(way, other)
  })

/** One command at a time, in the order of the plan. */
export const oneByOne: Traffic<unknown> = {
  laneOf: () => ({ name: '', width: 1 }),
  claimsOf: () => new Map(),
  most: 1,
}

/**
 * Neighbours in the order of the plan that touch a thing in one way. The next turn begins when all of them are done.
 */
interface Turn {
  readonly way: string
  readonly members: number[]
  readonly hasBefore: boolean
  left: number
  next?: Turn
}

export interface Schedule<Command> {
  /** The first command in the order of the plan that can start now. From then on it counts as running. */
  next(): Command | undefined
  /** Call it when a command has ended, with any result. */
  finish(command: Command): void
}

/**
 * Starts commands in the order of the plan. A command starts when all its dependencies are done, no unfinished command
 * before it in the plan touches the same thing in another way, and its lane has room. So commands that cannot run at
 * the same time keep the order of the plan. The time is linear in commands and claims.
 */
export const schedule = <Command extends Ordered>(
  commands: readonly Command[],
  traffic: Traffic<Command>,
): Schedule<Command> => {
  const places = new Map(commands.map(({ id }, place) => [id, place]))
  const { nexts, missing, turns } = orderOf(commands, places, traffic)
  const lanes = openLanes(commands, traffic)
  const lessMissing = (place: number): void => {
    const left = (missing[place] ?? 0) - 1
    missing[place] = left
    if (left === 0) lanes.enter(place)
  }
  for (const [place, count] of missing.entries()) if (count === 0) lanes.enter(place)
  return {
    next: lanes.next,
    finish: (command) => {
      const place = places.get(command.id)
      if (place === undefined) return
      lanes.leave(command)
      for (const next of nexts[place] ?? []) lessMissing(next)
      for (const turn of turns[place] ?? []) {
        turn.left -= 1
        if (turn.left === 0) for (const member of turn.next?.members ?? []) lessMissing(member)
      }
    },
  }
}

/** By places in the plan: what waits for each command, how much each command waits for, and the turns that it is in. */
const orderOf = <Command extends Ordered>(
  commands: readonly Command[],
  places: ReadonlyMap<string, number>,
  { claimsOf }: Pick<Traffic<Command>, 'claimsOf'>,
) => {
  const nexts = commands.map((): number[] => [])
  const missing = commands.map(() => 0)
  const turns = commands.map((): Turn[] => [])
  const latest = new Map<string, Turn>()
  const isAfter = (needed: number, place: number): void => {
    nexts[needed]?.push(place)
    missing[place] = (missing[place] ?? 0) + 1
  }
  for (const [place, command] of commands.entries()) {
    for (const id of new Set(command.dependsOn)) {
      const needed = places.get(id)
      // No command of a plan waits for a later one.
      if (needed !== undefined && needed < place) isAfter(needed, place)
    }
    for (const [thing, way] of claimsOf(command)) {
      const before = latest.get(thing)
      const isSame = before !== undefined && goTogether(before.way, way)
      const turn: Turn = isSame ? before : { way, members: [], left: 0, hasBefore: before !== undefined }
      if (before !== undefined && !isSame) before.next = turn
      latest.set(thing, turn)
      turn.members.push(place)
      turn.left += 1
      turns[place]?.push(turn)
      if (turn.hasBefore) missing[place] = (missing[place] ?? 0) + 1
    }
  }
  return { nexts, missing, turns }
}

interface OpenLane {
  readonly width: number
  /** Places in the plan, ascending. */
  readonly ready: number[]
  running: number
}

const openLanes = <Command>(commands: readonly Command[], { laneOf, most }: Traffic<Command>) => {
  const lanes = new Map<string, OpenLane>()
  let running = 0
  return {
    enter: (place: number): void => {
      const command = commands[place]
      if (command === undefined) return
      const { name, width } = laneOf(command)
      const lane = lanes.get(name) ?? { width, running: 0, ready: [] }
      lanes.set(name, lane)
      lane.ready.splice(lane.ready.findLastIndex((other) => other < place) + 1, 0, place)
    },
    leave: (command: Command): void => {
      const lane = lanes.get(laneOf(command).name)
      if (lane !== undefined) lane.running -= 1
      running -= 1
    },
    next: (): Command | undefined => {
      const firstOf = ({ ready }: OpenLane): number => ready[0] ?? Number.POSITIVE_INFINITY
      const open = [...lanes.values()].filter((lane) => lane.running < lane.width && lane.ready.length > 0)
      const [lane] = running < most ? open.toSorted((left, right) => firstOf(left) - firstOf(right)) : []
      const place = lane?.ready.shift()
      if (lane === undefined || place === undefined) return undefined
      lane.running += 1
      running += 1
      return commands[place]
    },
  }
}
