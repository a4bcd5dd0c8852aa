import type { TofuResourceAction } from '../../read/shapes.ts'
import type { TofuPlanReport } from '../report.ts'
import { invokedPart, triggeredPart } from './render-invocation.ts'
import { renderResource, unreadLine } from './render-resource.ts'
import { prose, type Style } from './style.ts'
import { symbolOf } from './symbols.ts'

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

/** The changes and the actions that are no part of one, with the line that counts both. */
export const changesPart = (page: TofuPlanReport, style: Style): string[] => {
  const { changes, invocations, unread } = page
  if (changes.length === 0 && invocations.length === 0 && unread.length === 0) return []
  return [
    ...(changes.length === 0 ? [] : resourcesPart(page, style)),
    ...unread.map((entry) => `\n  ${unreadLine(entry)}\n`),
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
    ...(acts ? [heading] : []),
    ...legend
      .filter(([action]) => has.has(action) && (countsForgotten || !forgetting.includes(action)))
      .map(([action, words]) => legendLine(action, words, style)),
    errored
      ? `\n${name} planned the following actions, but then encountered a problem:\n`
      : `\n${name} will perform the following actions:\n`,
    ...changes.map(
      (resource) =>
        `\n${renderResource(resource, { ...style, isDrift: false })}${triggeredPart(resource, invocations, style)}\n`,
    ),
  ]
}

const summaryLine = ({ changes, invocations }: TofuPlanReport, { mark, product }: Style): string => {
  const count = (...actions: readonly TofuResourceAction[]): number =>
    changes.filter(({ action }) => actions.includes(action)).length
  const imports = changes.filter(({ importing }) => importing !== undefined).length
  const forgets = product.countsForgotten ? count(...forgetting) : 0
  const parts = [
    ...(imports > 0 ? [`${imports} to import`] : []),
    `${count('create', 'delete-create', 'create-delete', 'forget-create', 'create-forget')} to add`,
    `${count('update')} to change`,
    `${count('delete', 'delete-create', 'create-delete')} to destroy`,
    ...(forgets > 0 ? [`${forgets} to forget`] : []),
  ]
  const actions = invocations.length > 0 ? ` Actions: ${invocations.length} to invoke.` : ''
  return mark`\n[bold]Plan:[reset] ${parts.join(', ')}.${actions}\n`
}
