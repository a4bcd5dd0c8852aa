import type { Attribute } from '../../../engine/schema/attribute.ts'
import { defined } from '../../../engine/values/defined.ts'
import {
  type AttributeFacts,
  type BlockFacts,
  dynamic,
  fits,
  fitsNesting,
  type NestedFacts,
  type Nesting,
  type ValueType,
} from '../read/schemas.ts'
import { elementsOf, isMap, keysOf, membersOf, sortedKeys, type Value } from '../read/value.ts'

/** The facts of a place that our differ uses, and those that it does not use. */
export interface Facts extends Attribute {
  readonly attributes?: Readonly<Record<string, Facts>>
  readonly element?: Facts
  readonly elements?: readonly Facts[]
  readonly syntax?: 'block' | 'nested'
  /** No element is the same as no value: certain only for blocks of a schema. */
  readonly emptyIsNone?: true
}

/** The values at one place, before and after, in all elements. The markers may name members that have no value. */
export interface SeenValues {
  readonly values: readonly Value[]
  readonly markers: readonly Value[]
}

export const plainFacts: Facts = { type: 'any' }

const partsOf = (value: Value): readonly Value[] => (isMap(value) ? [...value.values()] : elementsOf(value))

const atKey = ({ values, markers }: SeenValues, key: string): SeenValues => ({
  values: membersOf(values, key),
  markers: membersOf(markers, key),
})

const inElements = ({ values, markers }: SeenValues): SeenValues => ({
  values: values.flatMap(partsOf),
  markers: markers.flatMap(partsOf),
})

const atIndex = ({ values }: SeenValues, index: number): SeenValues => ({
  values: values.flatMap((value) => elementsOf(value).slice(index, index + 1)),
  markers: [],
})

/**
 * The facts of a block, as far as it is there: schemas are many times larger than what they describe. Where a value does
 * not fit its schema, it is compared as what it is.
 */
export const blockFacts = (block: BlockFacts, found: SeenValues, sure: boolean): Facts => {
  const keys = keysOf([...found.values, ...found.markers])
  // What is never stored need not be in the document.
  const neverStored = [...block.attributes].flatMap(([key, { writeOnly }]) => (writeOnly ? [key] : []))
  const attributes = sortedKeys([...keys, ...neverStored]).flatMap((key): [string, Facts][] => {
    const facts = block.attributes.get(key)
    return facts === undefined ? [] : [[key, attributeFacts(facts, atKey(found, key))]]
  })
  const groups = keys.flatMap((key): [string, Facts][] => {
    const group = block.blocks.get(key)
    if (group === undefined) return []
    const inside = atKey(found, key)
    if (!inside.values.every((value) => fitsNesting(value, group.nesting))) return [[key, plainFacts]]
    const facts = nestedFacts(group.nesting, inside, (within) => blockFacts(group.block, within, sure))
    return [[key, { ...facts, syntax: 'block', ...defined({ emptyIsNone: sure ? true : undefined }) }]]
  })
  return { type: 'object', attributes: Object.fromEntries([...attributes, ...groups]) }
}

const nestedFacts = (nesting: Nesting, found: SeenValues, inner: (found: SeenValues) => Facts): Facts =>
  nesting === 'single' ? inner(found) : { type: nesting, element: inner(inElements(found)) }

const attributeFacts = ({ nested, type, sensitive, writeOnly }: AttributeFacts, found: SeenValues): Facts => ({
  ...(nested === undefined ? typeFacts(type, found) : attributesFacts(nested, found)),
  ...defined({
    sensitive: sensitive === true || writeOnly ? true : undefined,
    writeOnly: writeOnly ? writeOnly : undefined,
  }),
})

const attributesFacts = ({ nesting, attributes }: NestedFacts, found: SeenValues): Facts => {
  if (!found.values.every((value) => fitsNesting(value, nesting))) return plainFacts
  const block: BlockFacts = { attributes, blocks: new Map() }
  return { ...nestedFacts(nesting, found, (within) => blockFacts(block, within, true)), syntax: 'nested' }
}

/** A scalar's type says nothing that its value does not. */
export const typeFacts = (type: ValueType, found: SeenValues): Facts => {
  if (!found.values.every((value) => fits(value, type))) return plainFacts
  switch (type.kind) {
    case 'scalar':
    case 'dynamic':
      return plainFacts
    case 'tuple':
      return {
        type: 'list',
        elements: type.elements.map((element, index) => typeFacts(element, atIndex(found, index))),
      }
    case 'object': {
      const members = sortedKeys(type.members.keys()).map((key) => {
        const inside = typeFacts(type.members.get(key) ?? dynamic, atKey(found, key))
        return [key, inside] as const
      })
      return { type: 'object', attributes: Object.fromEntries(members) }
    }
    default:
      return { type: type.kind, element: typeFacts(type.element, inElements(found)) }
  }
}

/** Of a member, or of an element. */
export const factsAt = (facts: Facts, step: string | number): Facts => {
  if (facts.type === 'object') {
    const inside = Object.hasOwn(facts.attributes ?? {}, step) ? facts.attributes?.[step] : undefined
    return inside ?? plainFacts
  }
  return facts.elements?.[Number(step)] ?? facts.element ?? plainFacts
}
