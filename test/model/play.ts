import type { Transport } from '../../core/command/transport.ts'
import { AppError, isAppError } from '../../core/errors.ts'
import type { Plan } from '../../core/schema/plan.ts'
import type { Apply } from '../../core/schema/records.ts'
import { checkWorkspace } from '../../core/workflows/check-workspace.ts'
import type { Deps } from '../../core/workflows/deps.ts'
import { requestApply } from '../../core/workflows/request-apply.ts'
import { runApply } from '../../core/workflows/run-apply.ts'
import { withCrash } from '../builders/crash-point.ts'
import { actor, testDeps } from '../builders/workspace.ts'
import { meet, serve } from './api.ts'
import { bundleOf, tokenSource, tokenText } from './declared.ts'
import { type Here, playHere } from './here.ts'
import { type Approval, judgeCreate, judgeWrite } from './judge-write.ts'
import { describeModel, type Model } from './model.ts'
import { type History, isClear, tieAll, tieOf, truth } from './oracle.ts'
import { playOutside } from './outside.ts'
import type { Mishap, Step } from './steps.ts'
import { byUid, emptyWorld, keysOf, snapshot, type World } from './world.ts'

/* Plays a sequence through the real workflows, with a server of the model at the transport port. */

const workspace = 'model'

export type End = 'converged' | 'unchecked' | 'blocked' | 'different' | 'refused'

export interface Played {
  /** What was done, line by line. */
  readonly story: readonly string[]
  /** The first thing that must not be. */
  readonly violation?: string
  readonly end?: End
  /** Whether anybody could have been in doubt at the end. */
  readonly clear?: boolean
  /** Commands that were sent. */
  readonly writes: number
  /** The uids of what is there at the end. */
  readonly uids: readonly number[]
}

class Broken extends Error {}

const never = (): Promise<never> => new Promise(() => {})

export interface Base {
  readonly url: string
  /** The real way to `url`, where it is not the model itself. */
  readonly transport?: Transport
  /** Told of the world before anything is sent. */
  readonly hold?: (answer: (request: Parameters<Transport['send']>[0]) => ReturnType<typeof serve>) => void
}

const inMemory: Base = { url: 'http://model.test' }

