import { buildPlan } from '../../../plan/build-plan.ts'
import { numberCommands } from '../../../plan/commands/number-commands.ts'
import { withPolicy } from '../../../plan/policy.ts'
import type { Command, CommandDraft } from '../../../schema/command.ts'
import type { Note } from '../../../schema/issue.ts'
import type { Seal } from '../../../schema/ports.ts'
import type { Address, RecordedResource } from '../../../schema/resource.ts'
import type { Change, Plan } from '../../../schema/stored/plan.ts'
import { present } from '../../../values/defined.ts'
import type { OpenWorkspace, Session } from '../../session/open-session.ts'
import { seenOf } from '../../session/plan/build-commands.ts'
import type { ResourcePlan } from '../../session/plan/observation.ts'
import { existingIn } from '../../session/plan/plan-observed.ts'
import type { KnownValue } from '../approved/fill-known.ts'
import { addressOf } from '../approved/resource-results.ts'
import { backTo, draftUndo } from './draft-undo.ts'
import { doneBy, judgeResource, type UndoneApply, type UndoProgress, type UndoVerdict } from './judge-resource.ts'
import { againNote, partFaults } from './words.ts'

interface UndoFacts {
  readonly undone: UndoneApply
  readonly known: KnownValue
  /** Present when the undo itself is applied. */
  readonly progress?: UndoProgress
}

/**
 * Objects that the apply deleted have no record any more. They get one for this plan, so that they are looked for, and recorded
 * when they exist again.
 */
export const withDeleted = (opened: OpenWorkspace, undone: UndoneApply): OpenWorkspace => {
  const { recorded } = opened
  const known = new Set(recorded.resources.map(({ address }) => address))
  const gone = undone.plan.changes.filter(({ address, action }) => action === 'delete' && !known.has(address))
  const resources = [...recorded.resources, ...gone.map((change) => formerRecord(change, undone.plan))]
  const deleted = new Set(gone.map(({ address }) => address))
  const loaded = { ...opened.loaded, isGone: (each: Address) => deleted.has(each) || opened.loaded.isGone(each) }
  return gone.length === 0 ? opened : { ...opened, loaded, recorded: { ...recorded, resources } }
}

/** An object is deleted after those that depend on it. */
const formerRecord = (change: Change, { commands }: Plan): RecordedResource => {
  const { address, type, name, module, provider, before } = change
  const needs = commands.filter((each) => each.dependsOn.some((id) => addressOf(id) === address))
  const dependsOn = [...new Set(needs.flatMap((each) => (each.address === address ? [] : each.address)))]
  const named = { address, type, name, ...(module !== undefined && { module }), provider }
  return { ...named, attributes: before ?? {}, dependsOn, lifecycle: {} }
}

/**
 * Plans the way back from what an apply did, out of its stored inverses and of what the session has read: the same apply and the
 * same objects give the same plan. What cannot be undone is a blocked change with the reason.
 */
export const planUndo = (session: Session, { undone, known, progress }: UndoFacts, seal: Seal): Session => {
  const done = doneBy(undone)
  const unknown = undone.apply.outcomes.filter(({ status }) => status === 'unknown')
  const addresses = new Set([
    ...done.map(({ address }) => address),
    ...unknown.map(({ command }) => addressOf(command)),
  ])
  const drafts = new Map<Address, readonly CommandDraft[]>()
  const judge = (address: Address): UndoVerdict => {
    const one = session.resources.get(address)
    const verdict = judgeResource(address, undone, one, progress)
    const change = undone.plan.changes.find((each) => each.address === address)
    if (verdict.steps === undefined || one === undefined || change === undefined) return verdict
    const own = draftUndo(verdict.steps, backTo(change, one), known, seal)
    if (own === undefined) return { refused: partFaults.otherPlace }
    drafts.set(address, own)
    return verdict
  }
  const first = new Map([...addresses].map((address) => [address, judge(address)]))
  const verdicts = withNeeded(first, done, undone.plan, session)
  const resources = new Map(session.resources)
  const changes: Change[] = []
  const commands = new Map<string, Command>()
  for (const address of [...addresses].toReversed()) {
    const { steps, refused } = verdicts.get(address) ?? { steps: [] }
    const change = undone.plan.changes.find((each) => each.address === address)
    const one = session.resources.get(address)
    if (change === undefined) continue
    if (refused !== undefined || one === undefined) {
      changes.push(leftOut(change, one, refused ?? partFaults.noType))
      continue
    }
    if (steps.length === 0) continue
    const back = backTo(change, one)
    resources.set(address, back)
    changes.push(back.change)
    const seen = seenOf(one)
    const { parents: inside } = one.observed.result.kind === 'unknown' ? {} : one.observed.result
    const own = numberCommands(address, drafts.get(address) ?? [], { seen, inside })
    for (const [index, { id }] of steps.entries()) if (own[index] !== undefined) commands.set(id, own[index])
  }
  const plan = asPlan({ session, undone, resources, changes, addresses, commands: inOrder(done, commands) })
  return { ...session, resources, plan: withPolicy(plan, session.loaded.configuration.policy) }
}

