import type { Plan } from '../../../engine/schema/stored/plan.ts'
import { present } from '../../../engine/values/defined.ts'
import type { Prose } from '../characters/prose.ts'
import { foreign, thousands } from '../characters/prose.ts'
import { count, headline } from '../shared/words.ts'

/** The sentence of a plan, also of one that is a view. Only a whole plan can say "in sync". */
export const viewHeadline = (plan: Plan): string => {
  const { view, drift, changes, counts, unchecked } = plan
  if (view === undefined || view === 'unkept') return headline(plan)
  const open = unchecked.length === 0 ? [] : [`${thousands(unchecked.length)} could not be checked`]
  if (view === 'recorded') {
    const found = changes.length === 0 ? 'no changes' : count(changes.length, 'change')
    return [`by the records alone, ${found}`, ...open].join(', ')
  }
  const none = `no drift, ${count(counts.unchanged, 'recorded resource')} compared`
  return [drift.length === 0 ? none : count(drift.length, 'drifted resource'), ...open].join(', ')
}

/** What a page says before everything else. */
export const viewNotes = ({ view, changes, refused }: Plan): readonly Prose[] =>
  present<Prose>(
    view === 'recorded' && [
      'nothing live was read: the target may differ from its records, so there is nothing to approve',
    ],
    view === 'unkept' &&
      changes.length > 0 && [
        'nothing is kept of this check and earlier ones: drift and pending changes look alike, and nothing can be approved',
      ],
    refused !== undefined && ['an apply of all these would be refused by the policy: ', foreign(refused)],
  )
