import type { TofuAction, TofuNode } from '../page.ts'
import type { Mark } from './mark.ts'
import type { Product } from './products.ts'
import { symbolOf } from './symbols.ts'

/** How a place is shown; what is said of replacement holds for one place and is not handed down. */
export interface Manner {
  readonly mark: Mark
  readonly product: Product
  /** Four columns each. */
  readonly depth: number
  readonly withSymbols: boolean
  readonly showUnchanged: boolean
  readonly withoutNull: boolean
  readonly forced: boolean
}

/** Renders one node; handed down, so that the kinds need not know each other. */
export type Render = (node: TofuNode, manner: Manner) => string

export const deeper = (manner: Manner, changed: Partial<Manner> = {}): Manner => ({
  ...manner,
  depth: manner.depth + 1,
  forced: false,
  ...changed,
})

export const indentOf = ({ depth }: Pick<Manner, 'depth'>): string => '    '.repeat(depth)

/** The symbol and the space after it, or nothing. */
export const cell = (action: TofuAction, { withSymbols, mark }: Manner): string =>
  withSymbols ? `${symbolOf(action, mark)} ` : ''

/** What stands before a text that is of its own line. */
export const lineStart = (action: TofuAction, manner: Manner): string => indentOf(manner) + cell(action, manner)

export const nullSuffix = (action: TofuAction, { withoutNull, mark }: Manner): string =>
  action === 'delete' && !withoutNull ? mark` [dark_gray]-> null[reset]` : ''

export const forces = (replace: boolean, { forced, mark }: Manner): string =>
  replace || forced ? mark` [red]# forces replacement[reset]` : ''

export const arrow = ({ mark }: Manner): string => mark`[yellow]->[reset]`

/** The line that counts what is hidden. */
export const hiddenLine = (count: number, what: string, manner: Manner): string => {
  const { mark } = manner
  return `${lineStart('no-op', manner)}${mark`[dark_gray]# (${String(count)} unchanged ${what}${count === 1 ? '' : 's'} hidden)[reset]`}`
}

/** The lines before a place whose sensitivity flips. */
export const warningsOf = (node: TofuNode, manner: Manner): string[] => {
  if (node.kind !== 'sensitive' && node.kind !== 'sensitive-block') return []
  const { innerAction, beforeSensitive, afterSensitive } = node
  if (beforeSensitive === afterSensitive || innerAction === 'create' || innerAction === 'delete') return []
  const { mark } = manner
  const indent = indentOf(manner)
  const what = node.kind === 'sensitive' ? 'attribute value' : 'block'
  const warning = beforeSensitive
    ? mark`  # [yellow]Warning[reset]: this ${what} will no longer be marked as sensitive\n${indent}  # after applying this change.`
    : mark`  # [yellow]Warning[reset]: this ${what} will be marked as sensitive and will not\n${indent}  # display in UI output after applying this change.`
  const still = node.kind === 'sensitive' && innerAction === 'no-op' ? ' The value is unchanged.' : ''
  return [indent + warning + still]
}
