import { defined } from '../../../engine/values/defined.ts'
import type { TofuMode } from './shapes.ts'
import { elementsOf, isList, isMap, memberOf, type Value } from './value.ts'

/** Of a value, as the type language of OpenTofu has them. */
export type ValueType =
  | { readonly kind: 'scalar' }
  | { readonly kind: 'dynamic' }
  | { readonly kind: 'list' | 'set' | 'map'; readonly element: ValueType }
  | { readonly kind: 'tuple'; readonly elements: readonly ValueType[] }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, ValueType> }

export type Nesting = 'single' | 'list' | 'set' | 'map'

export interface NestedFacts {
  readonly nesting: Nesting
  readonly attributes: ReadonlyMap<string, AttributeFacts>
}

export interface AttributeFacts {
  readonly type: ValueType
  /** Instead of the type: an attribute of attributes. */
  readonly nested?: NestedFacts
  readonly writeOnly: boolean
  /** Documents of old versions do not mark such values themselves. */
  readonly sensitive?: true
}

export interface BlockFacts {
  readonly attributes: ReadonlyMap<string, AttributeFacts>
  readonly blocks: ReadonlyMap<string, NestedBlock>
}

export interface NestedBlock {
  readonly nesting: Nesting
  readonly block: BlockFacts
}

export const scalar: ValueType = { kind: 'scalar' }
export const dynamic: ValueType = { kind: 'dynamic' }

const scalars: readonly Value[] = ['string', 'number', 'bool']

/** A type as schemas write it: `"string"`, `["list", T]`, `["object", {...}, [...]]`; anything else is dynamic. */
export const readType = (value: Value | undefined): ValueType => {
  if (!isList(value)) return scalars.includes(value ?? null) ? scalar : dynamic
  const [kind, inner] = value
  if (kind === 'list' || kind === 'set' || kind === 'map') return { kind, element: readType(inner) }
  if (kind === 'tuple' && isList(inner)) return { kind, elements: inner.map(readType) }
  if (kind === 'object' && isMap(inner)) return { kind, members: mapValues(inner, readType) }
  return dynamic
}

const mapValues = <Out>(map: Value | undefined, read: (value: Value) => Out): ReadonlyMap<string, Out> =>
  new Map(isMap(map) ? [...map].map(([key, value]) => [key, read(value)] as const) : [])

const readNesting = (value: Value | undefined): Nesting =>
  value === 'list' || value === 'set' || value === 'map' ? value : 'single'

const readAttribute = (value: Value): AttributeFacts => {
  const nested = memberOf(value, 'nested_type')
  return {
    type: readType(memberOf(value, 'type')),
    ...defined({
      nested: isMap(nested)
        ? {
            nesting: readNesting(nested.get('nesting_mode')),
            attributes: mapValues(nested.get('attributes'), readAttribute),
          }
        : undefined,
    }),
    writeOnly: memberOf(value, 'write_only') === true,
    ...defined({ sensitive: memberOf(value, 'sensitive') === true ? true : undefined }),
  }
}

const readBlock = (value: Value | undefined): BlockFacts => ({
  attributes: mapValues(memberOf(value, 'attributes'), readAttribute),
  blocks: mapValues(memberOf(value, 'block_types'), (type) => ({
    nesting: readNesting(memberOf(type, 'nesting_mode')),
    block: readBlock(memberOf(type, 'block')),
  })),
})

interface TypeName {
  readonly provider: string
  readonly mode: 'managed' | 'data'
  readonly type: string
}

/** Finds the schema of a resource type. */
export type Schemas = (name: TypeName) => BlockFacts | undefined

/** Facts that a plan or a state does not contain. */
export interface TofuContext {
  /** The kinds of the values; inferred from the values if absent. */
  readonly schemas?: Schemas | undefined
  /** How the plan was made; inferred where absent. */
  readonly mode?: TofuMode | undefined
}

/** For documents without schemas: all kinds are inferred. */
export const noSchemas: Schemas = () => undefined

/** Versions before 0.13 name a provider by its last part alone. */
const schemasOf = (providers: Value | undefined, name: string): Value | undefined => {
  const own = memberOf(providers, name)
  if (own !== undefined || name === '' || name.includes('/') || !isMap(providers)) return own
  const alike = [...providers].filter(([full]) => full.endsWith(`/${name}`))
  return alike.length === 1 ? alike[0]?.[1] : undefined
}

/** The answer of `providers schema -json`. */
export const readSchemas = (value: Value): Schemas => {
  const known = new Map<string, BlockFacts | undefined>()
  return ({ provider, mode, type }) => {
    const key = JSON.stringify([provider, mode, type])
    if (known.has(key)) return known.get(key)
    const schemas = schemasOf(memberOf(value, 'provider_schemas'), provider)
    const block = memberOf(
      memberOf(memberOf(schemas, mode === 'data' ? 'data_source_schemas' : 'resource_schemas'), type),
      'block',
    )
    const facts = isMap(block) ? readBlock(block) : undefined
    known.set(key, facts)
    return facts
  }
}

/** True where the value can be of the type; one that cannot is compared by what it is. */
export const fits = (value: Value, type: ValueType): boolean => {
  if (value === null) return true
  if (type.kind === 'scalar') return !isList(value) && !isMap(value)
  if (type.kind === 'map' || type.kind === 'object') return isMap(value)
  return type.kind === 'dynamic' || isList(value)
}

/** The same for an attribute of attributes, or for blocks. */
export const fitsNesting = (value: Value, nesting: Nesting): boolean => {
  if (value === null) return true
  if (nesting === 'map' || nesting === 'single') return isMap(value)
  return isList(value) && elementsOf(value).every((element) => element === null || isMap(element))
}
