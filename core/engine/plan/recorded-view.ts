import { digest } from '../json/digest.ts'
import { type Change, countActions, type Plan } from '../schema/stored/plan.ts'

/** Only a request needs a missing value, and this view builds no requests. */
const unblocked = ({ blocked, ...change }: Change): Change =>
  blocked === undefined || blocked.reason === 'value_missing' ? change : { ...change, blocked }

/**
 * What would change if everything is as recorded; nothing live is read. The plan is never complete and has no commands,
 * so it cannot be approved.
 */
export const recordedOnly = (plan: Plan): Plan => {
  const changes = plan.changes.map(unblocked)
  const sent = changes.filter(({ blocked }) => blocked === undefined)
  const counts = { ...plan.counts, ...countActions(sent), blocked: changes.length - sent.length, commands: 0 }
  return {
    ...plan,
    view: 'recorded',
    changes,
    commands: [],
    counts,
    inSync: false,
    complete: false,
    digests: { ...plan.digests, commands: digest([]) },
  }
}
