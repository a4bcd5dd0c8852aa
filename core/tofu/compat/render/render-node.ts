import type { TofuNode } from '../page.ts'
import type { Manner } from './frame.ts'
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
export const renderNode = (node: TofuNode, manner: Manner): string => {
  switch (node.kind) {
    case 'scalar':
      return renderScalar(node, manner)
    case 'lines':
      return renderLines(node, manner)
    case 'json':
      return renderJson(node, manner, renderNode)
    case 'type-change':
      return renderTypeChange(node, manner, renderNode)
    case 'object':
      return renderObject(node, manner, renderNode)
    case 'map':
      return renderMap(node, manner, renderNode)
    case 'list':
      return renderList(node, manner, renderNode)
    case 'set':
      return renderSet(node, manner, renderNode)
    case 'unknown':
      return renderUnknown(node, manner, renderNode)
    case 'sensitive':
      return renderSensitive(node, manner)
    case 'sensitive-block':
      return renderSensitiveBlock(node, manner)
    case 'write-only':
      return renderWriteOnly(node, manner)
    case 'block':
      return renderBlock(node, manner, renderNode)
  }
}