/** As the apply would be undone if nothing kept it: shown, and never sent. */
const leftOut = (change: Change, one: ResourcePlan | undefined, detail: string): Change => ({
  ...(one === undefined ? { ...change, before: change.after, after: change.before } : backTo(change, one).change),
  blocked: { reason: 'not_undone', detail },
})

/** The last command is undone first; each waits for the undo of what depended on it. */
const inOrder = (done: readonly Command[], undos: ReadonlyMap<string, Command>): readonly Command[] =>
  done.toReversed().flatMap((original) =>
    present(undos.get(original.id)).map((undo): Command => {
      const ahead = done.filter(({ dependsOn, address }) => address !== undo.address && dependsOn.includes(original.id))
      const needed = ahead.flatMap(({ id }) => undos.get(id)?.id ?? [])
      return { ...undo, dependsOn: [...new Set([...undo.dependsOn, ...needed])] }
    }),
  )

/** Refuses what others need as it is, and former requests that name an object by an id that it will not have again. */
const withNeeded = (
  first: ReadonlyMap<Address, UndoVerdict>,
  done: readonly Command[],
  plan: Plan,
  session: Session,
): ReadonlyMap<Address, UndoVerdict> => {
  const actions = new Map(plan.changes.map(({ address, action }) => [address, action]))
  const verdicts = new Map(first)
  const isRefused = (address: Address): boolean => verdicts.get(address)?.refused !== undefined
  const whyNot = (address: Address): string | undefined => {
    const own = done.filter((each) => each.address === address)
    const renewed = done.find(
      (each) =>
        each.address !== address &&
        isRelated(each, own) &&
        willBeAnother(each, verdicts.get(each.address) ?? {}, session),
    )
    if (renewed !== undefined) return partFaults.otherValues(renewed.address)
    const waiting = done.find((each) => isRefused(each.address) && needsOneOf(each, own))
    if (waiting !== undefined) return partFaults.waits(waiting.address)
    const isDelete = actions.get(address) === 'create' && verdicts.get(address)?.steps?.length !== 0
    const user = isDelete ? userOf(address, first, actions, session) : undefined
    return user && partFaults.needed(user)
  }
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (const address of [...verdicts.keys()].filter((each) => !isRefused(each))) {
      const refused = whyNot(address)
      if (refused === undefined) continue
      verdicts.set(address, { refused })
      isChanged = true
    }
  }
  return verdicts
}

const needsOneOf = ({ address, dependsOn }: Command, others: readonly Command[]): boolean =>
  others.some((other) => other.address !== address && dependsOn.includes(other.id))

const isRelated = (command: Command, others: readonly Command[]): boolean =>
  needsOneOf(command, others) || others.some((other) => needsOneOf(other, [command]))

/** Whether an object that exists again has other ids, or other values that only the server gives: requests may name it by them. */
const willBeAnother = (
  { address, action, precondition }: Command,
  { steps = [] }: Partial<UndoVerdict>,
  { resources }: Session,
): boolean => {
  if (action !== 'delete' || steps.length === 0) return false
  const told = precondition !== undefined && 'identity' in precondition ? precondition.identity?.ids : undefined
  const attributes = resources.get(address)?.type?.schema.attributes ?? {}
  return Object.keys(told ?? {}).length > 0 || Object.values(attributes).some(({ computed }) => computed === true)
}

/** A resource whose object exists, that depends on an object that the undo would delete, and that this apply did not create. */
const userOf = (
  address: Address,
  ours: ReadonlyMap<Address, UndoVerdict>,
  actions: ReadonlyMap<Address, Change['action']>,
  { resources }: Session,
): Address | undefined =>
  [...resources.values()].find(
    ({ address: other, desired, recorded, planned }) =>
      (planned.before ?? null) !== null &&
      !(ours.has(other) && actions.get(other) === 'create') &&
      [...(desired?.dependsOn ?? []), ...(recorded?.dependsOn ?? [])].includes(address),
  )?.address

interface UndoParts {
  readonly session: Session
  readonly undone: UndoneApply
  readonly resources: ReadonlyMap<Address, ResourcePlan>
  readonly changes: readonly Change[]
  readonly addresses: ReadonlySet<Address>
  readonly commands: readonly Command[]
}

/** It never counts as in sync, because it says nothing about the configuration. */
const asPlan = ({ session, undone: { apply }, resources, changes, addresses, commands }: UndoParts): Plan => {
  const { configuration } = session.loaded
  const involved = present(...[...addresses].map((address) => resources.get(address)))
  const blocked = new Map(changes.map((change) => [change.address, change]))
  const position = configuration.resources.find(({ address }) => addresses.has(address))?.position
  const note: readonly Note[] =
    position === undefined ? [] : [{ level: 'info', ...position, ...againNote(apply.id), value: apply.id }]
  const sent = changes.filter((change) => change.blocked === undefined)
  const plan = buildPlan({
    workspace: session.plan.workspace,
    planned: involved.map(({ planned: { drift: _, change: __, orphan: ___, ...rest } }) => {
      const change = blocked.get(rest.address)
      return change === undefined ? rest : { ...rest, change }
    }),
    changes,
    unmanaged: [],
    notLookedInto: [],
    idleRules: [],
    idleEntries: [],
    notes: note,
    references: [],
    existing: existingIn(sent, [...session.resources.values()]),
    commands,
  })
  return { ...plan, undoes: apply.id, inSync: false }
}
