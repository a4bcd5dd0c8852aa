import type { TofuMembers, TofuPlanReport, TofuResource } from '../report.ts'
import { attributeName, fill, widthOf, wrapWords } from './quote.ts'
import { changesPart, deferredPart } from './render-changes.ts'
import { renderNode, rootContext } from './render-node.ts'
import { renderResource } from './render-resource.ts'
import { prose, ruleLine, type Style, symbolOf } from './style.ts'

/** The page of a plan, each part with the line ends that upstream gives it. */
export const renderPlan = (page: TofuPlanReport, style: Style): string => {
  const { drift, deferred, errored } = page
  const outputs = outputLines(page.outputs, style)
  const changes = changesPart(page, style)
  const nothing = changes.length === 0 && outputs.length === 0
  const rule = drift.length > 0 ? ruleLine(style) : ''
  const start = [page.newer ? newerWarning(style) : '', drift.length > 0 ? driftPart(page, style) : '']
  const later = deferredPart(deferred, style)
  if (errored && nothing) return [...start, rule, failedPart(style), rule, ...later].join('')
  if (nothing)
    return [...start, ...(later.length > 0 ? [rule, laterPart(style), ...later] : [nothingPart(page, style)])].join('')
  return [...start, rule, ...later, ...changes, outputsPart(outputs, page, style)].join('')
}

const laterPart = ({ mark }: Style): string =>
  mark`\n[reset][bold][green]No current changes.[reset][bold] This plan requires another plan to be applied first.[reset]\n\n`

const newerWarning = (style: Style): string => {
  const { mark, product } = style
  return prose(
    mark`\n[bold][red]Warning:[reset][bold] This plan was generated using a different version of ${product.name}, the diff presented here may be missing representations of recent features.`,
    style,
  )
}

const driftPart = ({ drift, mode }: TofuPlanReport, style: Style): string => {
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
    ...drift.filter(isWorthTelling).map((resource) => `\n${renderResource(resource, style, true)}\n`),
    prose(end, style),
  ].join('')
}

/** Drift without visible differences is counted, but not shown. */
const isWorthTelling = ({ action, previousAddress, importing }: TofuResource): boolean =>
  action !== 'no-op' || previousAddress !== undefined || importing !== undefined

const failedPart = ({ mark, product }: Style): string =>
  mark`\n[reset][bold][red]Planning failed.[reset][bold] ${product.name} encountered an error while generating this plan.[reset]\n\n`

/** A plan with drift and without changes would only write the drift into the state. */
const nothingPart = ({ mode, drift }: TofuPlanReport, style: Style): string => {
  const hasDrift = drift.length > 0
  if (mode === 'refresh-only' && hasDrift) return ''
  const rule = hasDrift ? ruleLine(style) : ''
  const [matches, why] = nothingWords(mode, hasDrift, style.product.name)
  if (mode === 'normal' && !hasDrift && !style.product.saysNothingTwice)
    return style.mark`\n[reset][bold][green]No changes.[reset][bold] ${matches}[reset]\n`
  const heading = style.mark`\n[reset][bold][green]No changes.[reset][bold] ${matches}[reset]\n\n`
  return rule + heading + prose(why, style) + (mode === 'destroy' ? rule : '')
}

const nothingWords = (mode: TofuPlanReport['mode'], hasDrift: boolean, name: string): readonly [string, string] => {
  if (mode === 'refresh-only')
    return [
      'Your infrastructure still matches the configuration.',
      `${name} has checked that the real remote objects still match the result of your most recent changes, and found no differences.`,
    ]
  if (mode === 'destroy')
    return [
      'No objects need to be destroyed.',
      `Either you have not created any objects yet or the existing objects were already deleted outside of ${name}.`,
    ]
  return [
    'Your infrastructure matches the configuration.',
    hasDrift
      ? "Your configuration already matches the changes detected above, so applying this plan will only update the state to include the changes detected above and won't change any real infrastructure."
      : `${name} has compared your real infrastructure against your configuration and found no differences, so no changes are needed.`,
  ]
}

const outputLines = (outputs: TofuMembers, style: Style): string[] => {
  const names = outputs.map(([name]) => attributeName(name))
  const width = widthOf(names)
  return outputs.flatMap(([, node], index) => {
    const name = `${symbolOf(node.action, style.mark)} ${fill(names[index] ?? '', width)}`
    return node.action === 'no-op' ? [] : [`${name} = ${renderNode(node, rootContext(style))}`]
  })
}

const outputsPart = (lines: readonly string[], { changes, invocations }: TofuPlanReport, style: Style): string => {
  if (lines.length === 0) return ''
  const onlyOutputs = invocations.length === 0 && changes.every(({ action }) => action === 'no-op')
  const note = `\nYou can apply this plan to save these new output values to the ${style.product.name} state, without changing any real infrastructure.`
  return `\nChanges to Outputs:\n${lines.join('\n')}\n${onlyOutputs ? prose(note, style) : ''}`
}
