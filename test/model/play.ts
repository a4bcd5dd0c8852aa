import { isAppError } from '../../core/engine/errors/errors.ts'
import type { Configured } from '../../core/engine/provider/provider.ts'
import type { Plan } from '../../core/engine/schema/stored/plan.ts'
import type { Apply } from '../../core/engine/schema/stored/records.ts'
import { urlWords } from '../../core/engine/values/url.ts'
import { requestApply } from '../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../core/engine/workflows/check/check-workspace.ts'
import type { Deps } from '../../core/engine/workflows/deps.ts'
import { loadProviders } from '../../core/providers/load-providers.ts'
import { untilDeath } from '../builders/time/crash-point.ts'
import { actor, testDeps } from '../builders/workspaces/workspace.ts'
import { openBackups } from './backups.ts'
import { takeAndLetGo, visitCopy } from './beside.ts'
import {
  bundleOf,
  type Declared,
  type Here,
  standingMoves,
  standingRemoved,
  tokenSource,
  tokenText,
} from './declared.ts'
import { importThing, playHere } from './here.ts'
import { describeModel, isReadableById, isStable, type Model } from './model.ts'
import {
  doubtAll,
  followFormer,
  followFound,
  followKeys,
  followMoves,
  forgetGone,
  forgetRemoved,
  forgetUnseenImports,
  heldBy,
  hiddenFromOther,
  hideable,
  isClear,
  isLedTo,
  isThere,
  knownOutside,
  loseId,
  noteMade,
  seeImports,
  tieAll,
  tieImported,
  truth,
} from './oracle.ts'
import { at, playOutside } from './outside.ts'
import { Broken, openScene, type Scene } from './scene.ts'
import { type Blind, describeBlind, hidesThings } from './spoil.ts'
import type { Mishap, Step } from './steps.ts'
import { describeApply, describeMishap, describePlan } from './tell.ts'
import { idOf } from './world.ts'

/* Plays a sequence through the real workflows, against the server of a scene. */

const workspace = 'model'

type End = 'converged' | 'unchecked' | 'blocked' | 'different' | 'refused'

export interface Played {
  /** What was done, line by line. */
  readonly story: readonly string[]
  /** The first thing that must not be. */
  readonly violation?: string
  readonly end?: End
  /** Whether nobody could have been in doubt at the end. */
  readonly clear?: boolean
  /** Commands that were sent. */
  readonly writes: number
  /** The uids of what is there at the end. */
  readonly uids: readonly number[]
}

/** How a scene is reached. Without a transport, the real one goes to `url`. */
export interface Way {
  readonly url: string
  readonly transport?: Deps['transport']
}

const inMemory = (scene: Scene): Way => ({
  url: 'http://model.test',
  transport: () => ({ send: async (request) => scene.answer({ ...request, url: urlWords(request.url) }) }),
})

const none: Mishap = { kind: 'none' }

interface Found {
  readonly plan: Plan
  readonly digest: string
}

/** The document of a model never changes: it is checked and configured once, and not at each check. */
const configuredOnce = (): Deps['providers'] => {
  const configured = new Map<string, Configured>()
  return async () => {
    const { rest } = await loadProviders()
    if (rest === undefined) throw new Error('there is no rest provider')
    const configure: typeof rest.configure = (input) => {
      const at = String(input.with['baseUrl'])
      const one = configured.get(at) ?? rest.configure(input)
      configured.set(at, one)
      return one
    }
    return { rest: { ...rest, configure } }
  }
}

