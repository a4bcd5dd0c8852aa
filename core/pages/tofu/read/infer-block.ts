import {
  type AttributeFacts,
  type BlockFacts,
  dynamic,
  type NestedBlock,
  type Nesting,
  scalar,
  type ValueType,
} from './schemas.ts'
import {
  compareText,
  elementsOf,
  identityOf,
  isList,
  isMap,
  keysOf,
  kindOf,
  memberOf,
  membersOf,
  sortedKeys,
  type Value,
  type ValueMap,
} from './value.ts'

/**
 * A schema that is inferred from the values and from the configuration in the plan. Only scalars and, if the configuration
 * has them, blocks are certain.
 */

export interface Samples {
  /** All values of one place: before and after, and of the elements likewise. */
  readonly values: readonly Value[]
  /** Trees of markers, which may name members that have no value. */
  readonly markers: readonly Value[]
  /** The configuration's expressions of the block; none where it is not in the configuration. */
  readonly expressions: Value | undefined
}

export const inferBlock = ({ values, markers, expressions }: Samples): BlockFacts => {
  const attributes = new Map<string, AttributeFacts>()
  const blocks = new Map<string, NestedBlock>()
  for (const key of keysOf([...values, ...markers])) {
    const found = membersOf(values, key)
    const expression = memberOf(expressions, key)
    const nesting = inferNesting(found, expression)
    if (nesting === undefined) attributes.set(key, { type: inferType(found), writeOnly: false })
    else {
      const inner = isList(expression) ? expression[0] : expression
      const block = inferBlock({
        values: found.flatMap(partsOf),
        markers: membersOf(markers, key).flatMap(partsOf),
        expressions: inner,
      })
      blocks.set(key, { nesting, block })
    }
  }
  return { attributes, blocks }
}

const partsOf = (value: Value): readonly Value[] => (isList(value) ? value : [value])

const isAttributeExpression = (expression: ValueMap): boolean =>
  expression.size === 0 || expression.has('constant_value') || expression.has('references')

/** How blocks of this name nest; `undefined` for an attribute. */
const inferNesting = (found: readonly Value[], expression: Value | undefined): Nesting | undefined => {
  const present = found.filter((value) => value !== null)
  if (isMap(expression)) {
    return isAttributeExpression(expression) || !present.every(isMap) ? undefined : 'single'
  }
  if (present.length === 0 || !present.every(isList)) return undefined
  const elements = present.flatMap(elementsOf)
  if (!elements.every(isMap)) return undefined
  return isUnordered(present) ? 'set' : 'list'
}

/** The ends of a change have more elements in common than stand at the same places. */
const isUnordered = (values: readonly Value[]): boolean => {
  const [before, after] = values.map((value) => elementsOf(value).map(identityOf))
  if (before === undefined || after === undefined) return false
  const inPlace = before.filter((element, index) => after[index] === element).length
  const left = new Set(after)
  return before.filter((element) => left.has(element)).length > inPlace
}

const inferType = (found: readonly Value[]): ValueType => {
  const present = found.filter((value) => value !== null)
  const kinds = new Set(present.map(kindOf))
  const [kind] = kinds
  if (kinds.size !== 1 || kind === undefined) return dynamic
  if (kind === 'object') return inferMembers(present)
  if (kind !== 'array') return scalar
  const elements = present.flatMap(elementsOf)
  return {
    kind: looksSorted(present) ? 'set' : 'list',
    element: elements.every(isMap) ? inferObject(elements) : inferType(elements),
  }
}

/** A set of texts is written in order; two in order by chance are rare where there are three or more. */
const looksSorted = (lists: readonly Value[]): boolean =>
  lists.some((list) => elementsOf(list).length > 2) &&
  lists.every((list) => {
    const elements = elementsOf(list)
    return elements.every((element, index) => {
      const previous = elements[index - 1]
      if (typeof element !== 'string') return false
      return typeof previous !== 'string' || compareText(previous, element) < 0
    })
  })

const inferObject = (objects: readonly Value[]): ValueType => ({
  kind: 'object',
  members: new Map(keysOf(objects).map((key) => [key, inferType(membersOf(objects, key))] as const)),
})

/** An object names all its members always, null where it has no value; a map holds values of one kind. */
const inferMembers = (objects: readonly Value[]): ValueType => {
  const samples = objects.flatMap((object) => (isMap(object) ? [...object.values()] : []))
  const [kind, ...further] = new Set(samples.map(kindOf))
  const keySets = new Set(objects.map((object) => (isMap(object) ? JSON.stringify(sortedKeys(object.keys())) : '')))
  const varies = keySets.size > 1 || kind === undefined || kind === 'string'
  const isMapped =
    further.length === 0 && kind !== 'null' && (varies || (kind === 'object' && samples.length > objects.length))
  return isMapped ? { kind: 'map', element: inferType(samples) } : inferObject(objects)
}
