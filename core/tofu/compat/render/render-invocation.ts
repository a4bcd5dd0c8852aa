import type { TofuInvocation, TofuPlanReport, TofuResource } from '../report.ts'
import { quote } from './quote.ts'
import { renderNode } from './render-node.ts'
import { rootContext } from './render-resource.ts'
import type { Style } from './style.ts'

const renderInvocation = ({ type, name, config }: TofuInvocation, style: Style): string => {
  const context = { ...rootContext(style), withSymbols: false, showUnchanged: true }
  const block = config && renderNode(config, context).replaceAll('\n', '\n        ')
  return `    action ${quote(type)} ${quote(name)} {\n${block === undefined ? '' : `        config ${block}\n`}    }\n`
}

/** What is invoked before and after the change of a resource. */
export const triggeredPart = (
  { address }: TofuResource,
  invocations: readonly TofuInvocation[],
  style: Style,
): string =>
  (['before', 'after'] as const)
    .map((side) => {
      const own = invocations.filter(({ trigger }) => trigger?.address === address && trigger.side === side)
      if (own.length === 0) return ''
      const heading = style.mark`\n\n    [bold]# Actions to be invoked ${side} this change in order:[reset]\n`
      return heading + own.map((invocation) => renderInvocation(invocation, style)).join('')
    })
    .join('')

/** What is invoked by itself. */
export const invokedPart = ({ invocations }: TofuPlanReport, style: Style): string[] => {
  const own = invocations.filter(({ trigger }) => trigger === undefined)
  if (own.length === 0) return []
  const parts = own.map(
    (invocation) =>
      style.mark`  [bold]# ${invocation.address}[reset] will be invoked\n` + renderInvocation(invocation, style),
  )
  return [`\n${style.product.name} will invoke the following action(s):\n\n`, parts.join('\n')]
}
