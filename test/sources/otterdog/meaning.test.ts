import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../core/engine/schema/json.ts'
import { document } from '../../../core/providers/github/document.ts'
import { organisationShape } from '../../../core/sources/otterdog/shape/organisation.ts'
import { long } from '../../builders/long.ts'
import { built, organisationOf, repositoryOf } from '../../builders/otterdog/organisation.ts'
import { readFile } from '../../builders/otterdog/read.ts'

/* No field of the format is ignored in silence, and none becomes something that GitHub's document does not have. */

const value = { name: 'A', value: 'env:A' }
const rules = {
  bypass_actors: ['#Write', '@acme/core'],
  exclude_refs: ['refs/heads/x'],
  include_refs: ['~ALL'],
  requires_deployments: true,
  required_deployment_environments: ['live'],
  required_pull_request: built('newPullRequest'),
  required_status_checks: { ...built('newStatusChecks'), status_checks: ['a'] },
  required_merge_queue: built('newMergeQueue'),
}

/** Every field, in an organisation that breaks no rule. */
const wholeWith = (workflows: JsonObject): JsonObject =>
  organisationOf(
    {
      roles: [built('newOrgRole', { name: 'auditor', base_role: 'read' })],
      teams: [built('newTeam', { name: 'core', members: ['ada'], skip_members: false })],
      webhooks: [built('newOrgWebhook', { url: 'https://a.example', secret: 'env:A', aliases: ['https://b.example'] })],
      secrets: [built('newOrgSecret', { ...value, visibility: 'selected', selected_repositories: ['website'] })],
      variables: [built('newOrgVariable', { ...value, visibility: 'selected', selected_repositories: ['website'] })],
      rulesets: [
        built('newOrgRuleset', {
          ...rules,
          name: 'all',
          include_repo_names: ['website'],
          exclude_repo_names: ['website'],
        }),
      ],
      repositories: [
        repositoryOf({
          aliases: ['old'],
          template_repository: 'acme/template',
          post_process_template_content: ['README.md'],
          topics: ['a'],
          code_scanning_default_setup_enabled: true,
          code_scanning_default_languages: ['go'],
          gh_pages_build_type: 'legacy',
          gh_pages_source_branch: 'main',
          gh_pages_source_path: '/docs',
          gh_pages_cname: 'www.acme.example',
          custom_properties: { tier: 'a' },
          team_permissions: { core: 'push' },
          workflows: {
            ...(built('newRepo')['workflows'] as JsonObject),
            allowed_actions: 'selected',
            allow_action_patterns: ['acme/*'],
          },
          webhooks: [
            built('newRepoWebhook', { url: 'https://c.example', secret: 'env:A', aliases: ['https://d.example'] }),
          ],
          secrets: [value],
          variables: [value],
          environments: [
            built('newEnvironment', {
              name: 'live',
              reviewers: ['@ada'],
              prevent_self_review: true,
              deployment_branch_policy: 'selected',
              branch_policies: ['main'],
              secrets: [value],
              variables: [value],
            }),
          ],
          branch_protection_rules: [
            built('newBranchProtectionRule', {
              pattern: 'main',
              lock_branch: true,
              restricts_review_dismissals: true,
              review_dismissal_allowances: ['@ada'],
              bypass_pull_request_allowances: ['@ada'],
              bypass_force_push_allowances: ['@ada'],
              restricts_pushes: true,
              push_restrictions: ['@ada'],
              requires_deployments: true,
              required_deployment_environments: ['live'],
            }),
          ],
          rulesets: [built('newRepoRuleset', { ...rules, name: 'main' })],
        }),
        repositoryOf({ name: 'fork', forked_repository: 'other/fork', fork_default_branch_only: false }),
      ],
    },
    {
      plan: 'enterprise',
      billing_email: 'bills@acme.example',
      web_commit_signoff_required: false,
      immutable_releases_enforced_repositories: 'selected',
      immutable_releases_selected_repositories: ['docs'],
      has_discussions: true,
      discussion_source_repository: 'acme/talk',
      security_managers: ['core'],
      custom_properties: [
        built('newCustomProperty', {
          name: 'tier',
          value_type: 'single_select',
          required: true,
          default_value: 'a',
          allowed_values: ['a'],
        }),
      ],
      workflows: {
        enabled_repositories: 'selected',
        selected_repositories: ['website', 'fork'],
        allowed_actions: 'selected',
        allow_github_owned_actions: true,
        allow_verified_creator_actions: true,
        allow_action_patterns: ['acme/*'],
        default_workflow_permissions: 'read',
        actions_can_approve_pull_request_reviews: true,
        fork_pr_approval_policy: 'first_time_contributors',
        max_cache_size_gb: 20,
        ...workflows,
      },
    },
  )

