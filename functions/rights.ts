/**
 * `apply`: to approve commands that can be undone. `irreversible` adds those that cannot, or of which that is not known.
 * `configure`: to change configurations and records, which decide what commands there are, and how they are graded.
 */
export const scopes = ['read', 'check', 'apply', 'irreversible', 'configure'] as const
export type RightScope = (typeof scopes)[number]

export interface Right {
  readonly scope: RightScope
  /** A name; a `*` at its end matches every name with this beginning. */
  readonly workspaces: string
}

const spelling =
  /^(read|check|apply|irreversible|configure)(?::([a-z0-9][a-z0-9-]{0,62}|(?:[a-z0-9][a-z0-9-]{0,62})?\*))?$/

/**
 * `apply` is for every workspace, `apply:acme-dns` for one, `apply:acme-*` for all with this beginning. Any other text
 * is invalid, because a misspelt right must not grant more than intended.
 */
export const readRight = (text: string): Right | undefined => {
  const [, scope, workspaces = '*'] = spelling.exec(text) ?? []
  return scope === undefined ? undefined : { scope: scope as RightScope, workspaces }
}

/** Reads rights that are separated by spaces; `undefined` if one of the words is not a right. */
export const readRights = (text: string): readonly Right[] | undefined => {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const rights = words.flatMap((word) => readRight(word) ?? [])
  return rights.length === words.length ? rights : undefined
}

/** A claim, a group and another claim may give the same right. */
export const distinctRights = (rights: readonly Right[]): readonly Right[] => [
  ...new Map(rights.map((right) => [`${right.scope}:${right.workspaces}`, right])).values(),
]

/** Takes a name, or a pattern, which is covered if all its names are. */
const covers = (pattern: string, workspace: string): boolean =>
  pattern.endsWith('*') ? workspace.startsWith(pattern.slice(0, -1)) : workspace === pattern

/** Tells whether one of the rights covers this workspace; without a workspace, whether one covers any workspace. */
export const isAllowed = (rights: readonly Right[], scope: RightScope, workspace?: string): boolean =>
  rights.some((right) => right.scope === scope && (workspace === undefined || covers(right.workspaces, workspace)))

/** The workspaces of both patterns: one is a part of the other, or they have none in common. */
const common = (one: string, other: string): string | undefined => {
  if (one === other || covers(other, one)) return one
  return covers(one, other) ? other : undefined
}

/** Rights that both lists give. */
export const commonRights = (some: readonly Right[], others: readonly Right[]): readonly Right[] =>
  some.flatMap(({ scope, workspaces }) =>
    others
      .filter((other) => other.scope === scope)
      .map((other) => common(workspaces, other.workspaces))
      .filter((each) => each !== undefined)
      .map((each) => ({ scope, workspaces: each })),
  )
