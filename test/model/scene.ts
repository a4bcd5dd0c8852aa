import { AppError } from '../../core/engine/errors/errors.ts'
import { type Asked, type Login, meet, serve } from './api.ts'
import { tokenText } from './declared.ts'
import { type Approval, commandFor, judgeCreate, judgeWrite } from './judge-write.ts'
import type { Model } from './model.ts'
import { type History, isFormer, tieMade, tieRenamed } from './oracle.ts'
import { playOutside } from './outside.ts'
import { type Blind, spoil } from './spoil.ts'
import type { Mishap, Step } from './steps.ts'
import { byUid, emptyWorld, keysOf, snapshot, type World } from './world.ts'

/* The server of a sequence: it answers every request, and judges every write at the moment when it comes. */

/** The law is broken: the sequence ends here. */
export class Broken extends Error {}

type Answered = ReturnType<typeof serve>

export interface Scene {
  readonly world: World
  readonly history: History
  readonly story: string[]
  tell(line: string): void
  fail(violation: string): never
  /** Rejects where the answer is lost, or the law is broken. */
  answer(request: Asked): Answered
  /** From here to `close` writes may come. */
  open(approval: Omit<Approval, 'world'>, mishap: Mishap): void
  close(): void
  /** From here on some reads fail; absent: all come well. */
  blind(how?: Blind, hidden?: ReadonlySet<number>): void
  /** Whether the other user has seen an object: what was recorded of it then may be known to that one. */
  isSeenByOther(uid: number): boolean
  /** Since `blind`, a page of a list was empty that has objects, or another user saw less than there is. */
  readonly isHiding: boolean
  /** Somebody else does something; true where it was possible. */
  meddle(step: Step, when: string): boolean
  /** Whether somebody did while an apply was open. */
  readonly isMeddled: boolean
  readonly broken: Broken | undefined
  readonly writes: number
  /** What the last write made. */
  readonly lastMade: number | undefined
}

interface Opened {
  readonly approval: Approval
  readonly mishap: Mishap
  /** Made by commands since. */
  readonly making: Set<number>
  sent: number
}

