import type { Json } from '../../../core/schema/json.ts'
import type { Clock } from '../server/clock.ts'

/* Everything that the stand-in holds: plain data in maps, all of it in memory. */

/** Settings that are kept as they were sent. */
type Settings = Record<string, Json>

export interface Account {
  readonly id: number
  readonly login: string
  readonly type: 'User' | 'Organization' | 'Bot'
  name: string | null
}

export interface Hook {
  readonly id: number
  active: boolean
  events: readonly string[]
  config: Settings
  readonly created_at: string
  updated_at: string
}

export interface Ruleset {
  readonly id: number
  settings: Settings
  readonly created_at: string
  updated_at: string
}

export interface Branch {
  name: string
  readonly sha: string
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
  /** Names of custom roles for repositories. */
  readonly repositoryRoles: Set<string>
  readonly created_at: string
  updated_at: string
}

export interface Repository {
  readonly id: number
  owner: string
  name: string
  /** Members of GET /repos/{owner}/{repo} that somebody can set. */
  readonly settings: Settings
  topics: readonly string[]
  readonly branches: Map<string, Branch>
  readonly hooks: Map<number, Hook>
  readonly rulesets: Map<number, Ruleset>
  /** Permission by login in small letters. */
  readonly collaborators: Map<string, string>
  /** Full names: of the template, and of the upstream of a fork. */
  readonly template: number | undefined
  readonly upstream: number | undefined
  readonly created_at: string
  updated_at: string
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
  readonly newId: () => number
  readonly now: () => string
}
