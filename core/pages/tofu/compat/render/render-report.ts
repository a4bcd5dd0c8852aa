import type { TofuCompat, TofuReport, TofuStateModule, TofuStateReport, TofuStateResource } from '../report.ts'
import type { RenderContext } from './context.ts'
import { renderNode, rootContext } from './render-node.ts'
import { renderPlan } from './render-plan.ts'
import { resourceTitle, unreadLine } from './render-resource.ts'
import { colored, plain, products, prose, type Style } from './style.ts'

export interface TofuRenderOptions {
  readonly compat?: TofuCompat
  readonly color?: boolean
  /** Columns, 78 where it is no terminal. */
  readonly width?: number
}

/** The page as the product prints it, without the empty line before it. */
export const renderTofuReport = (
  page: TofuReport,
  { compat = 'opentofu', color = false, width = 78 }: TofuRenderOptions = {},
): string => {
  const style: Style = { mark: color ? colored : plain, product: products[compat], width }
  const text = page.kind === 'plan' ? renderPlan(page, style) : renderState(page, style)
  return text.replace(/^\n/, '')
}

/** The page of a state. */
const renderState = ({ newer, empty, root, outputs, unread }: TofuStateReport, style: Style): string => {
  const { mark, product } = style
  const warning = newer
    ? prose(
        mark`\n[bold][red]Warning:[reset][bold] This state was retrieved using a different version of ${product.name}, the state presented here maybe missing representations of recent features.`,
        style,
      )
    : ''
  if (empty) return `${warning}The state file is empty. No resources are represented.\n`
  const context = { ...rootContext(style), showUnchanged: true, withSymbols: false }
  const lines = outputs.map(([name, node]) => `${name} = ${renderNode(node, context)}\n`)
  const heading = lines.length > 0 ? '\n\nOutputs:\n\n' : ''
  const untold = unread.map((entry) => unreadLine(entry, '')).join('')
  return `${warning}${moduleText(root, context, true)}${untold}${heading}${lines.join('')}`
}

/** A module's resources, then those of its modules. Two empty lines separate it from the text before. */
const moduleText = ({ resources, children }: TofuStateModule, context: RenderContext, isFirst: boolean): string => {
  const own = resources.map((resource, index) => (isFirst && index === 0 ? '' : '\n') + resourceText(resource, context))
  const gap = resources.length > 0 && !isFirst ? '\n' : ''
  const stillFirst = isFirst && resources.length === 0
  return gap + own.join('') + children.map((child) => moduleText(child, context, stillFirst)).join('')
}

const resourceText = (resource: TofuStateResource, context: RenderContext): string => {
  const { address, tainted, deposed } = resource
  const note = deposed === undefined ? (tainted ? ' (tainted)' : '') : ` (deposed object ${deposed})`
  return `# ${address}:${note}\n${resourceTitle(resource)} ${renderNode(resource.node, context)}\n`
}
