import type { DiffAction } from '../../../engine/schema/diff.ts'
import type { Cause } from '../../../engine/schema/stored/plan.ts'

/** A line of a page, before colours, width and markup are applied. All texts are safe to print. */
export interface Row {
  /** `attribute` has a label that is aligned with its siblings, `line` is one line of a text, `fold` replaces hidden rows. */
  readonly kind: 'attribute' | 'line' | 'fold'
  readonly action: DiffAction
  /** Of an attribute its name, else the whole text. */
  readonly label: string
  readonly before?: string
  readonly after?: string
  /** Of two texts that have something in common: each side in parts, together it. */
  readonly changed?: { readonly before: readonly TextPart[]; readonly after: readonly TextPart[] }
  /** Of a `line` of which only a part changed: together they are the label. */
  readonly parts?: readonly TextPart[]
  readonly notes: readonly string[]
  readonly causes: readonly Cause[]
  readonly rows: readonly Row[]
}

export interface TextPart {
  readonly text: string
  readonly changed?: true
}

export const textRow = (kind: 'line' | 'fold', action: DiffAction, label: string): Row => ({
  kind,
  action,
  label,
  notes: [],
  causes: [],
  rows: [],
})

/** The cause `new` is left out, because it explains nothing. */
export const tagsOf = ({ causes, notes }: Row): readonly string[] => [
  ...causes.filter((cause) => cause !== 'new'),
  ...notes,
]
