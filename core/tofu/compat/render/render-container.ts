import type { TofuMembers, TofuNode } from '../report.ts'
import {
  deeper,
  forces,
  hiddenLine,
  lineStart,
  nullSuffix,
  type Render,
  type RenderContext,
  warningsOf,
} from './context.ts'
import { attributeName, fill, quote, widthOf } from './quote.ts'

type Of<Kind extends TofuNode['kind']> = TofuNode & { readonly kind: Kind }

/** Always shown, and wholly. */
const important: ReadonlySet<string> = new Set(['id', 'name', 'tags'])

/** The lines of named values, with the count of those that are hidden. `inner` is the manner of what is within. */
export const attributeLines = (members: TofuMembers, inner: RenderContext, render: Render): string[] => {
  const names = members.map(([key]) => attributeName(key))
  const width = widthOf(names)
  let hidden = 0
  const lines = members.flatMap(([key, node], index) => {
    const isImportant = important.has(key)
    if (node.action === 'no-op' && !isImportant && !inner.showUnchanged) {
      hidden += 1
      return []
    }
    const context = isImportant ? { ...inner, showUnchanged: true } : inner
    const name = fill(names[index] ?? '', width)
    return [...warningsOf(node, context), `${lineStart(node.action, context)}${name} = ${render(node, context)}`]
  })
  return hidden > 0 ? [...lines, hiddenLine(hidden, 'attribute', inner)] : lines
}

export const renderObject = (node: Of<'object'>, context: RenderContext, render: Render): string => {
  const { action, replace, members, nested } = node
  if (members.length === 0) return `{}${nullSuffix(action, context)}${forces(replace, context)}`
  const inner = deeper(context, { withoutNull: !nested })
  return [
    `{${forces(replace, context)}`,
    ...attributeLines(members, inner, render),
    `${lineStart('no-op', context)}}${nullSuffix(action, context)}`,
  ].join('\n')
}

/** Maps and sets of attributes of attributes hand their replacement down to what is in them. */
const sharedForce = (replace: boolean, nested: boolean) => ({ own: replace && !nested, within: replace && nested })

export const renderMap = (node: Of<'map'>, context: RenderContext, render: Render): string => {
  const { action, replace, members, nested } = node
  const force = sharedForce(replace, nested)
  if (members.length === 0) return `{}${nullSuffix(action, context)}${forces(force.own, context)}`
  const inner = deeper(context, { withoutNull: action === 'delete' || nested, forced: force.within })
  const keys = members.map(([key]) => quote(key))
  const width = nested ? 0 : widthOf(keys)
  const shown = members.flatMap(([, child], index) => {
    if (child.action === 'no-op' && !context.showUnchanged) return []
    const comma = child.kind === 'object' ? ',' : ''
    const key = fill(keys[index] ?? '', width)
    return [
      ...warningsOf(child, deeper(context)),
      `${lineStart(child.action, inner)}${key} = ${render(child, inner)}${comma}`,
    ]
  })
  return bracketed(
    '{',
    '}',
    shown,
    hiddenCount(
      members.map(([, child]) => child),
      context,
    ),
    { action, own: force.own },
    context,
  )
}

const hiddenCount = (children: readonly TofuNode[], { showUnchanged }: RenderContext): number =>
  showUnchanged ? 0 : children.filter(({ action }) => action === 'no-op').length

const bracketed = (
  open: string,
  close: string,
  lines: readonly string[],
  hidden: number,
  { action, own }: { readonly action: TofuNode['action']; readonly own: boolean },
  context: RenderContext,
): string =>
  [
    `${open}${forces(own, context)}`,
    ...lines,
    ...(hidden > 0 ? [hiddenLine(hidden, 'element', deeper(context))] : []),
    `${lineStart('no-op', context)}${close}${nullSuffix(action, context)}`,
  ].join('\n')

export const renderSet = (node: Of<'list' | 'set'>, context: RenderContext, render: Render): string => {
  const { action, replace, elements, nested } = node
  const force = sharedForce(replace, nested)
  if (elements.length === 0) return `[]${nullSuffix(action, context)}${forces(force.own, context)}`
  const inner = deeper(context, { withoutNull: true, forced: force.within })
  const shown = elements.flatMap((element) =>
    element.action === 'no-op' && !context.showUnchanged ? [] : elementLines(element, inner, render, deeper(context)),
  )
  return bracketed('[', ']', shown, hiddenCount(elements, context), { action, own: force.own }, context)
}

const elementLines = (element: TofuNode, inner: RenderContext, render: Render, warning = inner): string[] => [
  ...warningsOf(element, warning),
  `${lineStart(element.action, inner)}${render(element, inner)},`,
]

/** Around a change one neighbour on each side is shown, except in lists of attributes of attributes. */
export const renderList = (node: Of<'list' | 'set'>, context: RenderContext, render: Render): string => {
  const { action, replace, elements, nested } = node
  if (elements.length === 0) return `[]${nullSuffix(action, context)}${forces(replace, context)}`
  const inner = deeper(context, { withoutNull: true })
  const neighbour = deeper(context, { showUnchanged: true })
  const lines: string[] = []
  let hidden: TofuNode[] = []
  let showNext = false
  for (const element of elements) {
    const still = element.action === 'no-op'
    if (still && !showNext && !context.showUnchanged) {
      hidden.push(element)
      continue
    }
    const last = hidden.at(-1)
    if (!nested && last !== undefined) {
      if (hidden.length > 1) lines.push(hiddenLine(hidden.length - 1, 'element', inner))
      lines.push(`${lineStart(last.action, neighbour)}${render(last, neighbour)},`)
      hidden = []
    }
    showNext = !nested && !still
    lines.push(...elementLines(element, !nested && still ? neighbour : inner, render))
  }
  return bracketed('[', ']', lines, hidden.length, { action, own: replace }, context)
}
