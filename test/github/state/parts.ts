import type { Json } from '../../../core/engine/schema/json.ts'

/* Repositories, and what an organisation and a repository have alike. */

/** Settings that are kept as they were sent. */
export type Settings = Record<string, Json>

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

export interface Label {
  readonly id: number
  name: string
  color: string
  description: string | null
  /** One of those that GitHub gives to a new repository. */
  readonly isDefault: boolean
}

export interface Autolink {
  readonly id: number
  readonly key_prefix: string
  readonly url_template: string
  readonly is_alphanumeric: boolean
  readonly updated_at: string
}

export interface DeployKey {
  readonly id: number
  readonly title: string
  readonly key: string
  readonly read_only: boolean
  readonly added_by: string
  readonly created_at: string
}

export interface Invitation {
  readonly id: number
  readonly invitee: string
  readonly inviter: string
  permission: string
  readonly created_at: string
}

export interface BranchPolicy {
  readonly id: number
  name: string
  readonly type: string
}

export interface Environment {
  readonly id: number
  readonly name: string
  protection: EnvironmentProtection
  readonly policies: Map<number, BranchPolicy>
  readonly secrets: Vault
  readonly variables: Map<string, Variable>
  readonly created_at: string
  updated_at: string
}

export interface EnvironmentProtection {
  readonly wait_timer: number
  readonly prevent_self_review: boolean
  readonly can_admins_bypass: boolean
  readonly reviewers: readonly { readonly type: 'User' | 'Team'; readonly id: number }[]
  readonly deployment_branch_policy: {
    readonly protected_branches: boolean
    readonly custom_branch_policies: boolean
  } | null
}

/** Secrets of one kind at one place, with the key that they are sealed for. */
export interface Vault {
  readonly keyId: string
  readonly publicKey: Uint8Array
  readonly privateKey: Uint8Array
  readonly secrets: Map<string, Secret>
}

interface Shared {
  readonly name: string
  /** Of an organisation's secret or variable. */
  visibility: string
  readonly repositories: Set<number>
  readonly created_at: string
  updated_at: string
}

export interface Secret extends Shared {
  value: string
}

export interface Variable extends Omit<Shared, 'name'> {
  name: string
  value: string
}

export type VaultKind = 'actions' | 'dependabot' | 'codespaces'

/** Settings of GitHub Actions, of an organisation or of a repository. */
export interface ActionsSettings {
  permissions: Settings
  readonly selected: Settings
  readonly workflow: Settings
  approval: string
  /** The largest size of the caches of one repository, in GB. */
  cacheGb: number
  readonly privateForks: Settings
  access: string
  /** Of an organisation: where Actions are on, when they are on for selected repositories. */
  repositories: Set<number>
}

export interface Repository {
  readonly id: number
  owner: string
  name: string
  /** Members of GET /repos/{owner}/{repo} that somebody can set. */
  readonly settings: Settings
  topics: readonly string[]
  readonly branches: Map<string, Branch>
  readonly protections: Map<number, Protection>
  readonly hooks: Map<number, Hook>
  readonly rulesets: Map<number, Ruleset>
  /** Permission by login in small letters. */
  readonly collaborators: Map<string, string>
  readonly invitations: Map<number, Invitation>
  /** What is on: Dependabot alerts, its fixes, private reports of vulnerabilities, immutable releases. */
  readonly enabled: Set<'alerts' | 'fixes' | 'reporting' | 'immutable'>
  /** Values of custom properties. */
  readonly properties: Map<string, Json>
  pages: Settings | undefined
  codeScanning: Settings
  readonly actions: ActionsSettings
  /** By name in small letters. */
  readonly labels: Map<string, Label>
  readonly autolinks: Map<number, Autolink>
  readonly keys: Map<number, DeployKey>
  readonly environments: Map<string, Environment>
  readonly vaults: Readonly<Record<VaultKind, Vault>>
  readonly variables: Map<string, Variable>
  /** Full names: of the template, and of the upstream of a fork. */
  readonly template: number | undefined
  readonly upstream: number | undefined
  readonly created_at: string
  updated_at: string
}

/** What a rule for branches says, by the names of GraphQL; the REST operations read and write the same. */
export interface Protection {
  readonly id: number
  pattern: string
  readonly settings: Settings
  /** `app_id` null: any source may report. */
  checks: readonly { readonly context: string; readonly app_id: number | null }[]
  readonly actors: Record<ProtectionActors, readonly string[]>
}

/** Lists of actors, by their node ids. */
export type ProtectionActors = 'push' | 'reviewDismissal' | 'bypassPullRequest' | 'bypassForcePush'
