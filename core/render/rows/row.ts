import type { DiffAction } from '../../schema/diff.ts'
import type { Cause } from '../../schema/plan.ts'

/** A line of a page before anybody chose colours, width or markup. All texts are safe to print. */
export interface Row {
  /** `attribute` has a label that is aligned with its siblings, `line` is one line of a text, `fold` stands for what is hidden. */
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

/** `new` is left out: that a thing was never seen before explains nothing. */
export const tagsOf = ({ causes, notes }: Row): readonly string[] => [
  ...causes.filter((cause) => cause !== 'new'),
  ...notes,
]
