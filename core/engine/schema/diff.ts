import type { Json } from './json.ts'

export type DiffAction = 'same' | 'create' | 'update' | 'delete'

interface DiffNode {
  readonly action: DiffAction
  /** The value is not shown; both sides are sealed. */
  readonly sensitive?: true
  /** Only one side is a secret; the other one is not shown either. */
  readonly secrecy?: 'gained' | 'lost'
  /** The after side is known only after an earlier command. */
  readonly unknown?: true
  /** A change of this node itself forces a replacement. */
  readonly forcesReplacement?: true
  /** The value is sent and never read back: both sides are absent. */
  readonly writeOnly?: true
  /** How the source writes the value: as blocks, or as an attribute with attributes. Absent for a plain value. */
  readonly syntax?: 'block' | 'nested'
}

/** In a text: ranges [from, to) of UTF-16 units, in order; none ends inside a character. */
export type Ranges = readonly (readonly [from: number, to: number])[]

/** What differs in each of two texts with a common part. */
export interface Changed {
  readonly before: Ranges
  readonly after: Ranges
}

/** A scalar, an `any`, or two values of different kinds. A side that does not exist is absent; null is a value. */
export interface ValueDiff extends DiffNode {
  readonly kind: 'value'
  readonly before?: Json
  readonly after?: Json
  /** For two texts of one line. */
  readonly changed?: Changed
  /** How many members each side of a map or a free object has that is not shown. */
  readonly hidden?: { readonly before: number; readonly after: number }
}

export interface ObjectDiff extends DiffNode {
  /** `object`: fixed attribute names. `map`: free keys. */
  readonly kind: 'object' | 'map'
  readonly members: Readonly<Record<string, Diff>>
}

/**
 * Elements in display order; `before`/`after` are the indexes on each side. `label` names the element for people by
 * what distinguishes it from its neighbours, for example `LOG_LEVEL` or `port=53`. The label is a guess: use it for
 * display only, never to address the element.
 */
export interface ListDiff extends DiffNode {
  /** `tuple`: each position has its own type. */
  readonly kind: 'list' | 'tuple'
  readonly elements: readonly {
    readonly before?: number
    readonly after?: number
    readonly label?: string
    readonly diff: Diff
  }[]
}

/**
 * `key` names the element for people and in paths, for example `www.example.org. A`; it is absent if the whole element
 * is its identity. Such an element may have a `label`, as in a list. `likened`: two different elements are shown as one
 * changed element because they are similar; in the set, the one is removed and the other is added.
 */
export interface SetDiff extends DiffNode {
  readonly kind: 'set'
  readonly elements: readonly {
    readonly key?: string
    readonly label?: string
    readonly likened?: true
    readonly diff: Diff
  }[]
}

/** Two texts of which at least one has several lines. Equal lines are `same`. */
export interface TextDiff extends DiffNode {
  readonly kind: 'text'
  readonly lines: readonly TextLine[]
}

export interface TextLine {
  readonly action: 'same' | 'create' | 'delete'
  readonly text: string
  /** What changed within the line, compared with the line that it is paired with. */
  readonly changed?: Ranges
}

/** Two texts that both contain JSON, or YAML: the difference of their contents. `same` inside: only the spelling changed. */
export interface JsonTextDiff extends DiffNode {
  readonly kind: 'json' | 'yaml'
  readonly inner: Diff
}

/** The difference of two values: plain JSON, independent of any renderer. Equal parts keep their value once, under `same`. */
export type Diff = ValueDiff | ObjectDiff | ListDiff | SetDiff | TextDiff | JsonTextDiff

export const isSame = (diff: Diff): boolean => diff.action === 'same'
