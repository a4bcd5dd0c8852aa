import type { TofuMembers, TofuPlanPage, TofuResource, TofuResourceAction } from '../../schema/tofu.ts'
import type { Mark } from './mark.ts'
import { attributeName, fill, widthOf, wrapWords } from './quote.ts'
import { renderNode } from './render-node.ts'
import { renderResource, standardManner } from './render-resource.ts'
import { symbolOf } from './symbols.ts'
import type { Product } from './words.ts'

export interface PageStyle {
  readonly mark: Mark
  readonly product: Product
  /** Columns; prose stays below. */
  readonly width: number
}

/** The page of a plan, each part with the line ends that upstream gives it. */
export const renderPlanPage = (page: TofuPlanPage, style: PageStyle): string => {
  const { drift, changes } = page
  const outputs = outputLines(page.outputs, style.mark)
  const hasDrift = drift.length > 0
  const start = [page.newer ? newerWarning(style) : '', hasDrift ? driftPart(page, style) : '']
  if (changes.length > 0 || outputs.length > 0 || page.errored) {
    const nothing = changes.length === 0 && outputs.length === 0
    if (nothing) start.push(hasDrift ? ruleLine(style) : '', failedPart(style))
    if (hasDrift) start.push(ruleLine(style))
    return [...start, ...changesPart(page, style), outputsPart(outputs, changes, style)].join('')
  }
  return [...start, nothingPart(page, style)].join('')
}

const prose = (text: string, { width }: PageStyle): string => `${wrapWords(text, width)}\n`

/** A rule across the page, with an empty line before it. */
const ruleLine = ({ mark, width }: PageStyle): string =>
  width <= 1 ? '\n\n' : `${mark`[dark_gray]\n${'─'.repeat(width - 1)}`}\n`

const newerWarning = (style: PageStyle): string => {
  const { mark, product } = style
  return prose(
    mark`\n[bold][red]Warning:[reset][bold] This plan was generated using a different version of ${product.name}, the diff presented here may be missing representations of recent features.`,
    style,
  )
}

const driftPart = ({ drift, mode }: TofuPlanPage, style: PageStyle): string => {
  const { mark, product } = style
  const { name, command } = product
  const end =
    mode === 'refresh-only'
      ? `\n\nThis is a refresh-only plan, so ${name} will not take any actions to undo these. If you were expecting these changes then you can apply this plan to record the updated values in the ${name} state without changing any remote objects.`
      : '\n\nUnless you have made equivalent changes to your configuration, or ignored the relevant attributes using ignore_changes, the following plan may include actions to undo or respond to these changes.'
  return [
    mark`\n[bold][cyan]Note:[reset][bold] Objects have changed outside of ${name}\n`,
    '\n',
    wrapWords(
      `${name} detected the following changes made outside of ${name} since the last "${command} apply" which may have affected this plan:\n`,
      style.width,
    ),
    ...drift.filter(isWorthTelling).map((resource) => `\n${renderResource(resource, { ...style, isDrift: true })}\n`),
    prose(end, style),
  ].join('')
}

/** Drift of a kind that has nothing to show counts and is not shown. */
const isWorthTelling = ({ action, previousAddress, importing }: TofuResource): boolean =>
  action !== 'no-op' || previousAddress !== undefined || importing !== undefined

const failedPart = ({ mark, product }: PageStyle): string =>
  mark`\n[reset][bold][red]Planning failed.[reset][bold] ${product.name} encountered an error while generating this plan.[reset]\n\n`

