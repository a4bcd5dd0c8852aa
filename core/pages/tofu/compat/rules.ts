import type { BlockFacts, ValueType } from '../read/schemas.ts'
import type { TofuCompat } from './report.ts'

/** The rules of comparison in which the two products differ, by name. */
export interface DifferRules {
  /** An empty text in an attribute of a block counts as null: always, or where the schema is of the old kind. */
  readonly emptyTextIsNull: 'always' | 'in-old-schemas' | 'never'
  /** Lists and texts of equal length are compared by place, unless one is the other in another order. */
  readonly alignsByPlace: boolean
  /** New elements are also paired with the remaining ones, if they differ from the unchanged ones. */
  readonly pairsWhatComes: boolean
  /** A text holds JSON only if nothing follows the value. */
  readonly jsonEndsText: boolean
  /** If a value becomes unknown, only the unknown side has the note that it forces the replacement. */
  readonly unknownForcesOnce: boolean
  /** If blocks are unknown as a whole, the former blocks are shown as deleted. */
  readonly unknownBlocksBesideOld: boolean
  /** Blocks that are unknown as a whole have the attributes of the block around them. */
  readonly unknownBlocksAsParent: boolean
  /** A write-only value does not change with an update of its resource. */
  readonly writeOnlyStandsStill: boolean
  /** A forgotten resource is shown without changes. */
  readonly forgottenStandsStill: boolean
  /** Deferred changes and actions to invoke are part of the page. */
  readonly knowsActions: boolean
}

const opentofu: DifferRules = {
  emptyTextIsNull: 'always',
  alignsByPlace: false,
  pairsWhatComes: true,
  jsonEndsText: false,
  unknownForcesOnce: false,
  unknownBlocksBesideOld: false,
  unknownBlocksAsParent: true,
  writeOnlyStandsStill: false,
  forgottenStandsStill: false,
  knowsActions: false,
}

const terraform: DifferRules = {
  emptyTextIsNull: 'in-old-schemas',
  alignsByPlace: true,
  pairsWhatComes: false,
  jsonEndsText: true,
  unknownForcesOnce: true,
  unknownBlocksBesideOld: true,
  unknownBlocksAsParent: false,
  writeOnlyStandsStill: true,
  forgottenStandsStill: true,
  knowsActions: true,
}

export const differRules: Readonly<Record<TofuCompat, DifferRules>> = {
  opentofu,
  'opentofu@1.12': opentofu,
  'opentofu@1.13': { ...opentofu, unknownBlocksAsParent: false },
  terraform,
}

/** The old kind of provider knows no attributes of attributes, no dynamic values, and objects only in lists and sets. */
const isOldType = (type: ValueType): boolean => {
  if (type.kind === 'scalar') return true
  if (type.kind === 'map') return type.element.kind === 'scalar'
  if (type.kind !== 'list' && type.kind !== 'set') return false
  return type.element.kind === 'object' ? [...type.element.members.values()].every(isOldType) : isOldType(type.element)
}

const isOldSchema = ({ attributes, blocks }: BlockFacts): boolean =>
  [...attributes.values()].every(({ type, nested }) => nested === undefined && isOldType(type)) &&
  [...blocks.values()].every(({ nesting, block }) => (nesting === 'list' || nesting === 'set') && isOldSchema(block))

/** The rules for one resource. `facts` as its schema has them; without one it counts as of the old kind. */
export const rulesFor = (rules: DifferRules, facts: BlockFacts | undefined): DifferRules =>
  rules.emptyTextIsNull === 'in-old-schemas'
    ? { ...rules, emptyTextIsNull: facts === undefined || isOldSchema(facts) ? 'always' : 'never' }
    : rules
