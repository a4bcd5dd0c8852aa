import type { PlannedChange } from '../../../engine/provider/provider.ts'
import type { CommandDraft, Request } from '../../../engine/schema/command.ts'
import type { Json } from '../../../engine/schema/json.ts'
import { isSensitive } from '../../../engine/schema/value.ts'
import { defined } from '../../../engine/values/defined.ts'
import type { FilePlace } from '../shared/place.ts'
import type { MachineScope } from '../shared/scope.ts'
import { doing, partNames } from '../shared/words.ts'
import { configKeys, credentialKeys, type ProfilePlaces, placesOf, sectionOf, valuesOf } from './profile.ts'

/** Only the owner may read them. */
const defaultMode = '0600'

export const profileCommands = (machine: MachineScope, change: PlannedChange): readonly CommandDraft[] => {
  const places = placesOf(machine, change.desired)
  if ('kind' in places) return []
  if (change.action === 'delete') return removal(places, change)
  const drafts = (['credentials', 'config'] as const).flatMap((file) => draftFor(file, places, change))
  const all = drafts.length === 0 && change.before === null ? [emptyProfile(places)] : drafts
  return all.map((draft, n) => ({
    ...draft,
    // The first one makes the profile; the next one changes what was made.
    action: change.before === null && n === 0 ? 'create' : 'update',
  }))
}

const edit = (place: FilePlace, section: string, to: Json, was?: Json): Request => ({
  method: 'PATCH',
  url: place.url,
  effect: 'write',
  body: {
    edit: { kind: 'section', of: { section }, to, ...defined({ was }) },
    ...(to === null ? {} : { mode: defaultMode }),
  },
})

/** A profile of which nothing is declared but its name is there when its section is. */
const emptyProfile = ({ name, config }: ProfilePlaces): Omit<CommandDraft, 'action'> => {
  const section = sectionOf(name, 'config')
  return {
    description: doing.add(partNames.profile(name), config.path),
    request: edit(config, section, {}, null),
    grade: 'reversible',
    inverse: edit(config, section, null),
  }
}

/** The keys that change in one file, one edit for all of them. A new profile has no keys to take away. */
const draftFor = (
  file: 'credentials' | 'config',
  { name, ...places }: ProfilePlaces,
  { before, desired, changed }: PlannedChange,
): readonly Omit<CommandDraft, 'action'>[] => {
  const settings = valuesOf(desired, file)
  const old = before === null ? {} : valuesOf(before, file)
  const names = attributesOf(file)
  const isChanged = (attribute: string, key: string): boolean =>
    before === null ||
    changed.some(
      ([first, second]) => first === attribute && (attribute !== 'settings' || second === undefined || second === key),
    )
  const keyAttribute = (key: string): string => names.find(([, each]) => each === key)?.[0] ?? 'settings'
  const to = Object.fromEntries(
    Object.entries(settings).filter(
      ([key, value]) => isChanged(keyAttribute(key), key) && (before !== null || value !== null),
    ),
  )
  if (Object.keys(to).length === 0) return []
  const section = sectionOf(name, file)
  const isNew = before === null || (file === 'credentials' && before['hasCredentials'] === false)
  const held = Object.fromEntries(
    Object.keys(to).map((key) => [key, Object.hasOwn(old, key) ? (old[key] ?? null) : null]),
  )
  const known = Object.fromEntries(Object.entries(held).filter(([, value]) => !isSensitive(value)))
  const isKnown = Object.keys(known).length === Object.keys(held).length
  const what = partNames.profile(name)
  const sets = [...new Set(Object.keys(to).map(keyAttribute))]
  return [
    {
      description: before === null ? doing.add(what, places[file].path) : doing.change(what, places[file].path),
      request: edit(places[file], section, to, known),
      footprint: { sets },
      ...(isKnown
        ? { grade: 'reversible' as const, inverse: edit(places[file], section, isNew ? null : held) }
        : { grade: 'lossy' as const }),
    },
  ]
}

const attributesOf = (file: 'credentials' | 'config'): readonly (readonly [string, string])[] =>
  Object.entries(file === 'credentials' ? credentialKeys : configKeys)

/** Both sections as a whole, with keys that nothing declares: nobody can bring them back. */
const removal = ({ name, ...places }: ProfilePlaces, { before }: PlannedChange): readonly CommandDraft[] => {
  const remove = (file: 'credentials' | 'config'): Omit<CommandDraft, 'action'> => ({
    description: doing.takeAway(partNames.profile(name), places[file].path),
    request: edit(places[file], sectionOf(name, file), null),
    success: [204, 404],
    grade: 'irreversible',
  })
  const names = [...Object.keys(credentialKeys)]
  // Other programs write keys that no attribute is about: with their profile they go too.
  return before?.['hasCredentials'] === true
    ? [
        { ...remove('credentials'), action: 'update', footprint: { affects: names } },
        { ...remove('config'), action: 'delete' },
      ]
    : [{ ...remove('config'), action: 'delete' }]
}
