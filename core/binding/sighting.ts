/**
 * What one look for an object found, reduced to what tells objects apart. A look asks for what has certain ids, or for what
 * has certain keys.
 */
export type Sighting =
  | {
      readonly kind: 'present'
      /** Equal for two sightings exactly where they are of one object. */
      readonly object: string
      /** Set beside the record: the same keys; others, of which none is fixed; or a fixed attribute differs. */
      readonly recorded: 'same' | 'renamed' | 'other'
      /** Its ids are those of the record; `unknown` where one of the two has none. */
      readonly ids: 'same' | 'other' | 'unknown'
      /** Something fixed, or what it refers to, is not as recorded: the name of that attribute. */
      readonly differs?: string
      /** It has the keys that the configuration wants. */
      readonly wanted: boolean
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown' }

/** Where a look goes: `ids` as recorded; `recorded` and `wanted` are keys. */
export type Look = 'ids' | 'recorded' | 'wanted'

export type Sightings = Readonly<Partial<Record<Look, Sighting>>>
