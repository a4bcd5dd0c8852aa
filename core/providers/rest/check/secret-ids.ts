import type { Path } from '../../../schema/json.ts'
import type { Problem } from '../../provider.ts'
import { allEntries, type Entries } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import { problem } from '../document/problem.ts'
import { placeOf } from '../document/template.ts'

/** An id stands in URLs, in plans and in the state in clear: no place of it may hold, or lie in, what is sensitive. */
export const checkSecretIds = (resource: RestResource): readonly Problem[] => {
  const secret = sensitivePlaces(allEntries(resource))
  return idPlaces(resource).flatMap(({ at, place }) => {
    const found = secret.find((each) => overlaps(each, placeOf(place)))
    return found === undefined
      ? []
      : [
          problem(
            at,
            `the id is read from "${place}", where the sensitive attribute "${found.join('.')}" stands`,
            'an id is shown and stored: read it from another place, or do not call that place sensitive',
          ),
        ]
  })
}

/** The path of an attribute is where it stands in the answer, of a member where it stands in its object. */
const sensitivePlaces = (entries: Entries, around: Path = []): readonly Path[] =>
  Object.entries(entries).flatMap(([name, entry]) => {
    const place = [...around, ...placeOf(entry.path ?? name)]
    if (entry.sensitive === true || entry.writeOnly === true) return [place]
    return sensitivePlaces(entry.attributes ?? {}, place)
  })

const overlaps = (left: Path, right: Path): boolean =>
  left.slice(0, right.length).every((step, n) => String(step) === String(right[n]))

interface IdPlace {
  readonly at: Path
  readonly place: string
}

const idPlaces = ({ serverId, lookup, operations }: RestResource): readonly IdPlace[] => [
  ...placesIn(serverId, ['serverId']),
  ...('ids' in lookup ? placesIn(lookup.ids, ['lookup', 'ids']) : []),
  ...Object.entries(operations).flatMap(([name, { produces, wait }]) => [
    ...placesIn(produces, ['operations', name, 'produces']),
    ...(wait === undefined || wait === 'none'
      ? []
      : [wait].flat().flatMap((entry) => placesIn(entry.produces, ['operations', name, 'wait']))),
  ]),
]

/** What a header tells is nobody's attribute. */
const placesIn = (places: Readonly<Record<string, unknown>> | undefined, at: Path): readonly IdPlace[] =>
  Object.entries(places ?? {}).flatMap(([name, place]) =>
    typeof place === 'string' ? [{ at: [...at, name], place }] : [],
  )
