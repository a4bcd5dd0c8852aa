import type { TofuDeferred } from '../report.ts'
import { renderNode } from './render-node.ts'
import { resourceTitle, rootContext } from './render-resource.ts'
import { addressOf } from './resource-comment.ts'
import { ruleLine, type Style } from './style.ts'
import { resourceSymbol } from './symbols.ts'

/** Of these words only the ones on prerequisites that are put off are known to be Terraform's. */
const reasons: Readonly<Record<string, string>> = {
  instance_count_unknown: 'the number of resource instances is unknown',
  resource_config_unknown: 'the resource configuration is unknown',
  provider_config_unknown: 'the provider configuration is unknown',
  deferred_prereq: 'a prerequisite for this resource is deferred',
  absent_prereq: 'a prerequisite for this resource is absent',
}

const because = (reason: string): string =>
  `because ${(Object.hasOwn(reasons, reason) ? reasons[reason] : undefined) ?? 'of an unknown reason'}`

const renderDeferred = ({ reason, resource }: TofuDeferred, style: Style): string => {
  const { mark, product } = style
  const block = `${resourceSymbol(resource.action, mark, product)} ${resourceTitle(resource)} ${renderNode(resource.node, rootContext(style))}`
  return [mark`[bold]  # ${addressOf(resource)}[reset] was deferred`, `  # (${because(reason)})`, block].join('\n')
}

/** What a later plan will show. */
export const deferredPart = (deferred: readonly TofuDeferred[], style: Style): string[] =>
  deferred.length === 0
    ? []
    : [
        style.mark`\n[bold][cyan]Note:[reset][bold] This is a partial plan, parts can only be known in the next plan / apply cycle.\n`,
        '\n',
        ...deferred.map((each) => `\n${renderDeferred(each, style)}\n`),
        ruleLine(style),
      ]
