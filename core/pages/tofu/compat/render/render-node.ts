import type { TofuNode } from '../report.ts'
import type { Of, RenderContext } from './context.ts'
import { renderBlock, renderList, renderMap, renderObject, renderSet } from './render-container.ts'
import {
  renderJson,
  renderLines,
  renderScalar,
  renderSensitive,
  renderSensitiveBlock,
  renderTypeChange,
  renderUnknown,
  renderWriteOnly,
} from './render-value.ts'

const renderers: { readonly [Kind in TofuNode['kind']]: (node: Of<Kind>, context: RenderContext) => string } = {
  scalar: renderScalar,
  lines: renderLines,
  json: renderJson,
  'type-change': renderTypeChange,
  object: renderObject,
  map: renderMap,
  list: renderList,
  set: renderSet,
  unknown: renderUnknown,
  sensitive: renderSensitive,
  'sensitive-block': renderSensitiveBlock,
  'write-only': renderWriteOnly,
  block: renderBlock,
}

/** What follows a name: text of one line or several, without the indent of the first. */
export const renderNode = (node: TofuNode, context: RenderContext): string => {
  const render: (node: never, context: RenderContext) => string = renderers[node.kind]
  return render(node as never, context)
}

/** Of a whole resource or output. */
export const rootContext = ({ mark, product }: Pick<RenderContext, 'mark' | 'product'>): RenderContext => ({
  mark,
  product,
  render: renderNode,
  depth: 0,
  withSymbols: true,
  showUnchanged: false,
  withoutNull: false,
  forced: false,
})