/** With drift before it, a plan without changes would only take that drift into the state. */
const nothingPart = ({ mode, drift }: TofuPlanPage, style: PageStyle): string => {
  const { mark, product } = style
  const { name } = product
  const hasDrift = drift.length > 0
  const rule = hasDrift ? ruleLine(style) : ''
  if (mode === 'refresh-only') {
    if (hasDrift) return ''
    return (
      mark`\n[reset][bold][green]No changes.[reset][bold] Your infrastructure still matches the configuration.[reset]\n\n` +
      prose(
        `${name} has checked that the real remote objects still match the result of your most recent changes, and found no differences.`,
        style,
      )
    )
  }
  if (mode === 'destroy') {
    return (
      rule +
      mark`\n[reset][bold][green]No changes.[reset][bold] No objects need to be destroyed.[reset]\n\n` +
      prose(
        `Either you have not created any objects yet or the existing objects were already deleted outside of ${name}.`,
        style,
      ) +
      rule
    )
  }
  const why = hasDrift
    ? "Your configuration already matches the changes detected above, so applying this plan will only update the state to include the changes detected above and won't change any real infrastructure."
    : `${name} has compared your real infrastructure against your configuration and found no differences, so no changes are needed.`
  return (
    rule +
    mark`\n[reset][bold][green]No changes.[reset][bold] Your infrastructure matches the configuration.[reset]\n\n` +
    prose(why, style)
  )
}

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

const legendLine = (action: TofuResourceAction, words: string, { mark, product }: PageStyle): string => {
  const symbol = action === 'forget-create' ? mark`[red].[reset]/[green]+[reset]` : symbolOf(action, mark)
  return `${symbol} ${words}${action === 'update' ? product.updateNote : ''}\n`
}

const changesPart = ({ changes, errored }: TofuPlanPage, style: PageStyle): string[] => {
  if (changes.length === 0) return []
  const { name } = style.product
  const has = new Set(changes.map(({ action }) => action))
  const acts = [...has].some((action) => action !== 'no-op')
  const heading = prose(
    `\n${name} used the selected providers to generate the following execution plan. Resource actions are indicated with the following symbols:`,
    style,
  )
  return [
    ...(acts ? [heading] : []),
    ...legend.filter(([action]) => has.has(action)).map(([action, words]) => legendLine(action, words, style)),
    errored
      ? `\n${name} planned the following actions, but then encountered a problem:\n`
      : `\n${name} will perform the following actions:\n`,
    ...changes.map((resource) => `\n${renderResource(resource, { ...style, isDrift: false })}\n`),
    summaryLine(changes, style.mark),
  ]
}

const summaryLine = (changes: readonly TofuResource[], mark: Mark): string => {
  const count = (...actions: readonly TofuResourceAction[]): number =>
    changes.filter(({ action }) => actions.includes(action)).length
  const imports = changes.filter(({ importing }) => importing !== undefined).length
  const forgets = count('forget', 'forget-create', 'create-forget')
  const parts = [
    ...(imports > 0 ? [`${imports} to import`] : []),
    `${count('create', 'delete-create', 'create-delete', 'forget-create', 'create-forget')} to add`,
    `${count('update')} to change`,
    `${count('delete', 'delete-create', 'create-delete')} to destroy`,
    ...(forgets > 0 ? [`${forgets} to forget`] : []),
  ]
  return mark`\n[bold]Plan:[reset] ${parts.join(', ')}.\n`
}

const outputLines = (outputs: TofuMembers, mark: Mark): string[] => {
  const names = outputs.map(([name]) => attributeName(name))
  const width = widthOf(names)
  return outputs.flatMap(([, node], index) =>
    node.action === 'no-op'
      ? []
      : [
          `${symbolOf(node.action, mark)} ${fill(names[index] ?? '', width)} = ${renderNode(node, standardManner(mark))}`,
        ],
  )
}

const outputsPart = (lines: readonly string[], changes: readonly TofuResource[], style: PageStyle): string => {
  if (lines.length === 0) return ''
  const onlyOutputs = changes.every(({ action }) => action === 'no-op')
  const note = `\nYou can apply this plan to save these new output values to the ${style.product.name} state, without changing any real infrastructure.`
  return `\nChanges to Outputs:\n${lines.join('\n')}\n${onlyOutputs ? prose(note, style) : ''}`
}
