import type { ProbedLock } from '../../schema/reports/probe-report.ts'
import { adopted, otherValue, type TypeProbe, type Unplaced, writableIn } from './probe-type.ts'
import type { Observation } from './sandbox.ts'

export interface LockProbe {
  readonly locks: readonly ProbedLock[]
  readonly findings: readonly Unplaced[]
  /** Why nothing was learnt of a lock that the document declares. */
  readonly skipped?: string
}

/** Tries whether the target refuses a write whose version is stale, with the first attribute that can be set. */
export const probeLock = async (
  probe: TypeProbe,
  created: Extract<Observation, { kind: 'present' }>,
): Promise<LockProbe> => {
  const { probed, handle, moving, shouldStop } = probe
  const nothing: LockProbe = { locks: [], findings: [] }
  if (probed.resource.lock === undefined) return nothing
  const base = adopted(probe, created)
  for (const [name, entry] of writableIn(probed)) {
    if (shouldStop()) return nothing
    const seen = moving.includes(name) ? undefined : await handle.look(base)
    const value = seen?.kind === 'present' ? otherValue(probe, name, entry, seen.attributes[name]) : undefined
    const stale = value === undefined ? undefined : await handle.sendStale({ ...base, [name]: value })
    if (stale?.request === undefined || stale.status === undefined) continue
    const { request, status } = stale
    const lock = { type: probed.type, refused: !stale.ok, request, status }
    if (lock.refused) return { ...nothing, locks: [lock] }
    const message = 'its lock is ignored: the server takes a write whose version is stale'
    return { locks: [lock], findings: [{ message, evidence: { request, status } }] }
  }
  return { ...nothing, skipped: 'its lock was not tried: no write that can be made here carries a version' }
}
