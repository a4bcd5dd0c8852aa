import * as z from 'zod'
import * as part from './parts.ts'
import { count, flag, maybeText, text, texts } from './parts.ts'
import { branchProtectionRule, organisationRuleset, repositoryRuleset } from './rulesets.ts'

/* What an organisation file of Otterdog evaluates to. */

const listOf = <Shape extends z.ZodType>(shape: Shape) => z.array(shape).exactOptional()

const settings = z.strictObject({
  name: maybeText,
  plan: text,
  billing_email: text,
  company: maybeText,
  email: maybeText,
  twitter_username: maybeText,
  location: maybeText,
  description: maybeText,
  blog: maybeText,
  has_discussions: flag,
  discussion_source_repository: maybeText,
  has_organization_projects: flag,
  default_repository_permission: text,
  members_can_create_private_repositories: flag,
  members_can_create_public_repositories: flag,
  members_can_fork_private_repositories: flag,
  deploy_keys_enabled_for_repositories: flag,
  web_commit_signoff_required: flag,
  members_can_create_public_pages: flag,
  members_can_create_private_pages: flag,
  default_code_security_configurations_disabled: flag,
  immutable_releases_enforced_repositories: text,
  immutable_releases_selected_repositories: texts,
  members_can_change_repo_visibility: flag,
  members_can_delete_repositories: flag,
  members_can_delete_issues: flag,
  readers_can_create_discussions: z.boolean().nullable().exactOptional(),
  members_can_create_teams: flag,
  two_factor_requirement: flag,
  default_branch_name: text,
  packages_containers_public: flag,
  packages_containers_internal: flag,
  members_can_change_project_visibility: flag,
  security_managers: texts,
  custom_properties: listOf(part.customProperty),
  workflows: part.organisationWorkflows.exactOptional(),
})

const environment = z.strictObject({
  name: z.string(),
  wait_timer: count,
  reviewers: texts,
  prevent_self_review: flag,
  deployment_branch_policy: text,
  branch_policies: texts,
  secrets: listOf(part.secret),
  variables: listOf(part.variable),
})

const repository = z.strictObject({
  name: z.string(),
  aliases: texts,
  description: maybeText,
  homepage: maybeText,
  private: z.boolean(),
  has_discussions: flag,
  has_issues: flag,
  has_projects: flag,
  has_wiki: flag,
  is_template: flag,
  template_repository: maybeText,
  post_process_template_content: texts,
  forked_repository: maybeText,
  fork_default_branch_only: flag,
  auto_init: flag,
  topics: texts,
  default_branch: text,
  allow_rebase_merge: flag,
  allow_squash_merge: flag,
  allow_merge_commit: flag,
  allow_auto_merge: flag,
  delete_branch_on_merge: flag,
  allow_update_branch: flag,
  squash_merge_commit_title: text,
  squash_merge_commit_message: text,
  merge_commit_title: text,
  merge_commit_message: text,
  archived: flag,
  allow_forking: flag,
  web_commit_signoff_required: flag,
  immutable_releases_enabled: flag,
  secret_scanning: text,
  secret_scanning_push_protection: text,
  dependabot_alerts_enabled: flag,
  dependabot_security_updates_enabled: flag,
  private_vulnerability_reporting_enabled: flag,
  code_scanning_default_setup_enabled: flag,
  code_scanning_default_query_suite: text,
  code_scanning_default_languages: texts,
  gh_pages_build_type: text,
  gh_pages_source_branch: maybeText,
  gh_pages_source_path: maybeText,
  gh_pages_visibility: text,
  gh_pages_cname: maybeText,
  gh_pages_https_enforced: flag,
  custom_properties: z.record(z.string(), z.union([z.string(), z.array(z.string())])).exactOptional(),
  team_permissions: z.record(z.string(), z.string()).exactOptional(),
  workflows: part.repositoryWorkflows.exactOptional(),
  webhooks: listOf(part.webhook),
  secrets: listOf(part.secret),
  variables: listOf(part.variable),
  environments: listOf(environment),
  branch_protection_rules: listOf(branchProtectionRule),
  rulesets: listOf(repositoryRuleset),
})

export const organisationShape = z.strictObject({
  project_name: z.string(),
  github_id: z.string(),
  settings,
  roles: listOf(part.role),
  teams: listOf(part.team),
  webhooks: listOf(part.webhook),
  secrets: listOf(part.sharedValue),
  variables: listOf(part.sharedValue),
  rulesets: listOf(organisationRuleset),
  repositories: listOf(repository),
})

export type Organisation = z.output<typeof organisationShape>
export type Settings = Organisation['settings']
export type Repository = z.output<typeof repository>
export type Environment = z.output<typeof environment>
export type Team = z.output<typeof part.team>
export type Role = z.output<typeof part.role>
export type Webhook = z.output<typeof part.webhook>
export type Secret = z.output<typeof part.secret> & Partial<z.output<typeof part.sharedValue>>
export type Variable = Secret
export type CustomProperty = z.output<typeof part.customProperty>
export type Workflows = Partial<z.output<typeof part.organisationWorkflows> & z.output<typeof part.repositoryWorkflows>>
export type Ruleset = z.output<typeof repositoryRuleset> & Partial<z.output<typeof organisationRuleset>>
export type BranchProtectionRule = z.output<typeof branchProtectionRule>
