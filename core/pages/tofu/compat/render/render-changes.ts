import { present } from '../../../../engine/values/defined.ts'
import type { TofuResourceAction } from '../../read/shapes.ts'
import type { TofuDeferred, TofuInvocation, TofuPlanReport, TofuResource } from '../report.ts'
import { quote } from './quote.ts'
import { renderNode, rootContext } from './render-node.ts'
import { addressOf, blockOf, renderResource, unreadLine } from './render-resource.ts'
import { prose, ruleLine, type Style, symbolOf } from './style.ts'

/** In the order of the legend. */
const legend: readonly (readonly [TofuResourceAction, string])[] = [
  ['create', 'create'],
  ['update', 'update in-place'],
  ['delete', 'destroy'],
  ['delete-create', 'destroy and then create replacement'],
  ['create-delete', 'create replacement and then destroy'],
  ['read', 'read (data resources)'],
  ['forget-create', 'forget and then create replacement'],
  ['create-forget', 'create replacement and then forget'],
  ['forget', 'forget'],
]

const forgetting: readonly TofuResourceAction[] = ['forget', 'forget-create', 'create-forget']

const legendLine = (action: TofuResourceAction, words: string, { mark, product }: Style): string => {
  const symbol = action === 'forget-create' ? mark`[red].[reset]/[green]+[reset]` : symbolOf(action, mark)
  return `${symbol} ${words}${action === 'update' ? product.updateNote : ''}\n`
}

/** The changes, the actions that belong to no change, and the line that counts both. */
export const changesPart = (page: TofuPlanReport, style: Style): string[] => {
  const { changes, invocations, unread } = page
  if (changes.length === 0 && invocations.length === 0 && unread.length === 0) return []
  return [
    ...(changes.length === 0 ? [] : resourcesPart(page, style)),
    ...unread.map((entry) => unreadLine(entry)),
    ...invokedPart(page, style),
    summaryLine(page, style),
  ]
}

const resourcesPart = ({ changes, errored, invocations }: TofuPlanReport, style: Style): string[] => {
  const { name, countsForgotten } = style.product
  const has = new Set(changes.map(({ action }) => action))
  const acts = [...has].some((action) => action !== 'no-op')
  const heading = prose(
    `\n${name} used the selected providers to generate the following execution plan. Resource actions are indicated with the following symbols:`,
    style,
  )
  return [
    ...present(acts && heading),
    ...legend
      .filter(([action]) => has.has(action) && (countsForgotten || !forgetting.includes(action)))
      .map(([action, words]) => legendLine(action, words, style)),
    errored
      ? `\n${name} planned the following actions, but then encountered a problem:\n`
      : `\n${name} will perform the following actions:\n`,
    ...changes.map(
      (resource) => `\n${renderResource(resource, style)}${triggeredPart(resource, invocations, style)}\n`,
    ),
  ]
}

const summaryLine = ({ changes, invocations }: TofuPlanReport, { mark, product }: Style): string => {
  const count = (...actions: readonly TofuResourceAction[]): number =>
    changes.filter(({ action }) => actions.includes(action)).length
  const imports = changes.filter(({ importing }) => importing !== undefined).length
  const forgets = product.countsForgotten ? count(...forgetting) : 0
  const parts = present(
    imports > 0 && `${imports} to import`,
    `${count('create', 'delete-create', 'create-delete', 'forget-create', 'create-forget')} to add`,
    `${count('update')} to change`,
    `${count('delete', 'delete-create', 'create-delete')} to destroy`,
    forgets > 0 && `${forgets} to forget`,
  )
  const actions = invocations.length > 0 ? ` Actions: ${invocations.length} to invoke.` : ''
  return mark`\n[bold]Plan:[reset] ${parts.join(', ')}.${actions}\n`
}

const renderInvocation = ({ type, name, config }: TofuInvocation, style: Style): string => {
  const context = { ...rootContext(style), withSymbols: false, showUnchanged: true }
  const block = config && renderNode(config, context).replaceAll('\n', '\n        ')
  return `    action ${quote(type)} ${quote(name)} {\n${block === undefined ? '' : `        config ${block}\n`}    }\n`
}

/** Actions that are invoked before and after the change of a resource. */
const triggeredPart = ({ address }: TofuResource, invocations: readonly TofuInvocation[], style: Style): string =>
  (['before', 'after'] as const)
    .map((side) => {
      const own = invocations.filter(({ trigger }) => trigger?.address === address && trigger.side === side)
      if (own.length === 0) return ''
      const heading = style.mark`\n\n    [bold]# Actions to be invoked ${side} this change in order:[reset]\n`
      return heading + own.map((invocation) => renderInvocation(invocation, style)).join('')
    })
    .join('')

/** Actions that are invoked on their own. */
const invokedPart = ({ invocations }: TofuPlanReport, style: Style): string[] => {
  const own = invocations.filter(({ trigger }) => trigger === undefined)
  if (own.length === 0) return []
  const parts = own.map(
    (invocation) =>
      style.mark`  [bold]# ${invocation.address}[reset] will be invoked\n` + renderInvocation(invocation, style),
  )
  return [`\n${style.product.name} will invoke the following action(s):\n\n`, parts.join('\n')]
}

/** Only the text about deferred prerequisites is known to be Terraform's own. */
const reasons: Readonly<Record<string, string>> = {
  instance_count_unknown: 'the number of resource instances is unknown',
  resource_config_unknown: 'the resource configuration is unknown',
  provider_config_unknown: 'the provider configuration is unknown',
  deferred_prereq: 'a prerequisite for this resource is deferred',
  absent_prereq: 'a prerequisite for this resource is absent',
}

const because = (reason: string): string =>
  `because ${(Object.hasOwn(reasons, reason) ? reasons[reason] : undefined) ?? 'of an unknown reason'}`

const renderDeferred = ({ reason, resource }: TofuDeferred, style: Style): string =>
  [
    style.mark`[bold]  # ${addressOf(resource)}[reset] was deferred`,
    `  # (${because(reason)})`,
    blockOf(resource, style, rootContext(style)),
  ].join('\n')

/** Deferred changes, which a later plan will show. */
export const deferredPart = (deferred: readonly TofuDeferred[], style: Style): string[] =>
  deferred.length === 0
    ? []
    : [
        style.mark`\n[bold][cyan]Note:[reset][bold] This is a partial plan, parts can only be known in the next plan / apply cycle.\n`,
        '\n',
        ...deferred.map((each) => `\n${renderDeferred(each, style)}\n`),
        ruleLine(style),
      ]
