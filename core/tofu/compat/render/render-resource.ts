import { defined } from '../../../values/defined.ts'
import type { UnreadEntry } from '../../read/shapes.ts'
import type { TofuResource } from '../report.ts'
import type { RenderContext } from './context.ts'
import { renderNode } from './render-node.ts'
import { resourceComment, type Telling } from './resource-comment.ts'
import { resourceSymbol } from './symbols.ts'

export const rootContext = ({ mark, product }: Pick<RenderContext, 'mark' | 'product'>): RenderContext => ({
  mark,
  product,
  depth: 0,
  withSymbols: true,
  showUnchanged: false,
  withoutNull: false,
  forced: false,
})

export const resourceTitle = ({ mode, type, name }: Pick<TofuResource, 'mode' | 'type' | 'name'>): string =>
  `${mode === 'managed' ? 'resource' : 'data'} "${type}" "${name}"`

/** Upstream stops at what it cannot show. */
export const unreadLine = ({ address, detail }: UnreadEntry): string =>
  `# ${address === '' ? 'something' : address} cannot be shown: ${detail}`

/** A resource of a plan with the comment over it. An import shows all that it will hold. */
export const renderResource = (resource: TofuResource, telling: Telling): string => {
  const { mark, product } = telling
  const { action, importing, node } = resource
  const context = {
    ...rootContext(telling),
    showUnchanged: importing !== undefined,
    ...defined({
      withSymbols: action === 'forget' && !product.forgottenHasSymbols ? false : undefined,
      withoutNull: action === 'forget' && !product.forgottenHasSymbols ? true : undefined,
    }),
  }
  const block = `${resourceSymbol(action, mark, product)} ${resourceTitle(resource)} ${renderNode(node, context)}`
  return `${resourceComment(resource, telling)}\n${block}`
}
