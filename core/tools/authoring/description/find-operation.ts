import { defined } from '../../../engine/values/defined.ts'
import type { DescribedOperation, DescribedPath, Description, Method } from './description.ts'

type FoundOperation =
  | { readonly kind: 'found'; readonly operation: DescribedOperation; readonly path: string; readonly slash: boolean }
  | { readonly kind: 'no-method'; readonly path: string; readonly methods: readonly Method[]; readonly pointer: string }
  | { readonly kind: 'no-path'; readonly nearest?: string }

export type FindOperation = (method: Method, path: string) => FoundOperation

/** Drops the names of parameters, because a document and a description may choose different ones. */
const segmentsOf = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll(/\{[^{}]*\}/g, '{}'))

const shapeOf = (segments: readonly string[]): string => segments.join('/')

/** Returns the path of a URL that may contain variables: `{with.baseUrl}/api` and `https://x.test/api` have `/api`. */
export const pathOfBase = (base: string): string =>
  base
    .replace(/^([A-Za-z][A-Za-z0-9+.-]*:\/\/[^/]*|\{[^{}]*\})/, '')
    .replace(/^(?!\/|$)/, '/')
    .replace(/\/+$/, '')

export const withoutSlash = (path: string): string => (path.length > 1 ? path.replace(/\/$/, '') : path)

/** A parameter also matches a constant: `/servers/localhost` matches `/servers/{server_id}`. */
const fits = (wanted: readonly string[], described: readonly string[]): boolean =>
  wanted.length === described.length &&
  wanted.every((segment, index) => segment === described[index] || described[index] === '{}')

const likeness = (wanted: readonly string[], described: readonly string[]): number =>
  wanted.filter((segment, index) => segment === described[index]).length / Math.max(wanted.length, described.length)

interface Spelled {
  readonly segments: readonly string[]
  readonly path: DescribedPath
}

/**
 * Finds operations, no matter whether the base path of the description is in the document's paths or in its base URL.
 */
export const operationFinder = (description: Description, documentBase: string): FindOperation => {
  const bases = [...new Set(['', ...description.servers.map(pathOfBase)])]
  const spelled: readonly Spelled[] = bases.flatMap((base) =>
    description.paths.map((path) => ({ segments: segmentsOf(base + path.path), path })),
  )
  const byShape = new Map<string, DescribedPath>()
  for (const { segments, path } of spelled) if (!byShape.has(shapeOf(segments))) byShape.set(shapeOf(segments), path)
  const bySlack = new Map([...byShape].map(([shape, path]) => [withoutSlash(`/${shape}`), path]))

  const lookUp = (path: string): { readonly path: DescribedPath; readonly slash: boolean } | undefined => {
    const segments = segmentsOf(path)
    const exact = byShape.get(shapeOf(segments))
    if (exact !== undefined) return { path: exact, slash: false }
    const slack = bySlack.get(withoutSlash(`/${shapeOf(segments)}`))
    if (slack !== undefined) return { path: slack, slash: true }
    const constant = spelled.find((one) => fits(segments, one.segments))
    return constant && { path: constant.path, slash: false }
  }

  return (method, path) => {
    const wanted = [...new Set([path, documentBase + path])]
    const found = wanted.map(lookUp).find((one) => one !== undefined)
    if (found === undefined) return noPath(spelled, wanted)
    const operation = found.path.operations.get(method)
    if (operation !== undefined) return { kind: 'found', operation, path: found.path.path, slash: found.slash }
    const [first] = found.path.operations.values()
    const pointer = first?.pointer.replace(/\/[^/]*$/, '') ?? ''
    return { kind: 'no-method', path: found.path.path, methods: [...found.path.operations.keys()], pointer }
  }
}

const noPath = (spelled: readonly Spelled[], wanted: readonly string[]): FoundOperation => {
  let nearest: { readonly path: string; readonly score: number } | undefined
  for (const path of wanted) {
    const segments = segmentsOf(path)
    for (const one of spelled) {
      const score = likeness(segments, one.segments)
      if (score >= 0.5 && score > (nearest?.score ?? 0)) nearest = { path: one.path.path, score }
    }
  }
  return { kind: 'no-path', ...defined({ nearest: nearest?.path }) }
}
