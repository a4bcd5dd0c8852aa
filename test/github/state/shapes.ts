import type { Clock } from '../server/clock.ts'
import type { ActionsSettings, Hook, Repository, Ruleset, Settings, Variable, Vault, VaultKind } from './parts.ts'

/* Everything that the stand-in holds: plain data in maps, all of it in memory. */

export interface Account {
  readonly id: number
  readonly login: string
  readonly type: 'User' | 'Organization' | 'Bot'
  name: string | null
}

export interface CustomProperty {
  readonly name: string
  settings: Settings
}

export interface OrganizationRole {
  readonly id: number
  readonly source: 'Predefined' | 'Organization'
  settings: Settings
  readonly teams: Set<number>
  readonly users: Set<string>
  readonly created_at: string
  updated_at: string
}

export interface IssueType {
  readonly id: number
  settings: Settings
  readonly created_at: string
  updated_at: string
}

export interface SecurityConfiguration {
  readonly id: number
  settings: Settings
  /** For which new repositories it is the default: `none`, `public`, `private_and_internal`, `all`. */
  defaultFor: string
  readonly repositories: Set<number>
  readonly created_at: string
  updated_at: string
}

export interface OrganizationInvitation {
  readonly id: number
  readonly login: string | null
  readonly email: string | null
  readonly role: string
  readonly inviter: string
  readonly teams: readonly number[]
  readonly created_at: string
}

export type TeamRole = 'member' | 'maintainer'

export interface Team {
  readonly id: number
  name: string
  slug: string
  description: string | null
  privacy: string
  notification_setting: string
  permission: string
  parent: number | undefined
  /** By login in small letters. */
  readonly members: Map<string, TeamRole>
  /** Permission (or custom role) by the id of the repository. */
  readonly repositories: Map<number, string>
  readonly created_at: string
  updated_at: string
}

export interface Organization {
  readonly id: number
  readonly login: string
  readonly settings: Settings
  readonly members: Map<string, 'admin' | 'member'>
  readonly invited: Map<string, 'admin' | 'member'>
  /** By id. */
  readonly teams: Map<number, Team>
  readonly hooks: Map<number, Hook>
  readonly rulesets: Map<number, Ruleset>
  readonly invitations: Map<number, OrganizationInvitation>
  /** By name in small letters. */
  readonly properties: Map<string, CustomProperty>
  readonly roles: Map<number, OrganizationRole>
  readonly issueTypes: Map<number, IssueType>
  readonly security: Map<number, SecurityConfiguration>
  readonly actions: ActionsSettings
  readonly immutableReleases: { enforced: string; repositories: Set<number> }
  readonly vaults: Readonly<Record<VaultKind, Vault>>
  readonly variables: Map<string, Variable>
  /** Names of custom roles for repositories. */
  readonly repositoryRoles: Set<string>
  readonly created_at: string
  updated_at: string
}

export interface App {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly owner: string
  /** In PEM. */
  readonly publicKey: string
  readonly permissions: Readonly<Record<string, string>>
  readonly created_at: string
}

export interface Installation {
  readonly id: number
  readonly app: number
  /** Login of the organisation. */
  readonly account: string
  permissions: Readonly<Record<string, string>>
  /** Absent: all repositories. */
  readonly repositories?: ReadonlySet<number>
  suspended_at: string | null
  readonly created_at: string
}

export interface AuditEntry {
  readonly action: string
  readonly at: number
  readonly organization: string
  readonly facts: Settings
}

export interface World {
  /** Where the stand-in answers, without a slash at the end. */
  url: string
  readonly clock: Clock
  /** By login in small letters: GitHub does not distinguish them. */
  readonly accounts: Map<string, Account>
  readonly organizations: Map<string, Organization>
  readonly repositories: Map<number, Repository>
  /** `owner/name` in small letters. */
  readonly repositoryIds: Map<string, number>
  /** The former names of repositories, and what they are now. */
  readonly movedRepositories: Map<string, number>
  readonly apps: Map<number, App>
  readonly installations: Map<number, Installation>
  /** The oldest first. */
  readonly audit: AuditEntry[]
  readonly newId: () => number
  readonly now: () => string
}
