import type { TofuBlock, TofuBlockGroup, TofuMembers, TofuNode } from '../report.ts'
import {
  deeper,
  forces,
  hiddenLine,
  isHidden,
  lineStart,
  nullSuffix,
  type Of,
  partLines,
  type RenderContext,
} from './context.ts'
import { attributeName, fill, quote, widthOf } from './quote.ts'

/** Lines between brackets; both brackets are in one line if there is nothing to show or to count. */
const enclosed = (
  [open, close]: readonly [string, string],
  lines: readonly string[],
  { action, replace }: Pick<TofuNode, 'action' | 'replace'>,
  context: RenderContext,
): string => {
  const forced = forces(replace, context)
  const end = nullSuffix(action, context)
  if (lines.length === 0) return `${open}${close}${end}${forced}`
  return [`${open}${forced}`, ...lines, `${lineStart('no-op', context)}${close}${end}`].join('\n')
}

const braces = ['{', '}'] as const
const brackets = ['[', ']'] as const

/** Always shown as a whole. */
const important: ReadonlySet<string> = new Set(['id', 'name', 'tags'])

/** The lines of named values, with the count of those that are hidden. `inner` is the context of what is within. */
const attributeLines = (members: TofuMembers, inner: RenderContext): string[] => {
  const names = members.map(([key]) => attributeName(key))
  const width = widthOf(names)
  const shown = members.flatMap(([key, node], index) => {
    const context = important.has(key) ? { ...inner, showUnchanged: true } : inner
    return isHidden(node, context) ? [] : [partLines(node, context, `${fill(names[index] ?? '', width)} = `)]
  })
  return [...shown.flat(), ...hiddenLine(members.length - shown.length, 'attribute', inner)]
}

export const renderObject = (node: Of<'object'>, context: RenderContext): string =>
  enclosed(braces, attributeLines(node.members, deeper(context, { withoutNull: !node.nested })), node, context)

/** Maps and sets of nested attributes pass their replacement down to their elements. */
const sharedForce = <Node extends Of<'map' | 'list' | 'set'>>(node: Node) => ({
  own: { ...node, replace: node.replace && !node.nested },
  forced: node.replace && node.nested,
})

const countHidden = (children: readonly TofuNode[], context: RenderContext): string[] =>
  hiddenLine(children.filter((child) => isHidden(child, context)).length, 'element', deeper(context))

export const renderMap = (node: Of<'map'>, context: RenderContext): string => {
  const { action, members, nested } = node
  const { own, forced } = sharedForce(node)
  const inner = deeper(context, { withoutNull: action === 'delete' || nested, forced })
  const keys = members.map(([key]) => quote(key))
  const width = nested ? 0 : widthOf(keys)
  const children = members.map(([, child]) => child)
  const shown = children.flatMap((child, index) =>
    isHidden(child, context)
      ? []
      : partLines(child, inner, `${fill(keys[index] ?? '', width)} = `, child.kind === 'object' ? ',' : ''),
  )
  return enclosed(braces, [...shown, ...countHidden(children, context)], own, context)
}

export const renderSet = (node: Of<'list' | 'set'>, context: RenderContext): string => {
  const { own, forced } = sharedForce(node)
  const inner = deeper(context, { withoutNull: true, forced })
  const shown = node.elements.flatMap((child) => (isHidden(child, context) ? [] : partLines(child, inner, '', ',')))
  return enclosed(brackets, [...shown, ...countHidden(node.elements, context)], own, context)
}

/** Around a change one neighbour on each side is shown, except in lists of attributes of attributes. */
export const renderList = (node: Of<'list' | 'set'>, context: RenderContext): string => {
  const { elements, nested } = node
  const inner = deeper(context, { withoutNull: true })
  const neighbour = deeper(context, { showUnchanged: true })
  const lines: string[] = []
  let hidden: TofuNode[] = []
  let showNext = false
  for (const element of elements) {
    const still = element.action === 'no-op'
    if (!showNext && isHidden(element, context)) {
      hidden.push(element)
      continue
    }
    const last = hidden.at(-1)
    if (!nested && last !== undefined) {
      lines.push(...hiddenLine(hidden.length - 1, 'element', inner), ...partLines(last, neighbour, '', ','))
      hidden = []
    }
    showNext = !nested && !still
    lines.push(...partLines(element, !nested && still ? neighbour : inner, '', ','))
  }
  return enclosed(brackets, [...lines, ...hiddenLine(hidden.length, 'element', inner)], node, context)
}

export const renderBlock = (node: Of<'block'>, context: RenderContext): string => {
  const { attributes, groups } = node
  const inner = deeper(context)
  const shown = groups.map((group) => groupLines(group, inner))
  const hidden = shown.reduce((sum, { hidden: count }) => sum + count, 0)
  const lines = [
    ...attributeLines(attributes, inner),
    ...shown.flatMap(({ lines: own }) => (own.length > 0 && attributes.length > 0 ? ['', ...own] : own)),
    ...(hidden > 0 ? ['', ...hiddenLine(hidden, 'block', inner)] : []),
  ]
  return enclosed(braces, lines, node, { ...context, withoutNull: true })
}

const groupLines = (group: TofuBlockGroup, inner: RenderContext) => {
  const blocks = group.blocks.map((block) => ({ ...block, node: hideBlock(block, group) }))
  const visible = blocks.filter(({ node }) => !isHidden(node, inner))
  const name = attributeName(group.name)
  const lines = visible.flatMap(({ node, label }) =>
    partLines(node, { ...inner, forced: group.replace }, `${name}${label === undefined ? '' : ` ${quote(label)}`} `),
  )
  return { lines, hidden: blocks.length - visible.length }
}

/** Where the group as a whole is sensitive on a side that a block has, the block is hidden. */
const hideBlock = ({ node }: TofuBlock, { beforeSensitive, afterSensitive }: TofuBlockGroup): TofuNode => {
  const { action, replace } = node
  if (!(action !== 'create' && beforeSensitive) && !(action !== 'delete' && afterSensitive)) return node
  const flips = action === 'no-op' && beforeSensitive !== afterSensitive
  const hidden = { kind: 'sensitive-block', innerAction: action, beforeSensitive, afterSensitive } as const
  return { action: flips ? 'update' : action, replace, ...hidden }
}
