import type { Provider, ProviderRegistry } from '../../../core/engine/provider/provider.ts'

/** `source: github` as a provider that has every type an organisation file can mean, and knows nothing of them. */
const types = [
  'github_branch_protection_rule',
  'github_code_scanning',
  'github_custom_property',
  'github_environment',
  'github_environment_secret',
  'github_environment_variable',
  'github_organization',
  'github_organization_actions',
  'github_organization_privileges',
  'github_organization_role',
  'github_organization_role_teams',
  'github_organization_ruleset',
  'github_organization_secret',
  'github_organization_variable',
  'github_organization_webhook',
  'github_pages',
  'github_repository',
  'github_repository_actions',
  'github_repository_secret',
  'github_repository_variable',
  'github_repository_webhook',
  'github_ruleset',
  'github_team',
  'github_team_repository',
]

const provider = { types: Object.fromEntries(types.map((name) => [name, { name }])) } as unknown as Provider

export const everyType: ProviderRegistry = { github: { configure: () => ({ ok: true, provider }) } }