/** One workspace and one server, and what has been done to both. */
const open = (model: Model, base: Base) => {
  const world: World = emptyWorld(model)
  const history: History = { ties: [], made: new Set() }
  const story: string[] = []
  const counted = { writes: 0 }
  let here: Here = { all: new Map(), moved: [] }
  let approval: Approval | undefined
  let making = new Set<number>()
  let mishap: Mishap = { kind: 'none' }
  let sent = 0
  let isMeddled = false

  const tell = (line: string): void => void story.push(line)
  const fail = (violation: string): never => {
    tell(`VIOLATION: ${violation}`)
    throw new Broken(violation)
  }

  const act = (request: Parameters<Transport['send']>[0]): ReturnType<typeof serve> => {
    if (request.effect === 'read') return serve(world, request)
    if (approval === undefined) return fail(`${request.method} ${request.url} was sent outside of an apply`)
    counted.writes += 1
    sent += 1
    const verdict = judgeWrite(request, approval, world, history, making)
    const met = meet(world, request.url)
    const about = met.kind === 'thing' ? ` -> ${world.things.find(({ uid }) => uid === met.uid)?.name}` : ''
    const answered = serve(world, request)
    const body = request.body === undefined ? '' : ` ${JSON.stringify(request.body).replaceAll(tokenText, '***')}`
    tell(`    ${request.method} ${new URL(request.url).pathname}${body}${about}: ${answered.status}`)
    if (verdict.violation !== undefined) fail(verdict.violation)
    if (answered.created !== undefined) made(answered.created, approval)
    if (mishap.kind === 'meddle' && mishap.n === sent) {
      const words = playOutside(world, mishap.step)
      if (words !== undefined) {
        isMeddled = true
        tell(`    meanwhile ${words}`)
      }
    }
    if (mishap.kind === 'lost' && mishap.n === sent) {
      tell('    (its answer is lost)')
      const { method, url } = request
      throw new AppError('REQUEST_FAILED', { method, url, detail: 'the connection was reset', reason: 'network' })
    }
    return answered
  }

  const made = (uid: number, { all, plan, world: before }: Approval): void => {
    const thing = byUid(world, uid)
    if (thing === undefined) return
    making.add(uid)
    history.made.add(uid)
    const verdict = judgeCreate(thing, { all, plan, world: before }, world, history, making)
    if (verdict.violation !== undefined || verdict.address === undefined) fail(verdict.violation ?? 'made for nobody')
    else history.ties.push(tieOf(verdict.address, thing, world, true))
    const twins = world.things.filter(
      (each) => history.made.has(each.uid) && keysOf(world, each) === keysOf(world, thing),
    )
    if (twins.length > 1) fail(`${thing.type} ${thing.name} was made twice`)
  }

  let broken: Broken | undefined
  const transport: Transport = base.transport ?? {
    send: async (request) => {
      try {
        return act(request)
      } catch (error) {
        if (error instanceof Broken) broken ??= error
        throw error
      }
    },
  }
  base.hold?.(act)
  const given = testDeps({ transport: () => transport })
  given.secrets[tokenSource] = tokenText

  const write = (): void => {
    const moved = here.moved.filter(({ from, to }) => !here.all.has(from) && here.all.has(to))
    given.current.bundle = bundleOf(model, base.url, here.all, moved)
  }

  /** Nobody may be told of an end that is not so. */
  const guard = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      const result = await work()
      if (broken !== undefined) throw broken
      return result
    } catch (error) {
      if (broken !== undefined) throw broken
      if (!isAppError(error) || error.code === 'INTERNAL') {
        return fail(`it threw ${error instanceof Error ? error.stack : String(error)}`)
      }
      tell(`  ${error.code}: ${error.message}`)
      return undefined
    }
  }

  const checked = async (): Promise<{ readonly plan: Plan; readonly digest: string } | undefined> => {
    write()
    const found = await guard(() => checkWorkspace({ workspace, trigger: 'cli', actor }, given.deps))
    if (found === undefined) return undefined
    const { run, plan } = found
    if (plan === undefined) {
      tell(`  check: failed, ${run.error?.message.replaceAll('\n', ' ')}`)
      if (run.error?.code === 'INTERNAL') fail(`a check ended with ${run.error.message}`)
      return undefined
    }
    tell(`  check: ${describePlan(plan)}`)
    const wrong = truth(here.all, world, history)
    if (plan.inSync && wrong.length > 0) fail(`"in sync" was said, and ${wrong.join('; ')}`)
    const unread = new Set([...plan.unchecked, ...plan.changes].map(({ address }) => address))
    tieAll(here.all, world, history, (address) => !unread.has(address) || isUpdate(plan, address))
    return { plan, digest: run.digests?.commands ?? '' }
  }

  const work = async (apply: string): Promise<Apply | undefined> => {
    const run = (deps: Deps) => guard(() => runApply({ workspace, apply }, deps))
    if (mishap.kind !== 'crash') return run(given.deps)
    const died = Promise.withResolvers<'died'>()
    const die = (): Promise<never> => {
      died.resolve('died')
      return never()
    }
    const { at, n, when, again } = mishap
    const end = await Promise.race([died.promise, run(withCrash(given.deps, { at, n, when }, die))])
    if (end !== 'died') return end
    tell(`  the worker dies ${when} its ${n}. ${at === 'send' ? 'command' : 'write to the store'}`)
    given.clock.forward(31_000)
    mishap = { kind: 'none' }
    if (again) return run(given.deps)
    const anew = await checked()
    return anew && approve(anew)
  }

  const approve = async ({
    plan,
    digest,
  }: NonNullable<Awaited<ReturnType<typeof checked>>>): Promise<Apply | undefined> => {
    approval = { plan, all: here.all, world: snapshot(world) }
    making = new Set()
    sent = 0
    if (mishap.kind === 'late') {
      const words = playOutside(world, mishap.step)
      if (words !== undefined) tell(`  before it is applied ${words}`)
      isMeddled ||= words !== undefined
    }
    const requested = await guard(() =>
      requestApply({ workspace, mode: 'execute', digest, reason: 'a sequence', actor }, given.deps),
    )
    return requested && work(requested.id)
  }

  const apply = async (next: Mishap): Promise<{ readonly inSync: boolean; readonly plan: Plan } | undefined> => {
    mishap = { kind: 'none' }
    const before = await checked()
    if (before === undefined) return undefined
    if (before.plan.commands.length === 0 && next.kind === 'none')
      return { plan: before.plan, inSync: before.plan.inSync }
    mishap = next
    isMeddled = false
    const ended = await approve(before)
    mishap = { kind: 'none' }
    if (ended !== undefined)
      tell(`  apply: ${ended.status}${ended.error === undefined ? '' : `, ${ended.error.message}`}`)
    if (ended?.error?.code === 'INTERNAL') fail(`an apply ended with ${ended.error.message}`)
    approval = undefined
    if (!isMeddled && ended?.status === 'succeeded') tieAll(here.all, world, history, () => true)
    const after = await checked()
    if (after === undefined) return undefined
    const { plan } = after
    if (ended?.status === 'succeeded' && !isMeddled && !isOpen(before.plan) && !isOpen(plan)) {
      const wrong = truth(here.all, world, history)
      if (wrong.length > 0) fail(`the apply succeeded, and ${wrong.join('; ')}`)
      if (!plan.inSync) fail(`the apply succeeded, everything is as declared, and the next plan is not empty`)
    }
    return { inSync: plan.inSync, plan }
  }

  const play = async (step: Step): Promise<void> => {
    if (step.do === 'apply') {
      tell(describeMishap(step.mishap))
      await apply(step.mishap)
    } else if (step.do === 'check') {
      tell('check')
      await checked()
    } else if (step.do.endsWith(' outside')) {
      const words = playOutside(world, step)
      if (words !== undefined) tell(words)
    } else {
      const written = playHere(model, here, step)
      if (written === undefined) return
      here = written
      tell(written.words)
    }
  }

  const rounds = 3

  /** Nobody does anything more: it must come to rest. */
  const settle = async (): Promise<End> => {
    tell('nobody does anything more: apply until nothing is left')
    for (let round = 1; ; round += 1) {
      const done = await apply({ kind: 'none' })
      if (done === undefined) return 'refused'
      const { plan, inSync } = done
      if (inSync) return 'converged'
      if (round < rounds && plan.commands.length > 0) continue
      if (plan.unchecked.length > 0) return 'unchecked'
      return plan.changes.some(({ blocked }) => blocked !== undefined) ? 'blocked' : 'different'
    }
  }

  return { world, history, story, counted, play, settle, isClear: () => isClear(here.all, world, history) }
}

