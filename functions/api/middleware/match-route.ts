import { AppError, mapMembers } from '#core'
import type { Route } from '../route/route.ts'

export interface MatchedRoute {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
  readonly base: string
}

const paramsOf = (pattern: string, path: string): Record<string, string> | undefined => {
  const form = pattern.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  const found = new RegExp(`^${form}$`).exec(path)
  if (found === null) return undefined
  try {
    return mapMembers(found.groups ?? {}, decodeURIComponent)
  } catch {
    return undefined
  }
}

const baseOf = (path: string, stage: string): string =>
  stage !== '$default' && path.startsWith(`/${stage}/`) ? `/${stage}` : ''

/** Throws ROUTE_NOT_FOUND, or METHOD_NOT_ALLOWED with the allowed methods. */
export const matchRoute = (
  routes: readonly Route[],
  { method, path, stage }: { readonly method: string; readonly path: string; readonly stage: string },
): MatchedRoute => {
  const base = baseOf(path, stage)
  const inner = path.slice(base.length)
  const found = routes.flatMap((route) => {
    const params = paramsOf(route.path, inner)
    return params === undefined ? [] : [{ route, params, base }]
  })
  const exact = found.find(({ route }) => route.method === method)
  if (exact !== undefined) return exact
  if (found.length === 0) throw new AppError('ROUTE_NOT_FOUND', { method, path })
  throw new AppError('METHOD_NOT_ALLOWED', { method, path, allowed: found.map(({ route }) => route.method) })
}
