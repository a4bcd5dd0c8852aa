import { elementsOf, isList, type Value } from '../read/value.ts'

/** What is left of the paths that lead through a place: at one that is empty, a path ends. */
export interface Paths {
  readonly rest: readonly (readonly Value[])[]
  /** A path that ends also covers all that is below. */
  readonly covering: boolean
}

/** Leads everywhere. */
export const everywhere: Paths = { rest: [[]], covering: true }
export const nowhere: Paths = { rest: [], covering: false }

export const pathsOf = (value: Value | undefined, covering: boolean): Paths => ({
  rest: elementsOf(value).filter(isList),
  covering,
})

export const endsHere = ({ rest }: Paths): boolean => rest.some((path) => path.length === 0)
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

export const belowKey = (paths: Paths, key: string): Paths => below(paths, (step) => step === key)

const isNumber = (step: Value): step is { readonly number: string } =>
  typeof step === 'object' && step !== null && 'number' in step

/** An index may also be written as text. */
export const belowIndex = (paths: Paths, index: number): Paths =>
  below(paths, (step) => {
    const text = isNumber(step) ? step.number : step
    return typeof text === 'string' && text !== '' && Math.trunc(Number(text)) === index
  })
