import { digest } from '../json/digest.ts'
import type { Plan } from '../schema/stored/plan.ts'
import { defined } from '../values/defined.ts'

/**
 * Only recorded -> observed: what changed outside, whatever the configuration says. This view has no commands and
 * cannot be approved.
 */
export const driftOnly = ({
  formatVersion,
  workspace,
  drift,
  attributed,
  unchecked,
  complete,
  changes,
  counts,
  digests,
}: Plan): Plan => {
  const moved = new Set(drift.map(({ address }) => address))
  // An object that was never recorded cannot drift.
  const recorded = changes.filter(({ address, action }) => action !== 'create' || moved.has(address))
  const { unchecked: unread, drifted } = counts
  return {
    formatVersion,
    workspace,
    view: 'drift',
    changes: [],
    drift,
    ...defined({ attributed }),
    unchecked,
    unobserved: [],
    unmanaged: [],
    ignored: [],
    commands: [],
    counts: {
      ...{ create: 0, update: 0, replace: 0, delete: 0, blocked: 0, commands: 0, unchecked: unread, drifted },
      unchanged: Math.max(0, counts.unchanged + recorded.length - drift.length),
    },
    inSync: false,
    complete,
    digests: { ...digests, commands: digest([]) },
  }
}
