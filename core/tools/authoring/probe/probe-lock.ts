import type { ProbedLock } from '../../../engine/schema/reports/probe-report.ts'
import { defined } from '../../../engine/values/defined.ts'
import { adopted } from './adopted.ts'
import { otherValue, shownStuck, type TypeProbe, triedIn, type Unplaced, whyNotTried } from './probe-type.ts'
import type { Present } from './sandbox.ts'
import { type Stuck, setBack } from './set-back.ts'
import { proposals, skips } from './words.ts'

interface LockProbe {
  readonly lock?: ProbedLock
  readonly findings: readonly Unplaced[]
  /** The reason why nothing was learnt about a lock in the document. */
  readonly skipped?: string
  readonly stuck?: Stuck
}

/**
 * Tests whether the target refuses a write with a stale version, with the first attribute that can be set, and sets the
 * attribute back.
 */
export const probeLock = async (probe: TypeProbe, created: Present): Promise<LockProbe> => {
  const { probed, handle, moving, shouldStop } = probe
  const base = adopted(probe, created)
  if (probed.resource.lock === undefined) return { findings: [] }
  for (const [name, entry] of triedIn(probe, created)) {
    if (shouldStop()) return { findings: [] }
    const before = moving.includes(name) ? undefined : await handle.look(base)
    if (before?.kind !== 'present') continue
    const value = otherValue(probe, name, entry, before.attributes[name])
    if (value === undefined || whyNotTried(probe, name, value) !== undefined) continue
    const stale = await handle.sendStale({ ...base, [name]: value })
    if (stale?.request === undefined || stale.status === undefined) continue
    const seen = await handle.look(base)
    const { entries } = probed
    const back = await setBack({ handle, entries, base, name, done: stale, before, seen, writable: [name] })
    const { ok, request, status } = stale
    const lock = { type: probed.type, refused: !ok, request, status }
    const stuck = back.kind === 'stuck' ? shownStuck(back, probed) : undefined
    return {
      lock,
      findings: ok ? [{ ...proposals.lockIgnored, evidence: { request, status } }] : [],
      ...defined({ stuck }),
    }
  }
  return { findings: [], skipped: skips.lock }
}
