import { compare } from '../../../diff/compare.ts'
import { buildPlan } from '../../../plan/build-plan.ts'
import { afterOthers } from '../../../plan/commands/after-others.ts'
import { numberCommands } from '../../../plan/commands/number-commands.ts'
import { withPolicy } from '../../../plan/policy.ts'
import type { Command } from '../../../schema/command.ts'
import type { Note } from '../../../schema/issue.ts'
import type { Seal } from '../../../schema/ports.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Change, Plan } from '../../../schema/stored/plan.ts'
import { addressOf } from '../../../values/addresses/address.ts'
import { present } from '../../../values/defined.ts'
import { contentsOf } from '../../session/contents.ts'
import type { Session } from '../../session/open-session.ts'
import { archivedOf, seenOf } from '../../session/plan/build-commands.ts'
import type { ResourcePlan } from '../../session/plan/observation.ts'
import { existingIn } from '../../session/plan/plan-observed.ts'
import { doneBy, notDoneBy, type UndoneApply, uncertainOf } from './done-by.ts'
import { backwards } from './draft-undo.ts'
import { refuseNeeded } from './refuse-needed.ts'
import { changeIn, findWayBack, type UndoFacts, type WayBack } from './way-back.ts'
import { againNote, notDoneNote, partFaults, stayNote } from './words.ts'

/**
 * Plans the way back from what an apply did, out of its stored inverses and of what the session has read: the same apply and the
 * same objects give the same plan. What cannot be undone is a blocked change with the reason.
 */
export const planUndo = async (session: Session, facts: Omit<UndoFacts, 'contents'>, seal: Seal): Promise<Session> => {
  const all = [...session.resources.values()]
  const made = all.filter(({ address }) => changeIn(facts.undone, address)?.action === 'create')
  return planBack(session, { ...facts, contents: await contentsOf(made, all, session) }, seal)
}

const planBack = (session: Session, facts: UndoFacts, seal: Seal): Session => {
  const { undone } = facts
  const done = doneBy(undone)
  const addresses = addressesOf(undone, done)
  const ways = new Map(addresses.map((address) => [address, findWayBack(address, session, facts, seal)]))
  const verdicts = refuseNeeded(
    new Map([...ways].map(([at, { verdict }]) => [at, verdict])),
    done,
    undone.plan,
    session,
  )
  const parts = [...ways].toReversed().flatMap(([address, way]): readonly UndoPart[] => {
    const change = changeIn(undone, address)
    return change === undefined ? [] : partOf(change, { ...way, verdict: verdicts.get(address) ?? way.verdict })
  })
  // What is as before already counts as undone, too: an earlier worker may have brought it back.
  const found = [...ways].flatMap(([address, { back }]) =>
    back === undefined || verdicts.get(address)?.steps === undefined ? [] : [[address, back] as const],
  )
  const besides = [...verdicts].flatMap(([address, { steps = [], beside = [] }]) =>
    steps.length === 0 || beside.length === 0 ? [] : [[address, beside] as const],
  )
  const resources = new Map([...session.resources, ...found])
  const commands = afterOthers(inOrder(done, new Map(parts.flatMap((part) => part.commands ?? []))), resources)
  const changes = parts.map(({ change }) => withoutSide(change))
  const plan = asPlan({ session, undone, resources, changes, addresses, commands, beside: new Map(besides) })
  return { ...session, resources, plan: withPolicy(plan, session.loaded.configuration.policy) }
}

/** What the apply did or may have done something to, in its order. */
const addressesOf = (undone: UndoneApply, done: readonly Command[]): readonly Address[] => [
  ...new Set([...done.map(({ address }) => address), ...uncertainOf(undone).map(({ command }) => addressOf(command))]),
]

interface UndoPart {
  readonly change: Change
  /** Absent: nothing is sent. */
  readonly back?: ResourcePlan
  /** By the id of the command that each undoes. */
  readonly commands?: readonly (readonly [string, Command])[]
}

/** Nothing if the object is as before the apply already. */
const partOf = (change: Change, { verdict: { steps, refused }, back, drafts = [] }: WayBack): readonly UndoPart[] => {
  if (steps === undefined || back === undefined)
    return [{ change: leftOut(change, back, refused ?? partFaults.noType) }]
  if (steps.length === 0) return []
  const { result } = back.observed
  const inside = result.kind === 'unknown' ? undefined : result.parents
  const own = numberCommands(change.address, drafts, { seen: seenOf(back), archived: archivedOf(back), inside })
  const commands = own.flatMap((command, index) => present(steps[index]).map(({ id }) => [id, command] as const))
  return [{ change: back.change, back, commands }]
}

/** As the apply would be undone if nothing kept it: shown, and never sent. */
const leftOut = (change: Change, back: WayBack['back'], detail: string): Change => ({
  ...(back === undefined ? reversed(change) : back.change),
  blocked: { reason: 'not_undone', detail },
})

/** No side has moved towards it: neither the configuration nor the target asks for the way back. */
const withoutSide = (change: Change): Change => ({
  ...change,
  causes: change.causes.map((each) => ({ ...each, cause: 'new' })),
})

/** Of a resource of which nothing is known any more. */
const reversed = ({ reason: _, ...change }: Change): Change => {
  const [before, after] = [change.after, change.before]
  return {
    ...change,
    action: backwards[change.action],
    before,
    after,
    diff: compare({ attributes: {} }, before, after),
  }
}

/** The last command is undone first; each waits for the undo of what depended on it. */
const inOrder = (done: readonly Command[], undos: ReadonlyMap<string, Command>): readonly Command[] =>
  done.toReversed().flatMap((original) =>
    present(undos.get(original.id)).map((undo): Command => {
      const ahead = done.filter(({ dependsOn, address }) => address !== undo.address && dependsOn.includes(original.id))
      const needed = ahead.flatMap(({ id }) => undos.get(id)?.id ?? [])
      return { ...undo, dependsOn: [...new Set([...undo.dependsOn, ...needed])] }
    }),
  )

interface UndoPlanParts {
  readonly session: Session
  readonly undone: UndoneApply
  readonly resources: ReadonlyMap<Address, ResourcePlan>
  readonly changes: readonly Change[]
  readonly addresses: readonly Address[]
  readonly commands: readonly Command[]
  /** What stays as it is now, by resource. */
  readonly beside: ReadonlyMap<Address, readonly string[]>
}

/** It never counts as in sync, because it says nothing about the configuration. */
const asPlan = ({ session, undone, resources, changes, addresses, commands, beside }: UndoPlanParts): Plan => {
  const { configuration } = session.loaded
  const { apply } = undone
  const involved = present(...addresses.map((address) => resources.get(address)))
  const blocked = new Map(changes.map((change) => [change.address, change]))
  const position = configuration.resources.find(({ address }) => addresses.includes(address))?.position
  const left = notDoneBy(undone)
  const told = [
    againNote(apply.id),
    ...(left.length === 0 ? [] : [notDoneNote(apply.id, left)]),
    ...[...beside].map(([address, paths]) => stayNote(address, paths)),
  ]
  const notes =
    position === undefined ? [] : told.map((each): Note => ({ level: 'info', ...position, ...each, value: apply.id }))
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
    notes,
    references: [],
    existing: existingIn(sent, [...session.resources.values()]),
    commands,
  })
  return { ...plan, undoes: apply.id, inSync: false }
}
