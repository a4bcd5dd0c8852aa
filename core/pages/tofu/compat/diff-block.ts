import { type AttributeFacts, type BlockFacts, fitsNesting, type NestedBlock, type Nesting } from '../read/schemas.ts'
import type { TofuAction } from '../read/shapes.ts'
import { compareText } from '../read/value.ts'
import { type DiffPart, diffJson, diffKeys, valueKeys, whereRelevant } from './diff-json.ts'
import {
  allUnknown,
  diffAttribute,
  diffInPlace,
  diffSet,
  hideTyped,
  hideUnknown,
  inOrderOfWriting,
} from './diff-typed.ts'
import type { TofuBlock, TofuBlockGroup, TofuNode } from './report.ts'
import {
  asDeleted,
  asImplicit,
  atKey,
  containerAction,
  joinActions,
  joinAll,
  replaces,
  type Sides,
} from './side-by-side.ts'

/** A resource, or a block within. */
export const diffBlock = (sides: Sides, facts: BlockFacts): TofuNode =>
  hideTyped(sides, 'sensitive-block', (open) => diffBlock(open, facts)) ??
  unknownBlock(sides, facts) ??
  diffKnownBlock(sides, facts)

const unknownBlock = (sides: Sides, facts: BlockFacts): TofuNode | undefined =>
  hideUnknown(sides, allUnknown(facts.attributes), (before) => diffBlock(before, facts))

const diffKnownBlock = (sides: Sides, facts: BlockFacts): TofuNode => {
  let action = containerAction(sides)
  const attributes: (readonly [string, TofuNode])[] = []
  const asValue = (key: string, node: TofuNode): void => {
    attributes.push([key, node])
    action = joinActions(action, node.action)
  }
  for (const [key, fact] of inOrderOfWriting(facts.attributes)) {
    const node = blockAttribute(atKey(sides, key), fact, action)
    if (node !== undefined) asValue(key, node)
  }
  const groups: TofuBlockGroup[] = []
  for (const [name, type] of facts.blocks) {
    const child = whereRelevant(atKey(sides, name))
    // Blocks that the schema does not allow here are shown as the value that they are.
    if (!fitsNesting(child.before, type.nesting) || !fitsNesting(child.after, type.nesting)) {
      asValue(name, diffJson(child))
      continue
    }
    const group = diffGroup(child, type, facts)
    if (group === undefined) continue
    groups.push({ name, ...markersOf(child), blocks: group.blocks })
    action = joinActions(action, group.action)
  }
  return {
    action,
    replace: replaces(sides),
    kind: 'block',
    attributes: attributes.toSorted(([a], [b]) => compareText(a, b)),
    groups: groups.toSorted((a, b) => compareText(a.name, b.name)),
  }
}

const markersOf = (sides: Sides) => ({
  replace: replaces(sides),
  beforeSensitive: sides.beforeSensitive === true,
  afterSensitive: sides.afterSensitive === true,
})

/** Providers of the old kind cannot say null and say "" instead. */
const withoutEmptyTexts = (sides: Sides): Sides => ({
  ...sides,
  before: sides.before === '' ? null : sides.before,
  after: sides.after === '' ? null : sides.after,
})

const blockAttribute = (child: Sides, facts: AttributeFacts, soFar: TofuAction): TofuNode | undefined => {
  const relevant = whereRelevant(child)
  const sides = asImplicit(relevant.rules.emptyTextIsNull === 'always' ? withoutEmptyTexts(relevant) : relevant)
  const node = diffAttribute(sides, facts, soFar)
  const nothing = node.action === 'no-op' && sides.before === null && sides.after === null
  return nothing && !facts.writeOnly ? undefined : node
}

interface DiffedBlocks {
  /** Of the parent because of this group. */
  readonly action: TofuAction
  readonly blocks: readonly TofuBlock[]
}

const diffGroup = (sides: Sides, { nesting, block }: NestedBlock, parent: BlockFacts): DiffedBlocks | undefined => {
  // A group that is unknown as a whole is one block, and leaves the parent's action alone.
  const diff: DiffPart = (child) => diffBlock(child, block)
  if (sides.unknown === true && sides.rules.unknownBlocksBesideOld) return unknownBesideOld(sides, nesting, diff)
  const unknown = unknownBlock(sides, sides.rules.unknownBlocksAsParent ? parent : block)
  const group: DiffedBlocks =
    unknown === undefined ? diffBlocks(sides, nesting, diff) : { action: 'no-op', blocks: [{ node: unknown }] }
  const action = unknown?.action ?? group.action
  return action === 'no-op' && sides.before === null && sides.after === null ? undefined : group
}

const unknownBesideOld = (sides: Sides, nesting: Nesting, diff: DiffPart): DiffedBlocks => {
  const old = sides.before === null ? [] : diffBlocks(asDeleted(sides), nesting, diff).blocks
  const node: TofuNode = { action: 'create', replace: false, kind: 'unknown' }
  return { action: 'update', blocks: [{ node }, ...old] }
}

const diffBlocks = (sides: Sides, nesting: Nesting, diff: DiffPart): DiffedBlocks => {
  if (nesting === 'single') {
    const node = diff(sides)
    return { action: node.action, blocks: [{ node }] }
  }
  if (nesting === 'map') {
    const { action, members } = diffKeys(sides, valueKeys(sides), diff)
    return { action, blocks: members.map(([label, node]) => ({ label, node })) }
  }
  const nodes = nesting === 'list' ? diffInPlace(sides, diff) : diffSet(sides, diff)
  return { action: joinAll(containerAction(sides), nodes), blocks: nodes.map((node) => ({ node })) }
}
