import type { Permissions, PermissionUse } from '../../../engine/schema/permissions.ts'
import { present } from '../../../engine/values/defined.ts'
import { mapMembers } from '../../../engine/values/members.ts'
import type { RestSettings } from './api/provider.ts'
import { allEntries } from './attributes.ts'
import { lookupOp, type RestResource } from './document.ts'
import { isRead } from './operation/operation.ts'
import { refsIn } from './references.ts'
import type { RefEntry, ResolverEntry } from './refs.ts'

/** The levels that most APIs have; the narrowest first. */
export const usualLevels: readonly string[] = ['read', 'write', 'admin']

interface TypeAround {
  readonly resource: RestResource
  readonly types?: Readonly<Record<string, RestResource>>
  readonly resolvers?: Readonly<Record<string, ResolverEntry>>
  readonly settings?: Pick<RestSettings, 'sight' | 'me'>
}

/** For each permission all levels that requests need: one request may say it of itself, else its type says it. */
const collect = (all: readonly Permissions[]): Readonly<Record<string, readonly string[]>> => {
  const found = new Map<string, Set<string>>()
  for (const [name, level] of all.flatMap((each) => Object.entries(each)))
    found.set(name, (found.get(name) ?? new Set()).add(level))
  return mapMembers(Object.fromEntries(found), (levels) => [...levels])
}

/** What the reads need that a reference makes. */
const neededFor = ({ type = '', resolver = '' }: RefEntry, { types = {}, resolvers = {} }: TypeAround): Needs => {
  const other = Object.hasOwn(types, type) ? types[type] : undefined
  const named = Object.hasOwn(resolvers, resolver) ? resolvers[resolver] : undefined
  const reads = other ? present(other.operations[lookupOp(other)], other.operations['retrieve']) : []
  return [...reads, ...present(named?.list, named?.retrieve)].map(
    (operation) => operation.permissions ?? other?.permissions?.read ?? {},
  )
}

type Needs = readonly Permissions[]

/**
 * What the credentials must be allowed to do for a type, with the reads of what it refers to and of the caller's rights;
 * `undefined`: the document does not say it.
 */
export const permissionsOf = (around: TypeAround): PermissionUse | undefined => {
  const { permissions: stated, operations } = around.resource
  const each = Object.values(operations)
  if (stated === undefined && each.every((operation) => operation.permissions === undefined)) return undefined
  const needed = (isFor: boolean): Needs =>
    each
      .filter((operation) => isRead(operation) === isFor)
      .map((operation) => operation.permissions ?? stated?.[isFor ? 'read' : 'write'] ?? {})
  const refs = Object.values(allEntries(around.resource)).flatMap(refsIn)
  const caller = present(around.settings?.sight?.read.permissions, around.settings?.me?.read.permissions)
  const reads = [...needed(true), ...caller, ...refs.flatMap((ref) => neededFor(ref, around))]
  return { check: collect(reads), apply: collect(needed(false)) }
}
