import { describe, expect, it } from 'vitest'
import type { Permissions } from '../../../core/engine/schema/permissions.ts'
import { githubWhole } from '../../builders/generated/github-document.ts'
import { githubTypes } from '../../builders/generated/github-reference.ts'
import { long } from '../../builders/long.ts'
import { routeOf } from '../../github/description/routes.ts'
import { needOf } from '../../github/server/permissions.ts'

/* What the document states of permissions is what GitHub asks for, operation by operation. New types are covered without being listed. */

interface Written {
  readonly method: string
  /** Operations of GraphQL have none. */
  readonly path?: string
  readonly effect?: string
  readonly permissions?: Permissions
}
interface WrittenType {
  readonly operations: Readonly<Record<string, Written>>
  readonly permissions?: { readonly read?: Permissions; readonly write?: Permissions }
}
const { resources, resolvers } = githubWhole() as unknown as {
  readonly resources: Readonly<Record<string, WrittenType>>
  readonly resolvers: Readonly<Record<string, Readonly<Record<string, Written>>>>
}

const levels = ['read', 'write', 'admin']
const isRead = ({ method, effect }: Written): boolean => effect === 'read' || (effect === undefined && method === 'GET')
const routedOf = ({ method, path }: Written) => path && routeOf(method, path.replace(/\{[^}]*\}/g, '1'))

/** What the stand-in needs and the document does not state. */
const lacking = (operation: Written, stated: Permissions | undefined): string | undefined => {
  const routed = routedOf(operation)
  if (!routed) return undefined
  const need = needOf(routed)
  const given = need && levels.indexOf((operation.permissions ?? stated)?.[need.permission] ?? '')
  return need === undefined || Number(given) >= levels.indexOf(need.level)
    ? undefined
    : `${operation.method} ${operation.path}: ${need.permission}=${need.level}`
}

describe('the permissions of types', () => {
  it.each(Object.entries(resources))('include one for each request of %s', (_, { operations, permissions }) => {
    const missing = Object.values(operations).flatMap(
      (each) => lacking(each, isRead(each) ? permissions?.read : permissions?.write) ?? [],
    )
    expect(missing).toEqual([])
    expect(permissions).toBeDefined()
  })

  it('include one for each request of every resolver', () => {
    const missing = Object.values(resolvers).flatMap(({ list, retrieve }) =>
      [list, retrieve].flatMap((each) => (each === undefined ? [] : (lacking(each, {}) ?? []))),
    )
    expect(missing).toEqual([])
  })

  it('are known to `plumbline permissions` for all types', long, () => {
    expect(githubTypes().filter(({ permissions }) => permissions === undefined)).toEqual([])
  })
})