/** What the organisation decides is not managed in its repositories, so there is one that decides less. */
const whole = wholeWith({})
const free = wholeWith({ allowed_actions: 'all', allow_action_patterns: [], default_workflow_permissions: 'write' })

/** The names of fields with those of what contains them: `repositories/webhooks/url`. */
const fieldsOf = (shape: z.core.$ZodType, path = ''): readonly string[] => {
  if (shape instanceof z.ZodObject)
    return Object.entries(shape.shape as Record<string, z.core.$ZodType>).flatMap(([name, each]) => {
      const inner = fieldsOf(each, `${path}/${name}`)
      return inner.length > 0 ? inner : [`${path}/${name}`]
    })
  if (shape instanceof z.ZodArray) return fieldsOf(shape.element, path)
  if (shape instanceof z.ZodNullable || shape instanceof z.ZodExactOptional)
    return fieldsOf(shape.unwrap() as z.core.$ZodType, path)
  return []
}
const fields = fieldsOf(organisationShape)

const placesOf = (part: Json, field: readonly string[], path: Path = []): readonly Path[] => {
  if (isArray(part)) return part.flatMap((each, index) => placesOf(each, field, [...path, index]))
  const [name, ...rest] = field
  if (name === undefined) return [path]
  const inner = isObject(part) ? part[name] : undefined
  return inner === undefined || isObject(part) === false
    ? []
    : rest.length === 0
      ? [[...path, name]]
      : placesOf(inner, rest, [...path, name])
}

const without = (part: Json, path: Path): Json => {
  const copy = structuredClone(part) as JsonObject
  const last = path.at(-1) as string
  const owner = path.slice(0, -1).reduce<Json>((each, step) => (each as JsonObject)[step as string] ?? null, copy)
  delete (owner as Record<string, Json>)[last]
  return copy
}

/** Fields that say how Otterdog works, and nothing of what is on GitHub. */
const ofTheTool = ['/teams/skip_members', '/teams/skip_non_organization_members']

const meaning = (file: Json) => {
  const { module, problems } = readFile(file)
  return JSON.stringify([
    module?.resources.map(({ path, origins, ...rest }) => rest),
    module?.moved,
    module?.imports,
    module?.notes,
    problems,
  ])
}

describe('a file with every field', () => {
  it('is valid, and contains each field of the format', () => {
    expect(readFile(whole).problems).toEqual([])
    expect(fields.length).toBeGreaterThan(150)
    expect(fields.filter((field) => placesOf(whole, field.slice(1).split('/')).length === 0)).toEqual([])
  })

  it('has another meaning, or another message, without any one of them', long, () => {
    const isSilent = (file: JsonObject) => {
      const all = meaning(file)
      return (field: string) =>
        placesOf(file, field.slice(1).split('/')).every((path) => meaning(without(file, path)) === all)
    }
    const silent = fields.filter(isSilent(whole)).filter(isSilent(free))
    expect(silent).toEqual(ofTheTool)
  })

  it('becomes types and attributes of the shipped document', () => {
    const { resources: types } = document() as unknown as {
      resources: Record<
        string,
        { withoutApi?: JsonObject; parts: { attributes?: JsonObject; collection?: { field: string } }[] }
      >
    }
    const lacking = (readFile(whole).module?.resources ?? []).flatMap(({ type, spec }) => {
      const { parts = [], withoutApi = {} } = types[type] ?? {}
      const known = new Set([
        ...Object.keys(withoutApi),
        ...parts.flatMap(({ attributes = {}, collection: each }) => [...Object.keys(attributes), each?.field]),
      ])
      return Object.keys(spec)
        .filter((name) => !known.has(name))
        .map((name) => `${type}.${name}`)
    })
    expect(lacking).toEqual([])
  })
})
