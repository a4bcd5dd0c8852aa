import type { Plan, ShownPart } from '../../../engine/schema/stored/plan.ts'
import { present } from '../../../engine/values/defined.ts'
import type { Prose } from '../characters/prose.ts'
import { foreign, foreignList, thousands } from '../characters/prose.ts'
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

const shownWords = ({ only, addresses = [] }: ShownPart): Prose => [
  only === undefined ? '' : `${kindWords[only]}${addresses.length === 0 ? '' : ', '}`,
  ...foreignList(addresses),
]

const kindWords = {
  drift: 'what changed outside',
  pending: 'what the configuration changes',
  unchecked: 'what could not be checked',
  delete: 'what would be deleted',
} as const

/** What a page says before everything else. */
export const viewNotes = ({ view, changes, refused, shown }: Plan): readonly Prose[] =>
  present<Prose>(
    shown !== undefined && ['only a part is shown: ', ...shownWords(shown), '; the counts are those of the whole'],
    view === 'recorded' && [
      'nothing live was read: the target may differ from its records, so there is nothing to approve',
    ],
    view === 'unkept' &&
      changes.length > 0 && [
        'nothing is kept of this check and earlier ones: drift and pending changes look alike, and nothing can be approved',
      ],
    refused !== undefined && ['an apply of all these would be refused by the policy: ', foreign(refused)],
  )
