import type { TofuStateModule, TofuStatePage, TofuStateResource } from '../page.ts'
import type { Manner } from './frame.ts'
import type { PageStyle } from './page-style.ts'
import { wrapWords } from './quote.ts'
import { renderNode } from './render-node.ts'
import { resourceTitle, standardManner, unreadLine } from './render-resource.ts'

/** The page of a state. */
export const renderStatePage = ({ newer, empty, root, outputs, unread }: TofuStatePage, style: PageStyle): string => {
  const { mark, product } = style
  const warning = newer
    ? `${wrapWords(mark`\n[bold][red]Warning:[reset][bold] This state was retrieved using a different version of ${product.name}, the state presented here maybe missing representations of recent features.`, style.width)}\n`
    : ''
  if (empty) return `${warning}The state file is empty. No resources are represented.\n`
  const manner = { ...standardManner(style), showUnchanged: true, withSymbols: false }
  const lines = outputs.map(([name, node]) => `${name} = ${renderNode(node, manner)}\n`)
  const heading = lines.length > 0 ? '\n\nOutputs:\n\n' : ''
  const untold = unread.map((entry) => `\n${unreadLine(entry)}\n`).join('')
  return `${warning}${moduleText(root, manner, true)}${untold}${heading}${lines.join('')}`
}

/** A module's resources, then those of its modules. Two empty lines part it from what came before. */
const moduleText = ({ resources, children }: TofuStateModule, manner: Manner, isFirst: boolean): string => {
  const own = resources.map((resource, index) => (isFirst && index === 0 ? '' : '\n') + resourceText(resource, manner))
  const gap = resources.length > 0 && !isFirst ? '\n' : ''
  const stillFirst = isFirst && resources.length === 0
  return gap + own.join('') + children.map((child) => moduleText(child, manner, stillFirst)).join('')
}

const resourceText = (resource: TofuStateResource, manner: Manner): string => {
  const { address, tainted, deposed } = resource
  const note = deposed === undefined ? (tainted ? ' (tainted)' : '') : ` (deposed object ${deposed})`
  return `# ${address}:${note}\n${resourceTitle(resource)} ${renderNode(resource.node, manner)}\n`
}
