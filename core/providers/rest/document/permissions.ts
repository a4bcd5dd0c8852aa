import type { Permissions, PermissionUse } from '../../../schema/permissions.ts'
import { mapMembers } from '../../../values/members.ts'
import { isRead, type Operation } from './operation.ts'

/** The levels that most APIs have; the narrowest first. */
export const usualLevels: readonly string[] = ['read', 'write', 'admin']

interface Stated {
  readonly permissions?: Partial<Readonly<Record<'read' | 'write', Permissions>>>
  readonly operations: Readonly<Record<string, Operation>>
}

/** For each permission all levels that requests need: one request may say it of itself, else its type says it. */
const collect = (all: readonly Permissions[]): Readonly<Record<string, readonly string[]>> => {
  const found = new Map<string, Set<string>>()
  for (const [name, level] of all.flatMap((each) => Object.entries(each)))
    found.set(name, (found.get(name) ?? new Set()).add(level))
  return mapMembers(Object.fromEntries(found), (levels) => [...levels])
}

/** What the credentials must be allowed to do for a type; `undefined`: the document does not say it. */
export const permissionsOf = ({ permissions: stated, operations }: Stated): PermissionUse | undefined => {
  const each = Object.values(operations)
  if (stated === undefined && each.every((operation) => operation.permissions === undefined)) return undefined
  const needed = (isFor: boolean): readonly Permissions[] =>
    each
      .filter((operation) => isRead(operation) === isFor)
      .map((operation) => operation.permissions ?? stated?.[isFor ? 'read' : 'write'] ?? {})
  return { check: collect(needed(true)), apply: collect(needed(false)) }
}
