import type { TofuAction } from '../../read/shapes.ts'
import type { TofuNode } from '../report.ts'
import { type Mark, type Product, symbolOf } from './style.ts'

/** How a place is shown; the replacement holds for one place and is not passed down. */
export interface RenderContext {
  readonly mark: Mark
  readonly product: Product
  /** Passed down, so that the kinds do not import each other. */
  readonly render: (node: TofuNode, context: RenderContext) => string
  /** Four columns each. */
  readonly depth: number
  readonly withSymbols: boolean
  readonly showUnchanged: boolean
  readonly withoutNull: boolean
  readonly forced: boolean
}

export type Of<Kind extends TofuNode['kind']> = TofuNode & { readonly kind: Kind }

export const show = (node: TofuNode, context: RenderContext): string => context.render(node, context)

export const deeper = (context: RenderContext, changed: Partial<RenderContext> = {}): RenderContext => ({
  ...context,
  depth: context.depth + 1,
  forced: false,
  ...changed,
})

export const indentOf = ({ depth }: Pick<RenderContext, 'depth'>): string => '    '.repeat(depth)

/** The symbol and the space after it, or nothing. */
export const cell = (action: TofuAction, { withSymbols, mark }: RenderContext): string =>
  withSymbols ? `${symbolOf(action, mark)} ` : ''

/** The text before a value on its own line. */
export const lineStart = (action: TofuAction, context: RenderContext): string =>
  indentOf(context) + cell(action, context)

export const nullSuffix = (action: TofuAction, { withoutNull, mark }: RenderContext): string =>
  action === 'delete' && !withoutNull ? mark` [dark_gray]-> null[reset]` : ''

export const forces = (replace: boolean, { forced, mark }: RenderContext): string =>
  replace || forced ? mark` [red]# forces replacement[reset]` : ''

export const arrow = ({ mark }: RenderContext): string => mark`[yellow]->[reset]`

export const isHidden = ({ action }: TofuNode, { showUnchanged }: RenderContext): boolean =>
  action === 'no-op' && !showUnchanged

/** The line that counts what is hidden, if anything is. */
export const hiddenLine = (count: number, what: string, context: RenderContext): string[] => {
  const { mark } = context
  const words = `${what}${count === 1 ? '' : 's'}`
  return count === 0
    ? []
    : [lineStart('no-op', context) + mark`[dark_gray]# (${String(count)} unchanged ${words} hidden)[reset]`]
}

/** A part in its own lines, with the text before and after it. */
export const partLines = (node: TofuNode, context: RenderContext, before = '', behind = ''): string[] => [
  ...warningsOf(node, context),
  `${lineStart(node.action, context)}${before}${show(node, context)}${behind}`,
]

/** The lines before a place whose sensitivity flips. */
const warningsOf = (node: TofuNode, context: RenderContext): string[] => {
  if (node.kind !== 'sensitive' && node.kind !== 'sensitive-block') return []
  const { innerAction, beforeSensitive, afterSensitive } = node
  if (beforeSensitive === afterSensitive || innerAction === 'create' || innerAction === 'delete') return []
  const { mark } = context
  const indent = indentOf(context)
  const what = node.kind === 'sensitive' ? 'attribute value' : 'block'
  const warning = beforeSensitive
    ? mark`  # [yellow]Warning[reset]: this ${what} will no longer be marked as sensitive\n${indent}  # after applying this change.`
    : mark`  # [yellow]Warning[reset]: this ${what} will be marked as sensitive and will not\n${indent}  # display in UI output after applying this change.`
  const still = node.kind === 'sensitive' && innerAction === 'no-op' ? ' The value is unchanged.' : ''
  return [indent + warning + still]
}
