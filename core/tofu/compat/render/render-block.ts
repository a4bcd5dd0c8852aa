import type { TofuBlock, TofuBlockGroup, TofuNode } from '../report.ts'
import { deeper, forces, hiddenLine, lineStart, type Render, type RenderContext, warningsOf } from './context.ts'
import { attributeName, quote } from './quote.ts'
import { attributeLines } from './render-container.ts'

type Block = TofuNode & { readonly kind: 'block' }

export const renderBlock = ({ replace, attributes, groups }: Block, context: RenderContext, render: Render): string => {
  if (attributes.length === 0 && groups.length === 0) return `{}${forces(replace, context)}`
  const inner = deeper(context)
  const shown = groups.map((group) => groupLines(group, inner, render))
  const hidden = shown.reduce((sum, { hidden: count }) => sum + count, 0)
  return [
    `{${forces(replace, context)}`,
    ...attributeLines(attributes, inner, render),
    ...shown.flatMap(({ lines }) => (lines.length > 0 && attributes.length > 0 ? ['', ...lines] : lines)),
    ...(hidden > 0 ? ['', hiddenLine(hidden, 'block', inner)] : []),
    `${lineStart('no-op', context)}}`,
  ].join('\n')
}

const groupLines = (
  group: TofuBlockGroup,
  inner: RenderContext,
  render: Render,
): { readonly lines: readonly string[]; readonly hidden: number } => {
  const blocks = group.blocks.map((block) => ({ ...block, node: hideBlock(block, group) }))
  const visible = blocks.filter(({ node }) => node.action !== 'no-op' || inner.showUnchanged)
  const context = { ...inner, forced: group.replace }
  const lines = visible.flatMap(({ node, label }) => {
    const name = attributeName(group.name) + (label === undefined ? '' : ` ${quote(label)}`)
    return [...warningsOf(node, context), `${lineStart(node.action, context)}${name} ${render(node, context)}`]
  })
  return { lines, hidden: blocks.length - visible.length }
}

/** Where the group as a whole is sensitive on a side that a block has, the block is hidden. */
const hideBlock = ({ node }: TofuBlock, { beforeSensitive, afterSensitive }: TofuBlockGroup): TofuNode => {
  const had = node.action !== 'create' && beforeSensitive
  const has = node.action !== 'delete' && afterSensitive
  if (!had && !has) return node
  const flips = node.action === 'no-op' && beforeSensitive !== afterSensitive
  return {
    action: flips ? 'update' : node.action,
    replace: node.replace,
    kind: 'sensitive-block',
    innerAction: node.action,
    beforeSensitive,
    afterSensitive,
  }
}
