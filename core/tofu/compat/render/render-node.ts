import type { TofuNode } from '../report.ts'
import type { RenderContext } from './context.ts'
import { renderBlock } from './render-block.ts'
import { renderList, renderMap, renderObject, renderSet } from './render-container.ts'
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

/** What follows a name: text of one line or several, without the indent of the first. */
export const renderNode = (node: TofuNode, context: RenderContext): string => {
  switch (node.kind) {
    case 'scalar':
      return renderScalar(node, context)
    case 'lines':
      return renderLines(node, context)
    case 'json':
      return renderJson(node, context, renderNode)
    case 'type-change':
      return renderTypeChange(node, context, renderNode)
    case 'object':
      return renderObject(node, context, renderNode)
    case 'map':
      return renderMap(node, context, renderNode)
    case 'list':
      return renderList(node, context, renderNode)
    case 'set':
      return renderSet(node, context, renderNode)
    case 'unknown':
      return renderUnknown(node, context, renderNode)
    case 'sensitive':
      return renderSensitive(node, context)
    case 'sensitive-block':
      return renderSensitiveBlock(node, context)
    case 'write-only':
      return renderWriteOnly(node, context)
    case 'block':
      return renderBlock(node, context, renderNode)
  }
}