export const openScene = (model: Model): Scene => {
  const world = emptyWorld(model)
  const history: History = { ties: [], made: new Set(), mute: new Set() }
  const story: string[] = []
  let opened: Opened | undefined
  let broken: Broken | undefined
  let isMeddled = false
  let writes = 0
  let lastMade: number | undefined
  let spoiling: ReturnType<typeof spoil> | undefined
  let hasFailed = false
  /** What the caller does not see. */
  let hidden: ReadonlySet<number> = new Set()
  let login: Login = 'ann'
  const seenByOther = new Set<number>()

  const tell = (line: string): void => void story.push(line)
  const fail = (violation: string): never => {
    tell(`VIOLATION: ${violation}`)
    broken = new Broken(violation)
    throw broken
  }
  const meddle = (step: Step, when: string): boolean => {
    const words = playOutside(world, step)
    if (words === undefined) return false
    tell(`${when}${words}`)
    isMeddled = true
    return true
  }

  const judgeMade = (uid: number, { approval, making }: Opened): void => {
    const thing = byUid(world, uid)
    if (thing === undefined) return
    making.add(uid)
    history.made.add(uid)
    const { violation, address } = judgeCreate(thing, approval, world, history, making)
    if (violation !== undefined || address === undefined) fail(violation ?? 'it was made for nobody')
    // A successor that is made first stands beside the old one for a while.
    const isReplaced = approval.plan.changes.some((change) => change.address === address && change.action === 'replace')
    const old = isReplaced ? history.ties.findLast((tie) => tie.address === address)?.uid : undefined
    if (address !== undefined) tieMade(address, thing, world, history, old)
    const twins = world.things.filter(
      (each) =>
        each.uid !== old &&
        !isFormer(address, each.uid, history) &&
        history.made.has(each.uid) &&
        keysOf(world, each) === keysOf(world, thing),
    )
    if (twins.length > 1) fail(`${thing.type} ${thing.name} was made twice`)
  }

  const write = (request: Asked): Answered => {
    if (opened === undefined) return fail(`${request.method} ${request.url} was sent outside of an apply`)
    writes += 1
    opened.sent += 1
    if (hasFailed && request.method !== 'POST') unread(request)
    const { violation } = judgeWrite(request, opened.approval, world, history, opened.making)
    const line = lineOf(request, world)
    const met = meet(world, request.url)
    const before = met.kind === 'thing' ? byUid(world, met.uid) : undefined
    const answered = serve(world, request)
    lastMade = answered.created
    const command = commandFor(opened.approval.plan, request)
    if (before !== undefined && command !== undefined) tieRenamed(command.address, before, world, history)
    tell(`    ${line}: ${answered.status}`)
    if (violation !== undefined) fail(violation)
    if (answered.created !== undefined) judgeMade(answered.created, opened)
    const { mishap, sent } = opened
    if (mishap.kind === 'meddle' && mishap.n === sent) meddle(mishap.step, '    meanwhile ')
    const isLost = mishap.kind === 'lost' && mishap.n === sent
    if (answered.created !== undefined && (isLost || model.silent)) history.mute.add(answered.created)
    if (isLost) {
      tell('    (its answer is lost)')
      const { method, url } = request
      throw new AppError('REQUEST_FAILED', { method, url, detail: 'the connection was reset', reason: 'network' })
    }
    return answered
  }

  const read = (request: Asked): Answered => {
    hasFailed = false
    const answered = serve(hidden.size === 0 ? world : seenOf(world, hidden), request, login)
    if (login === 'bob') for (const { uid } of world.things) if (!hidden.has(uid)) seenByOther.add(uid)
    if (spoiling === undefined) return answered
    const spoiled = spoiling.answer(request, answered)
    hasFailed = spoiling.isFailure(spoiled, answered)
    if (spoiled instanceof Error) throw spoiled
    return spoiled
  }
  const unread = ({ method, url }: Asked): never =>
    fail(`${method} ${new URL(url).pathname} was sent, though the read before it failed`)

  return {
    world,
    history,
    story,
    tell,
    fail,
    meddle,
    answer: (request) => (request.effect === 'read' ? read(request) : write(request)),
    open: (approval, mishap) => {
      opened = { approval: { ...approval, world: snapshot(world) }, mishap, making: new Set(), sent: 0 }
      isMeddled = false
    },
    isSeenByOther: (uid) => seenByOther.has(uid),
    close: () => {
      opened = undefined
    },
    blind: (how, uids = new Set()) => {
      spoiling = how && spoil(how)
      hidden = uids
      login = how?.how === 'caller' ? 'bob' : 'ann'
      hasFailed = false
    },
    get isMeddled() {
      return isMeddled
    },
    get isHiding() {
      return spoiling?.isHiding() === true || (login === 'bob' && hidden.size > 0)
    },
    get broken() {
      return broken
    },
    get writes() {
      return writes
    },
    get lastMade() {
      return lastMade
    },
  }
}

const seenOf = (world: World, hidden: ReadonlySet<number>): World => ({
  ...world,
  things: world.things.filter(({ uid, zone }) => !hidden.has(uid) && (zone === undefined || !hidden.has(zone))),
})

const lineOf = ({ method, url, body }: Asked, world: World): string => {
  const met = meet(world, url)
  const found = met.kind === 'thing' ? byUid(world, met.uid)?.name : met.kind === 'mark' ? met.mark : undefined
  const about = found === undefined ? '' : ` -> ${found}`
  const text = body === undefined ? '' : ` ${JSON.stringify(body).replaceAll(tokenText, '***')}`
  return `${method} ${new URL(url).pathname}${text}${about}`
}
