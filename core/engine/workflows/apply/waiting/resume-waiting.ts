import { isEqual } from '../../../diff/matching/canonical.ts'
import type { Command, PlannedRequest } from '../../../schema/command.ts'
import { isFailure } from '../../../schema/stored/outcome.ts'
import type { Waiting } from '../../../schema/stored/waiting.ts'
import { defined } from '../../../values/defined.ts'
import { urlParts } from '../../../values/url.ts'
import type { Deps } from '../../deps.ts'
import { type OpenWorkspace, openSession } from '../../session/open-session.ts'
import type { ApplyProgress } from '../approved/compare-approved.ts'
import { unknownIn } from '../approved/fill-known.ts'
import type { ApplyRun } from '../execution/apply-run.ts'
import { skipped } from '../execution/execute-commands.ts'
import { forgiving, knownTo } from '../execution/known-values.ts'
import { readProgress } from '../execution/read-progress.ts'
import { goOnWaiting } from '../execution/wait-for.ts'
import { waitPorts } from './wait-ports.ts'

/**
 * Continues to wait for commands that an earlier worker sent, before anything is planned. `undefined`: stopped, or
 * there is too little time.
 */
export const resumeWaiting = async (run: ApplyRun, deps: Deps): Promise<ApplyProgress | undefined> => {
  const { apply, opened, commands, earlier, log, ending } = run
  if (earlier.waiting.size === 0) return earlier
  const given = waitPorts(run, (command, request) => findAccepted(command, request, opened, deps), deps)
  let isHalted = false
  const ports = { ...given, shouldStop: () => isHalted || given.shouldStop() }
  const noted = new Set<string>()
  const waitOn = async (command: Command, waiting: Waiting): Promise<boolean> => {
    const { id } = command
    if (waiting.answers !== undefined) opened.known.learn(command.address, { answers: waiting.answers })
    const outcome = await goOnWaiting(command, waiting, ports)
    if (outcome === undefined) return false
    const after = isFailure(outcome) ? dependentsOf(id, commands).filter((each) => !noted.has(each.id)) : []
    for (const each of after) noted.add(each.id)
    await log.write([
      { kind: 'result', command, outcome },
      ...after.map((each) => ({ kind: 'result' as const, command: each, outcome: skipped(each.id, id) })),
    ])
    const { status, detail, running } = outcome
    deps.progress?.({ step: 'outcome', id, status, ...defined({ detail, running }) })
    return true
  }
  const ends = await Promise.allSettled(
    commands.flatMap((command) => {
      const waiting = earlier.waiting.get(command.id)
      if (waiting === undefined) return []
      return waitOn(command, waiting).catch((error: unknown) => {
        isHalted = true
        throw error
      })
    }),
  )
  // All waiting must end before an error is thrown, because the lock may be released then.
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  if (ends.some((end) => end.status === 'fulfilled' && !end.value)) return undefined
  const progress = await readProgress(apply, deps)
  return ending() === undefined ? progress : undefined
}

/**
 * Finds an id that no answer contained, by the keys of the object, as a check does. An object that is being replaced is
 * not the right one.
 */
const findAccepted = async (
  command: Command,
  request: PlannedRequest,
  opened: OpenWorkspace,
  deps: Deps,
): Promise<void> => {
  const { address, action } = command
  const missing = unknownIn([...urlParts(request.url), request.body ?? null], forgiving(knownTo(opened)))
  if (!missing.has(address)) return
  const { known } = await openSession(opened.loaded.configuration.workspace, deps)
  const ids = known.of(address).ids
  const before = opened.recorded.resources.find((each) => each.address === address)?.ids
  if (ids === undefined || (action === 'create' && before !== undefined && isEqual(ids, before))) return
  opened.known.learn(address, { ids })
}

/** No command comes before its dependencies, so one pass finds all of them. */
const dependentsOf = (id: string, commands: readonly Command[]): readonly Command[] => {
  const blocked = new Set([id])
  return commands.filter((command) => {
    const isBlocked = command.dependsOn.some((needed) => blocked.has(needed))
    if (isBlocked) blocked.add(command.id)
    return isBlocked
  })
}
