import type { TofuStateModule, TofuStateReport, TofuStateResource } from '../report.ts'
import type { RenderContext } from './context.ts'
import { wrapWords } from './quote.ts'
import { renderNode } from './render-node.ts'
import { resourceTitle, rootContext, unreadLine } from './render-resource.ts'
import type { Style } from './style.ts'

/** The page of a state. */
export const renderState = ({ newer, empty, root, outputs, unread }: TofuStateReport, style: Style): string => {
  const { mark, product } = style
  const warning = newer
    ? `${wrapWords(mark`\n[bold][red]Warning:[reset][bold] This state was retrieved using a different version of ${product.name}, the state presented here maybe missing representations of recent features.`, style.width)}\n`
    : ''
  if (empty) return `${warning}The state file is empty. No resources are represented.\n`
  const context = { ...rootContext(style), showUnchanged: true, withSymbols: false }
  const lines = outputs.map(([name, node]) => `${name} = ${renderNode(node, context)}\n`)
  const heading = lines.length > 0 ? '\n\nOutputs:\n\n' : ''
  const untold = unread.map((entry) => `\n${unreadLine(entry)}\n`).join('')
  return `${warning}${moduleText(root, context, true)}${untold}${heading}${lines.join('')}`
}

/** A module's resources, then those of its modules. Two empty lines part it from what came before. */
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
