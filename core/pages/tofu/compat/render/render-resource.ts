import { present } from '../../../../engine/values/defined.ts'
import type { UnreadEntry } from '../../read/shapes.ts'
import type { TofuResource } from '../report.ts'
import type { RenderContext } from './context.ts'
import { renderNode, rootContext } from './render-node.ts'
import { type Mark, resourceSymbol, type Style } from './style.ts'

/** A resource of a plan with the comment over it. An import shows all that it will hold. */
export const renderResource = (resource: TofuResource, style: Style, isDrift = false): string => {
  const { action, importing } = resource
  const isBare = action === 'forget' && !style.product.forgottenHasSymbols
  const context = {
    ...rootContext(style),
    showUnchanged: importing !== undefined,
    withSymbols: !isBare,
    withoutNull: isBare,
  }
  return `${commentOver(resource, style, isDrift)}\n${blockOf(resource, style, context)}`
}

/** The resource under its comment. */
export const blockOf = (resource: TofuResource, { mark, product }: Style, context: RenderContext): string =>
  `${resourceSymbol(resource.action, mark, product)} ${resourceTitle(resource)} ${renderNode(resource.node, context)}`

export const resourceTitle = ({ mode, type, name }: Pick<TofuResource, 'mode' | 'type' | 'name'>): string =>
  `${mode === 'managed' ? 'resource' : 'data'} "${type}" "${name}"`

/** Upstream stops at a resource that it cannot show. */
export const unreadLine = ({ address, detail }: UnreadEntry, indent = '  '): string =>
  `\n${indent}# ${address === '' ? 'something' : address} cannot be shown: ${detail}\n`

/** The comment above a resource: its change, the reason, and its origin. */
const commentOver = (resource: TofuResource, style: Style, isDrift: boolean): string => {
  const { mark, product } = style
  const { previousAddress, importing, action } = resource
  const forgotten = product.forgotten?.(resource, addressOf(resource), mark)
  const lines = forgotten === undefined ? [headline(resource, style, isDrift), ...reasonLines(resource)] : [forgotten]
  if (previousAddress !== undefined && action !== 'no-op') lines.push(mark`  # [reset](moved from ${previousAddress})`)
  if (importing !== undefined) lines.push(importLine(resource, mark))
  if (importing !== undefined && (action === 'delete-create' || action === 'create-delete'))
    lines.push(mark`  # [reset][yellow]Warning: this will destroy the imported resource[reset]`)
  return lines.join('\n')
}

export const addressOf = ({ address, deposed }: TofuResource): string =>
  deposed === undefined ? address : `${address} (deposed object ${deposed})`

/** The change in words without colour: as planned, and as found outside. */
const plainWords: Readonly<Record<string, readonly [planned: string, found?: string]>> = {
  create: ['will be created'],
  read: ['will be read during apply'],
  update: ['will be updated in-place', 'has changed'],
}

const headline = (resource: TofuResource, style: Style, isDrift: boolean): string => {
  const { mark, product } = style
  const { action } = resource
  const address = addressOf(resource)
  const [planned, found = planned] = (isDrift && action === 'delete' ? ['has been deleted'] : plainWords[action]) ?? []
  if (planned !== undefined && found !== undefined)
    return mark`[bold]  # ${address}[reset] ${isDrift ? found : planned}`
  switch (action) {
    case 'delete':
      return mark`[bold]  # ${address}[reset] will be [bold][red]destroyed[reset]`
    case 'forget-create':
      return (
        replaced(resource, style) +
        mark` - [yellow]older instance will [bold]not[reset][yellow] be destroyed [reset]([bold]lifecycle.destroy = false[reset])`
      )
    case 'forget':
      return (
        mark`[bold]  # ${address}[reset] will be removed from the ${product.name} state [bold][red]but will not be destroyed[reset]` +
        forgetReason(resource, mark)
      )
    case 'no-op':
      return unchanged(resource, mark)
    case 'unknown':
      return unsupported(address)
    default:
      return replaced(resource, style)
  }
}

const unsupported = (address: string): string =>
  `${address} has an action the plan renderer doesn't support (this is a bug)`

