import { isAppError } from '../../../errors/errors.ts'
import type { ApplySending, CommandOutcome } from '../../../schema/stored/outcome.ts'
import type { Apply, LedgerEntry } from '../../../schema/stored/records.ts'
import { selectLedger } from '../../../state/ledger-query.ts'
import { isUnusable } from '../../../state/store/verified.ts'
import { defined } from '../../../values/defined.ts'
import { loggedCommand } from '../../../values/marks/logged-command.ts'
import type { Deps } from '../../deps.ts'
import { withResults } from '../approved/resource-results.ts'
import { entriesSince } from './read-progress.ts'

/** What the entries of an apply say up to one of them. */
interface FollowedApply {
  /** The last of these entries; absent: there is none. */
  readonly last?: LedgerEntry
  readonly outcomes: ReadonlyMap<string, CommandOutcome>
  readonly sending: ReadonlyMap<string, ApplySending>
}

const nothing: FollowedApply = { outcomes: new Map(), sending: new Map() }

/** By the id of the apply. Entries never change, so whoever asks again reads only the new ones. */
const followed = new Map<string, FollowedApply>()

/** A process is asked about few applies at a time. */
const mostFollowed = 20

const keep = (id: string, now: FollowedApply): void => {
  followed.delete(id)
  followed.set(id, now)
  for (const oldest of [...followed.keys()].slice(0, -mostFollowed)) followed.delete(oldest)
}

const after = async (before: FollowedApply, entries: AsyncIterable<LedgerEntry>): Promise<FollowedApply> => {
  const outcomes = new Map(before.outcomes)
  const sending = new Map(before.sending)
  let { last } = before
  for await (const entry of entries) {
    last = entry
    const command = loggedCommand(entry)
    if (command === undefined) continue
    const { id, description } = command
    if (entry.kind === 'intent' || entry.kind === 'attempt') {
      outcomes.delete(id)
      sending.set(id, { command: id, description, since: entry.at, ...defined({ attempt: entry.attempt }) })
    }
    const sent = sending.get(id)
    if (entry.kind === 'waiting' && sent !== undefined) sending.set(id, { ...sent, accepted: true })
    if (entry.kind === 'result' && entry.outcome !== undefined) {
      sending.delete(id)
      outcomes.set(id, entry.outcome)
    }
  }
  return { ...defined({ last }), outcomes, sending }
}

const progressOf = (apply: Apply, { outcomes, sending }: FollowedApply): Apply => {
  const commands = apply.resources?.reduce((sum, resource) => sum + resource.commands, 0)
  const known = new Set([...outcomes.keys(), ...sending.keys()])
  return withResults({
    ...apply,
    outcomes: [...outcomes.values()],
    progress: {
      sending: [...sending.values()],
      ...defined({ waiting: commands === undefined ? undefined : Math.max(0, commands - known.size) }),
    },
  })
}

/** Another store may have an apply of the same id: the hash of an entry tells whether all before it is the same. */
const readOn = async (store: Deps['store'], { id, workspace, requestedAt }: Apply): Promise<FollowedApply> => {
  const { last, ...before } = followed.get(id) ?? nothing
  if (last !== undefined) {
    const entries = selectLedger(store, workspace, { applyId: id, after: last.seq - 1 })
    const { value: same } = await entries.next()
    if (same?.hash === last.hash) return after({ ...before, last }, entries)
  }
  return after(nothing, entriesSince(requestedAt, { applyId: id, workspace }, { store }))
}

/** An apply that runs, command by command: its record is written when its worker ends, the ledger with each command. */
export const withProgress = async (apply: Apply, { store }: Pick<Deps, 'store'>): Promise<Apply> => {
  try {
    const now = await readOn(store, apply)
    keep(apply.id, now)
    return progressOf(apply, now)
  } catch (error) {
    // Less is known of it then, and what its record says still holds.
    if (isUnusable(error) || isAppError(error, 'LEDGER_UNREAD')) return apply
    throw error
  }
}