const isUpdate = ({ changes, unchecked }: Plan, address: string): boolean =>
  !unchecked.some((each) => each.address === address) &&
  changes.some((each) => each.address === address && each.action !== 'create')

/** It says itself that it is not the whole. */
const isOpen = ({ unchecked, changes }: Plan): boolean =>
  unchecked.length > 0 || changes.some(({ blocked }) => blocked !== undefined)

const describePlan = ({ changes, unchecked, inSync, commands }: Plan): string => {
  if (inSync) return 'in sync'
  const said = [
    ...changes.map(
      ({ action, address, blocked }) => `${action} ${address}${blocked ? ` (blocked: ${blocked.reason})` : ''}`,
    ),
    ...unchecked.map(({ address, reason, detail }) => `${address} unchecked (${reason}: ${detail})`),
  ]
  return `${said.length === 0 ? 'nothing to say, and not in sync' : said.join('; ')}; ${commands.length} commands`
}

const describeMishap = (mishap: Mishap): string => {
  switch (mishap.kind) {
    case 'none':
      return 'apply'
    case 'lost':
      return `apply, and the answer of command ${mishap.n} is lost`
    case 'late':
      return 'apply what a check showed, though somebody is faster'
    case 'meddle':
      return `apply, and somebody acts after command ${mishap.n}`
    case 'crash':
      return `apply, with a death of the worker; ${mishap.again ? 'the same apply is run again' : 'then a new check and apply'}`
  }
}

/** Plays all steps, and then lets the workspace settle. Ends with the first violation. */
export const playSequence = async (model: Model, steps: readonly Step[], base: Base = inMemory): Promise<Played> => {
  const played = open(model, base)
  played.story.push(`the API: ${describeModel(model)}`)
  const told = () => ({
    story: played.story,
    writes: played.counted.writes,
    uids: played.world.things.map(({ uid }) => uid).sort((left, right) => left - right),
  })
  try {
    for (const step of steps) await played.play(step)
    const end = await played.settle()
    return { ...told(), end, clear: played.isClear() }
  } catch (error) {
    if (error instanceof Broken) return { ...told(), violation: error.message }
    throw error
  }
}