/** One workspace over one server. */
const openWorkspace = (model: Model, scene: Scene, { url, transport }: Way) => {
  const { world, history, tell, fail } = scene
  const given = testDeps({ providers: configuredOnce(), ...(transport === undefined ? {} : { transport }) })
  given.secrets[tokenSource] = tokenText
  // A sequence ends in the same way each time: how long a retry waits is no matter of luck.
  const backups = openBackups(scene, given.clock)
  const deps: Deps = { ...given.deps, store: backups.store, ids: { ...given.deps.ids, random: () => 0.5 } }
  let held: ReadonlySet<number> = new Set()
  let here: Here = { all: new Map(), moved: [], removed: [] }
  /** What the last apply was of. */
  let approved: Plan | undefined

  /** What the product may throw ends nothing; a broken law, or a defect, ends the sequence. */
  const guard = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      const result = await work()
      if (scene.broken !== undefined) throw scene.broken
      return result
    } catch (error) {
      if (scene.broken !== undefined) throw scene.broken
      if (!isAppError(error) || error.code === 'INTERNAL') {
        return fail(`it threw ${error instanceof Error ? error.stack : String(error)}`)
      }
      tell(`  ${error.code}: ${error.message}`)
      return undefined
    }
  }

  const check = async (): Promise<Found | undefined> => {
    given.current.bundle = bundleOf(model, url, here)
    const removed = standingRemoved(here)
    const found = await guard(() => checkWorkspace({ workspace, trigger: 'cli', actor }, deps))
    if (found === undefined) return undefined
    const { run, plan } = found
    if (plan === undefined) {
      tell(`  check: failed, ${run.error?.message.replaceAll('\n', ' ')}`)
      if (run.error?.code === 'INTERNAL') fail(`a check ended with ${run.error.message}`)
      return undefined
    }
    tell(`  check: ${describePlan(plan)}`)
    followMoves(standingMoves(here), history)
    const former = plan.changes.filter(({ reason }) => reason === 'delete_because_former')
    followFormer(
      former.map(({ address }) => address),
      world,
      history,
    )
    followKeys(here.all, removed, world, history)
    for (const [address, { imported }] of here.all) {
      const thing = imported === undefined ? undefined : world.things.find((each) => idOf(world, each) === imported)
      if (thing !== undefined) tieImported(address, thing, world, history)
    }
    const touched = plan.commands.find(({ address }) => removed.includes(address))
    if (touched !== undefined) fail(`${touched.id} is a command for what was handed over`)
    forgetRemoved(removed, history)
    const wrong = truth(here.all, world, history, !scene.isHiding)
    if (plan.inSync && wrong.length > 0) fail(`"in sync" was said, and ${wrong.join('; ')}`)
    const made = plan.changes.flatMap(({ action, address, blocked }) =>
      action === 'create' && blocked?.reason !== 'dependency_unknown' && !isInNewZone(plan, here.all.get(address))
        ? [address]
        : [],
    )
    const there = made.find((address) => isThere(address, here.all, world, history))
    if (there !== undefined) fail(`${there} is to be created, and what has its keys is there`)
    const twice = made.find((address) => isLedTo(address, world, history))
    if (twice !== undefined) fail(`${twice} is to be created, and its object exists under its own id`)
    // Where its zone is not certain, nobody looked how many there are.
    const unclear = plan.unchecked.filter(({ reason, detail }) => reason === 'ambiguous' && !/^zone:/.test(detail))
    doubtAll(
      unclear.map(({ address }) => address),
      world,
      history,
    )
    followFound(here.all, world, history, (address) => wasFound(plan, address))
    const open = plan.unchecked.map(({ address }) => address)
    forgetGone(here.all, world, history, open)
    seeImports(open, history)
    tieAll(here.all, world, history, (address) => wasFound(plan, address))
    held = heldBy(here.all, history)
    return { plan, digest: run.digests?.commands ?? '' }
  }

  const run = (apply: string, own = deps) => guard(() => runApply({ workspace, applyId: apply, patient: true }, own))

  /** A worker that dies where the mishap says so, and the one after it. */
  const work = async (apply: string, mishap: Mishap): Promise<Apply | 'dead' | undefined> => {
    if (mishap.kind !== 'crash') return run(apply)
    const end = await untilDeath(deps, mishap, (dying) => run(apply, dying))
    if (end !== 'died') return end
    const what = mishap.at === 'send' ? 'command' : 'write to the store'
    tell(`  the worker dies ${mishap.when} its ${mishap.n}. ${what}`)
    if (mishap.at === 'send' && mishap.when === 'after' && scene.lastMade !== undefined) loseId(history, scene.lastMade)
    given.clock.forward(121_000)
    if (mishap.next === 'nothing') return 'dead'
    if (mishap.next === 'again') return run(apply)
    const anew = await check()
    return anew && approve(anew, none)
  }

  const approve = async ({ plan, digest }: Found, mishap: Mishap): Promise<Apply | 'dead' | undefined> => {
    approved = plan
    scene.open({ plan, all: here.all }, mishap)
    if (mishap.kind === 'late') scene.meddle(mishap.step, '  before it is applied ')
    const requested = await guard(() =>
      requestApply({ workspace, mode: 'execute', digest, reason: 'a sequence', actor }, deps),
    )
    return requested && work(requested.id, mishap)
  }

  const apply = async (mishap: Mishap): Promise<Plan | undefined> => {
    const before = await check()
    if (before === undefined || (before.plan.commands.length === 0 && mishap.kind === 'none')) return before?.plan
    const ended = await approve(before, mishap)
    scene.close()
    if (ended === 'dead') return undefined
    noteMade(history)
    if (ended !== undefined) tell(`  apply: ${describeApply(ended)}`)
    if (ended?.error?.code === 'INTERNAL') fail(`an apply ended with ${ended.error.message}`)
    const isDone = ended?.status === 'succeeded' && !scene.isMeddled
    const plan = approved ?? before.plan
    const wasSent = (address: string): boolean => plan.commands.some((command) => command.address === address)
    if (isDone) tieAll(here.all, world, history, wasSent)
    const after = await check()
    if (isDone && after !== undefined && !isOpen(plan) && !isOpen(after.plan)) {
      const wrong = truth(here.all, world, history)
      if (wrong.length > 0) fail(`the apply succeeded, and ${wrong.join('; ')}`)
      if (!after.plan.inSync) fail('the apply succeeded, everything is as declared, and the next plan is not empty')
    }
    return after?.plan
  }

  const hiddenBy = ({ how, which }: Blind): ReadonlySet<number> => {
    if (how === 'hidden') return hideable(here.all, world, history, which)
    return how === 'caller' ? hiddenFromOther(here.all, world, history, which, scene.isSeenByOther) : new Set()
  }

  const play = async (step: Step): Promise<void> => {
    if (step.do === 'apply' || step.do === 'check') {
      const { blind, mishap } = step
      const words = step.do === 'apply' ? describeMishap(mishap) : 'check'
      const hidden = blind === undefined ? new Set<number>() : hiddenBy(blind)
      const isBlind = blind !== undefined && (!hidesThings(blind) || hidden.size > 0)
      tell(isBlind ? `${words}; ${describeBlind(blind)}` : words)
      scene.blind(isBlind ? blind : undefined, hidden)
      await (step.do === 'apply' ? apply(mishap) : check())
      scene.blind()
      backups.keep(held)
    } else if (step.do === 'restore records') {
      held = (await backups.restoreRecords(step.a)) ?? held
    } else if (step.do === 'restore server') {
      backups.restoreServer(step.a, here.all)
    } else if (step.do === 'copy' || step.do === 'another workspace') {
      const beside = { scene, here, deps, url, held: knownOutside(held, world, history) }
      await guard(() => (step.do === 'copy' ? visitCopy(beside) : takeAndLetGo(beside)))
    } else if (step.do.endsWith(' outside')) {
      const words = playOutside(world, step)
      if (words !== undefined) tell(words)
    } else {
      const thing = at(world.things, step.b)
      const id = thing && idOf(world, thing)
      const isImport = step.do === 'import' && thing !== undefined && id !== undefined
      if (step.do === 'import' && (!isImport || !isStable(model.ids) || !isReadableById(model, thing.type))) return
      const written = isImport ? importThing(model, here, thing, id, step) : playHere(model, here, step)
      if (written === undefined) return
      if (isImport && written.address !== undefined) tieImported(written.address, thing, world, history)
      here = written
      if (step.do === 'undeclare') forgetUnseenImports(here.all, history)
      tell(written.words)
    }
  }

  /** Nobody does anything more: it must come to rest. */
  const settle = async (): Promise<End> => {
    tell('nobody does anything more: apply until nothing is left')
    for (let round = 1; ; round += 1) {
      const plan = await apply(none)
      if (plan === undefined) return 'refused'
      if (plan.inSync) return 'converged'
      if (round < rounds && plan.commands.length > 0) continue
      if (plan.unchecked.length > 0) return 'unchecked'
      return isOpen(plan) ? 'blocked' : 'different'
    }
  }

  return { play, settle, isClear: () => isClear(here.all, world, history) }
}

