import { setAt, toPointer } from '../../../json/pointer.ts'
import type { Json, JsonObject, Path } from '../../../schema/json.ts'
import type { LiveMark } from '../../../schema/value.ts'
import { liveAt, withoutPlaces } from '../../../transport/secrets/live-object.ts'
import { defined } from '../../../values/defined.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import type { Entries } from '../document/attributes.ts'
import { type Edit, placeIn } from './edits.ts'

/** RFC 7386: what goes is null. https://www.rfc-editor.org/rfc/rfc7386 */
export const mergePatch = (edits: readonly Edit[]): JsonObject =>
  edits.reduce<Json>((patch, { place, value }) => setAt(patch, place.map(String), value ?? null), {}) as JsonObject

/**
 * RFC 6902. `object` tells what is there: a member is added or replaced, and objects on the way are added where there are
 * none. Without it, what is on the way is taken to be there. https://www.rfc-editor.org/rfc/rfc6902
 */
export const jsonPatch = (edits: readonly Edit[], object: JsonObject | undefined): readonly JsonObject[] => {
  let there: Json | undefined = object
  return edits.flatMap((edit) => {
    const operations = patchOne(edit, there)
    if (there !== undefined) there = applied(there, edit)
    return operations
  })
}

const patchOne = ({ place, value }: Edit, there: Json | undefined): readonly JsonObject[] => {
  const path = toPointer(place)
  const isThere = there === undefined || liveAt(there, place) !== undefined
  if (value === undefined) return isThere ? [{ op: 'remove', path }] : []
  const missing = place.slice(0, -1).findIndex((_, depth) => !isHolder(there, place.slice(0, depth + 1)))
  if (there === undefined || missing < 0)
    return [{ op: there !== undefined && isThere ? 'replace' : 'add', path, value }]
  const outer = place.slice(0, missing + 1)
  return [{ op: 'add', path: toPointer(outer), value: setAt(undefined, place.slice(missing + 1).map(String), value) }]
}

const isHolder = (there: Json | undefined, place: Path): boolean => {
  const value = liveAt(there, place)
  return typeof value === 'object' && value !== null
}

/** An object with edits made; their values stand in it as they are. */
export const applied = (object: Json, { place, value }: Edit): Json =>
  value === undefined ? withoutPlaces(object, [toPointer(place)]) : setAt(object, place.map(String), value)

export interface Whole {
  /** `<address>#<name>`. */
  readonly live: string
  readonly drop: readonly string[]
  /** Places that may move between the plan and the write. */
  readonly except: readonly string[]
}

/** The whole object as the read right before the write shows it, with the edits made. */
export const liveBody = (
  edits: readonly Edit[],
  { live, drop, except }: Whole,
): Omit<LiveMark, 'digest'> & JsonObject => {
  const set = edits.flatMap((edit) => (edit.value === undefined ? [] : [{ ...edit, value: edit.value }]))
  const gone = edits.filter(({ value }) => value === undefined).map(({ place }) => toPointer(place))
  const keyed = set.flatMap(({ place, key }) => (key === undefined ? [] : [[toPointer(place), key] as const]))
  return {
    $live: live,
    except: [...new Set([...except, ...drop])].toSorted(),
    without: [...drop, ...gone],
    with: Object.fromEntries(set.map(({ place, value }) => [toPointer(place), value])),
    ...defined({ keyed: keyed.length === 0 ? undefined : Object.fromEntries(keyed) }),
  }
}

/** Places of all that the document names: what differs there is seen as attributes, or moves by itself. */
export const namedPlaces = (entries: Entries, outer: Path = []): readonly string[] =>
  Object.entries(entries).flatMap(([name, entry]) => {
    if (entry.in === 'path') return []
    const place = [...outer, ...placeIn(entry, name)]
    return opens(entry) ? namedPlaces(entry.attributes, place) : [toPointer(place)]
  })

const opens = (entry: AttributeEntry): entry is AttributeEntry & { readonly attributes: Entries } =>
  entry.type === 'object' && entry.attributes !== undefined && !entry.computed
