import { AppError } from '../../errors.ts'
import type { Deps } from '../deps.ts'
import { planOpened } from '../session/open-session.ts'
import type { ApplyRun, Execution } from './apply-run.ts'
import { commandsToSend } from './approved/commands-to-send.ts'
import type { ApplyProgress } from './approved/compare-approved.ts'
import { refusal, refuseImmutable } from './approved/policy.ts'
import { doneIn } from './execute-commands.ts'
import { knownTo } from './guard/known-values.ts'

/** A command's id begins with its resource's address. */
export const addressOf = (id: string): string => id.slice(0, id.lastIndexOf('#'))

/** Reads and plans again, and compares with what was approved. Throws STALE_PLAN, TARGET_UNREAD, POLICY_REFUSED. */
export const compareAgain = async (run: ApplyRun, progress: ApplyProgress, deps: Deps): Promise<Execution> => {
  const { apply, commands, approved, earlier, opened, log } = run
  const session = await planOpened(opened, deps)
  const { configuration } = session.loaded
  const ready = commandsToSend({
    apply,
    approved: commands,
    progress,
    plan: session.plan,
    known: knownTo(session),
    nodes: [...configuration.resources, ...session.recorded.resources],
  })
  const refused = refusal(commands, configuration.policy) ?? refuseImmutable(session.plan.changes, apply.targets)
  if (refused !== undefined) throw new AppError('POLICY_REFUSED', { detail: refused })
  if (apply.mode === 'execute') await log.write(ready.found.map((each) => ({ kind: 'result', ...each })))
  const done = new Set([
    ...[...earlier.waiting.keys()].filter((id) => progress.done.has(id)),
    ...doneIn(ready.found.map(({ outcome }) => outcome)),
  ])
  const addresses = new Set([...done].map(addressOf))
  const waited = approved.changes.filter(({ address }) => addresses.has(address))
  return { ...run, session, ready, waited, earlier: progress }
}
