export interface ProviderPermissions {
  /** Alias of the provider. */
  readonly provider: string
  readonly permissions: readonly NeededPermission[]
  /** Types in use whose needs are not known. */
  readonly unknown: readonly string[]
}

export interface NeededPermission {
  /** As the API calls it. */
  readonly permission: string
  /** The level for a check; absent: no check needs it. */
  readonly check?: string
  /** The level for an apply, which also reads. */
  readonly apply?: string
  readonly types: readonly string[]
}

export interface PermissionReport {
  readonly workspace: string
  readonly providers: readonly ProviderPermissions[]
}
