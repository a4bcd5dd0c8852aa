import { type Plan, widens } from '../../../engine/schema/stored/plan.ts'
import { removalsOf } from '../../../engine/values/removals.ts'
import { removalText } from '../../../engine/values/words.ts'
import { foreign, foreignList, type Prose, when } from '../characters/prose.ts'
import { count } from '../shared/words.ts'

/** What a change does to the access that the target gives, beside an attribute and in the line of an object. */
export const accessTags = { widens: 'gives more access', narrows: 'gives less access' } as const

/** `3 changes give more access: x, y`: what whoever approves must not overlook. */
export const wideningNotes = ({ changes }: Plan): readonly Prose[] => {
  const addresses = changes
    .filter((change) => change.blocked === undefined && widens(change))
    .map(({ address }) => address)
  if (addresses.length === 0) return []
  const verb = addresses.length === 1 ? 'gives' : 'give'
  return [
    [
      `${count(addresses.length, 'change')} ${verb} more access: `,
      ...foreignList(addresses.slice(0, 10)),
      ...when(addresses.length > 10, ' and others'),
    ],
  ]
}

/** A part of at least half, and of at least so many, is told at the top, though it is not all. */
const notable = 5

/** `removes all 2 members of github_team.core`: the lists that end empty, and where most goes. */
export const removalNotes = ({ changes, existing }: Plan): readonly Prose[] => {
  const sent = changes.filter(({ blocked }) => blocked === undefined)
  return removalsOf(sent, existing)
    .filter(({ at, removed, of, added }) =>
      removed === of ? added === 0 && (at !== undefined || of > 1) : removed >= notable && removed * 2 >= of,
    )
    .slice(0, 10)
    .map((removal) => ['removes ', foreign(removalText(removal))])
}
