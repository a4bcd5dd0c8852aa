import type { TofuAction } from '../read/shapes.ts'
import { areEqual, elementsOf, isList, isMap, type Value } from '../read/value.ts'
import { type DifferRules, differRules } from './rules.ts'

/** The rest of the paths that lead through a place: an empty one ends there. */
export interface Paths {
  readonly rest: readonly (readonly Value[])[]
  /** A path that ends here covers everything below it. */
  readonly covering: boolean
}

/** Matches every place. */
export const everywhere: Paths = { rest: [[]], covering: true }
const nowhere: Paths = { rest: [], covering: false }

export const pathsOf = (value: Value | undefined, covering: boolean): Paths => ({
  rest: elementsOf(value).filter(isList),
  covering,
})

const endsHere = ({ rest }: Paths): boolean => rest.some((path) => path.length === 0)
export const leadsHere = ({ rest }: Paths): boolean => rest.length > 0

const below = (paths: Paths, leads: (step: Value) => boolean): Paths => {
  if (paths.rest.length === 0 || paths === everywhere) return paths
  const rest = paths.rest.flatMap((path) => {
    const [step, ...further] = path
    if (step === undefined) return paths.covering ? [path] : []
    return leads(step) ? [further] : []
  })
  return { ...paths, rest }
}

const belowKey = (paths: Paths, key: string): Paths => below(paths, (step) => step === key)

const isNumber = (step: Value): step is { readonly number: string } =>
  typeof step === 'object' && step !== null && 'number' in step

/** An index may also be written as text. */
const belowIndex = (paths: Paths, index: number): Paths =>
  below(paths, (step) => {
    const text = isNumber(step) ? step.number : step
    return typeof text === 'string' && text !== '' && Math.trunc(Number(text)) === index
  })

/** One place of a value before and after, with everything that a plan says about it. */
export interface Sides {
  readonly before: Value
  readonly after: Value
  /** Present on that side, if only as null. */
  readonly beforeExplicit: boolean
  readonly afterExplicit: boolean
  /** Markers: `true` for the whole place, or a tree. */
  readonly unknown: Value
  readonly beforeSensitive: Value
  readonly afterSensitive: Value
  readonly replacing: Paths
  readonly relevant: Paths
  readonly rules: DifferRules
}

export const sidesOf = (given: Partial<Sides>): Sides => ({
  before: null,
  after: null,
  beforeExplicit: false,
  afterExplicit: false,
  unknown: null,
  beforeSensitive: null,
  afterSensitive: null,
  replacing: nowhere,
  relevant: everywhere,
  rules: differRules.opentofu,
  ...given,
})

export const asUnchanged = (sides: Sides): Sides => ({
  ...sides,
  after: sides.before,
  afterExplicit: sides.beforeExplicit,
  afterSensitive: sides.beforeSensitive,
  unknown: null,
})

export const asDeleted = (sides: Sides): Sides => ({
  ...sides,
  after: null,
  afterExplicit: false,
  afterSensitive: null,
  unknown: null,
})

export const asCreated = (sides: Sides): Sides => ({
  ...sides,
  before: null,
  beforeExplicit: false,
  beforeSensitive: null,
})

export const asImplicit = (sides: Sides): Sides => ({ ...sides, beforeExplicit: false, afterExplicit: false })

export const replaces = ({ replacing }: Sides): boolean => endsHere(replacing)

const inMap = (value: Value, key: string): Value => (isMap(value) ? (value.get(key) ?? null) : null)
const inList = (value: Value, index: number): Value => (isList(value) ? (value[index] ?? null) : null)

export const atKey = (sides: Sides, key: string): Sides => ({
  before: inMap(sides.before, key),
  after: inMap(sides.after, key),
  beforeExplicit: isMap(sides.before) && sides.before.has(key),
  afterExplicit: isMap(sides.after) && sides.after.has(key),
  unknown: inMap(sides.unknown, key),
  beforeSensitive: inMap(sides.beforeSensitive, key),
  afterSensitive: inMap(sides.afterSensitive, key),
  replacing: belowKey(sides.replacing, key),
  relevant: belowKey(sides.relevant, key),
  rules: sides.rules,
})

export const lengthOf = (value: Value): number => (isList(value) ? value.length : 0)

/** The elements at two indexes; an index out of range means that there is no element. */
export const atIndexes = (sides: Sides, before: number, after: number): Sides => {
  const telling = before < lengthOf(sides.before) ? before : after
  return {
    before: inList(sides.before, before),
    after: inList(sides.after, after),
    beforeExplicit: before < lengthOf(sides.before),
    afterExplicit: after < lengthOf(sides.after),
    unknown: inList(sides.unknown, after),
    beforeSensitive: inList(sides.beforeSensitive, before),
    afterSensitive: inList(sides.afterSensitive, after),
    replacing: belowIndex(sides.replacing, telling),
    relevant: belowIndex(sides.relevant, telling),
    rules: sides.rules,
  }
}

/** Of a value without parts. */
export const scalarAction = (sides: Sides): TofuAction => {
  const { before, after, beforeExplicit, afterExplicit } = sides
  const wasThere = before !== null || beforeExplicit
  const isThere = after !== null || afterExplicit
  if (!wasThere && isThere) return 'create'
  if (wasThere && !isThere) return 'delete'
  const same =
    areEqual(before, after) &&
    beforeExplicit === afterExplicit &&
    (sides.beforeSensitive === true) === (sides.afterSensitive === true)
  return same ? 'no-op' : 'update'
}

/** Of a container, before its parts are looked at. */
export const containerAction = ({ before, after }: Pick<Sides, 'before' | 'after'>): TofuAction => {
  if (before === null && after === null) return 'no-op'
  if (before === null) return 'create'
  return after === null ? 'delete' : 'no-op'
}

/** Of a container, by one more of its parts. */
export const joinActions = (action: TofuAction, part: TofuAction): TofuAction =>
  part === 'no-op' || part === action ? action : 'update'

export const joinAll = (action: TofuAction, parts: readonly { readonly action: TofuAction }[]): TofuAction =>
  parts.reduce((joined, part) => joinActions(joined, part.action), action)
