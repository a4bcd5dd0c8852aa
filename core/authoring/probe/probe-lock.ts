import type { ProbedLock } from '../../schema/reports/probe-report.ts'
import { adopted, otherValue, type TypeProbe, type Unplaced, writableIn } from './probe-type.ts'
import type { Present } from './sandbox.ts'
import { proposals, skips } from './words.ts'

export interface LockProbe {
  readonly lock?: ProbedLock
  readonly findings: readonly Unplaced[]
  /** Why nothing was learnt of a lock that the document has. */
  readonly skipped?: string
}

/** Tries whether the target refuses a write with a stale version, with the first attribute that can be set. */
export const probeLock = async (probe: TypeProbe, created: Present): Promise<LockProbe> => {
  const { probed, handle, moving, shouldStop } = probe
  const base = adopted(probe, created)
  if (probed.resource.lock === undefined) return { findings: [] }
  for (const [name, entry] of writableIn(probed)) {
    if (shouldStop()) return { findings: [] }
    const seen = moving.includes(name) ? undefined : await handle.look(base)
    const value = seen?.kind === 'present' ? otherValue(probe, name, entry, seen.attributes[name]) : undefined
    const stale = value === undefined ? undefined : await handle.sendStale({ ...base, [name]: value })
    if (stale?.request === undefined || stale.status === undefined) continue
    const { ok, request, status } = stale
    const lock = { type: probed.type, refused: !ok, request, status }
    return { lock, findings: ok ? [{ ...proposals.lockIgnored, evidence: { request, status } }] : [] }
  }
  return { findings: [], skipped: skips.lock }
}
