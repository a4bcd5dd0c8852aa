/** Name of a permission, as the API calls it -> level. */
export type Permissions = Readonly<Record<string, string>>

/** For each permission, the levels that requests need. */
export interface PermissionUse {
  readonly check: Readonly<Record<string, readonly string[]>>
  readonly apply: Readonly<Record<string, readonly string[]>>
}

/** Settings that no request reads or writes -> their meaning. A declared one is reported in a note and not compared. */
export type WithoutApi = Readonly<Record<string, string>>
