import { parseAddress } from '../../../engine/values/addresses/address.ts'
import type { Row } from '../rows/row.ts'
import type { Block, Report } from './report.ts'

/** So many of one shape are all shown. */
const mostShown = 10

const shapeOfRow = ({ kind, action, label, causes, notes, rows }: Row): unknown =>
  // The lines of a text differ from object to object.
  kind === 'attribute' ? [action, label, causes, notes, rows.map(shapeOfRow)] : kind

const shapeOf = ({ address, symbol, brief, blocked, also, rows }: Block): string =>
  JSON.stringify([
    parseAddress(address)?.type ?? address,
    ...[symbol, brief, blocked, also.length > 0],
    [...new Set(rows.map((row) => JSON.stringify(shapeOfRow(row))))],
  ])

/** Of many blocks that change the same attributes, with other values, the first stands for the others. */
const foldSimilar = (blocks: readonly Block[]): readonly Block[] =>
  [...Map.groupBy(blocks, shapeOf).values()].flatMap((group) => {
    const [first, ...others] = group
    if (first === undefined || group.length <= mostShown) return group
    return [{ ...first, similar: others.flatMap(({ address, also }) => [address, ...also]) }]
  })

/**
 * For a reader at a terminal: what changes in the same way is shown once, and of the commands those of what is shown. Nothing
 * is lost that is not counted.
 */
export const foldShapes = (report: Report): Report => {
  const sections = report.sections.map((section) => ({ ...section, blocks: foldSimilar(section.blocks) }))
  const hidden = new Set(sections.flatMap(({ blocks }) => blocks.flatMap(({ similar = [] }) => similar)))
  if (hidden.size === 0 || report.commands === undefined) return { ...report, sections }
  const list = report.commands.list.filter(({ address }) => !hidden.has(address))
  const omitted = report.commands.list.length - list.length
  return { ...report, sections, commands: { ...report.commands, list, omitted } }
}