const replaced = (resource: TofuResource, { mark, product }: Style): string => {
  const address = addressOf(resource)
  switch (resource.reason) {
    case 'replace_because_tainted':
      return mark`[bold]  # ${address}[reset] is tainted, ${product.taintedSo} [bold][red]replaced[reset]`
    case 'replace_by_request':
      return mark`[bold]  # ${address}[reset] will be [bold][red]replaced[reset], as requested`
    case 'replace_by_triggers':
      return mark`[bold]  # ${address}[reset] will be [bold][red]replaced[reset] due to changes in replace_triggered_by`
    default:
      return mark`[bold]  # ${address}[reset] must be [bold][red]replaced[reset]`
  }
}

const unchanged = (resource: TofuResource, mark: Mark): string => {
  const { previousAddress, importing } = resource
  const address = addressOf(resource)
  if (previousAddress !== undefined)
    return mark`[bold]  # ${previousAddress}[reset] has moved to [bold]${address}[reset]`
  if (importing === undefined) return unsupported(address)
  const generated = importing.generated ? '\n  # (config will be generated)' : ''
  return mark`[bold]  # ${address}[reset] will be imported` + generated
}

const repetitionReason = (index: string | undefined): string => {
  if (index === undefined) return 'resource uses count or for_each'
  return index.startsWith('"') ? 'resource does not use for_each' : 'resource does not use count'
}

type Reasons = Readonly<Record<string, (resource: TofuResource) => string>>

const deleteReasons: Reasons = {
  delete_because_no_resource_config: ({ type, name }) => `${type}.${name} is not in configuration`,
  delete_because_no_move_target: ({ previousAddress = '', address }) =>
    `${previousAddress} was moved to ${address}, which is not in configuration`,
  delete_because_no_module: ({ moduleAddress = '' }) => `${moduleAddress} is not in configuration`,
  delete_because_wrong_repetition: ({ index }) => repetitionReason(index),
  delete_because_count_index: ({ index = '' }) => `index [${index}] is out of range for count`,
  delete_because_enabled_false: () => 'enabled is false',
  delete_because_each_key: ({ index = '' }) => `key [${index}] is not in for_each map`,
}

const readReasons: Reasons = {
  read_because_config_unknown: () => 'config refers to values not yet known',
  read_because_dependency_pending: () => 'depends on a resource or a module with changes pending',
  read_because_check_nested: () => 'config will be reloaded to verify a check block',
}

const forgetReasons: Reasons = {
  forgot_because_lifecycle_destroy_in_state: () =>
    'was configured before this resource was removed from the configuration',
  forgot_because_lifecycle_destroy_in_config: () => 'is set in the configuration',
}

const wordsFor = (reasons: Reasons, resource: TofuResource): string | undefined => {
  const { reason = '' } = resource
  return Object.hasOwn(reasons, reason) ? reasons[reason]?.(resource) : undefined
}

const reasonLines = (resource: TofuResource): string[] => {
  const { action, deposed } = resource
  const read = action === 'read' ? wordsFor(readReasons, resource) : undefined
  const deleted = action === 'delete' ? wordsFor(deleteReasons, resource) : undefined
  const isLeftOver = deposed !== undefined && ['delete', 'forget', 'forget-create'].includes(action)
  return present(
    read && `  # (${read})`,
    deleted && `  # (because ${deleted})`,
    isLeftOver && '  # (left over from a partially-failed replacement of this instance)',
  )
}

/** The rest of the headline of a forgotten resource, because upstream breaks that line. */
const forgetReason = (resource: TofuResource, mark: Mark): string => {
  const words = resource.action === 'forget' ? wordsFor(forgetReasons, resource) : undefined
  return words === undefined ? '' : mark` \n (because [bold]lifecycle.destroy = false[reset] ${words})`
}

const importLine = ({ importing }: TofuResource, mark: Mark): string => {
  if (importing?.id !== undefined) return mark`  # [reset](imported from "${importing.id}")`
  if (importing?.identity !== undefined) return mark`  # [reset]imported using resource identity: ${importing.identity}`
  return mark`  # [reset](will be imported first)`
}
