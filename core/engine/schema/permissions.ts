/** Names of permissions as the API calls them, with a level. */
export type Permissions = Readonly<Record<string, string>>

/** What the credentials must be allowed to do: for each permission the levels that requests need. */
export interface PermissionUse {
  readonly check: Readonly<Record<string, readonly string[]>>
  readonly apply: Readonly<Record<string, readonly string[]>>
}

/** Settings that no request reads or writes, with their meaning: a declared one is told, and not compared. */
export type WithoutApi = Readonly<Record<string, string>>