const rounds = 3

/** A plan that says itself that it is not the whole. */
const isOpen = ({ unchecked, changes }: Plan): boolean =>
  unchecked.length > 0 || changes.some(({ blocked }) => blocked !== undefined)

/** What is inside a zone that is replaced is made again in the new one. */
const isInNewZone = ({ changes }: Plan, declared: Declared | undefined): boolean => {
  const zone = declared?.zone && `m_zone.${declared.zone.label}`
  return changes.some(({ address, action, blocked }) => address === zone && action === 'replace' && !blocked)
}

/** An object was there for the address, and was read. */
const wasFound = ({ changes, unchecked }: Plan, address: string): boolean => {
  const isIt = (each: { readonly address: string }): boolean => each.address === address
  const change = changes.find(isIt)
  return !unchecked.some(isIt) && change?.action !== 'create' && change?.blocked?.reason !== 'made_again'
}

/** Plays all steps, and then lets the workspace settle. Ends with the first violation. */
export const playSequence = async (
  model: Model,
  steps: readonly Step[],
  wayTo: (scene: Scene) => Way | Promise<Way> = inMemory,
): Promise<Played> => {
  const scene = openScene(model)
  scene.tell(`the API: ${describeModel(model)}`)
  const { play, settle, isClear } = openWorkspace(model, scene, await wayTo(scene))
  const told = () => ({
    story: scene.story,
    writes: scene.writes,
    uids: scene.world.things.map(({ uid }) => uid).sort((left, right) => left - right),
  })
  try {
    for (const step of steps) await play(step)
    const end = await settle()
    return { ...told(), end, clear: isClear() }
  } catch (error) {
    if (error instanceof Broken) return { ...told(), violation: error.message }
    throw error
  }
}
