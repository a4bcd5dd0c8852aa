import * as z from 'zod'

/*
 * The parts of an organisation file of Otterdog. A field that is not written is not managed, null is a value of its own. Which
 * words a text may be is not said here: the rules do, and each has an id.
 */

export const text = z.string().exactOptional()
export const maybeText = z.string().nullable().exactOptional()
export const flag = z.boolean().exactOptional()
export const count = z.int().exactOptional()
export const texts = z.array(z.string()).exactOptional()

export const webhook = z.strictObject({
  url: z.string(),
  active: z.boolean(),
  events: texts,
  content_type: text,
  insecure_ssl: text,
  secret: maybeText,
  aliases: texts,
})

/** Of a repository or an environment. */
export const secret = z.strictObject({ name: z.string(), value: z.string() })

/** A secret or a variable of the organisation. */
export const sharedValue = z.strictObject({
  name: z.string(),
  value: z.string(),
  visibility: z.string(),
  selected_repositories: texts,
})

export const variable = z.strictObject({ name: z.string(), value: z.string() })

const workflowFields = {
  allowed_actions: text,
  allow_github_owned_actions: flag,
  allow_verified_creator_actions: flag,
  allow_action_patterns: texts,
  default_workflow_permissions: text,
  actions_can_approve_pull_request_reviews: flag,
  fork_pr_approval_policy: text,
  max_cache_size_gb: z.int().nullable().exactOptional(),
}

export const organisationWorkflows = z.strictObject({
  enabled_repositories: z.string(),
  selected_repositories: texts,
  ...workflowFields,
})

export const repositoryWorkflows = z.strictObject({ enabled: z.boolean(), ...workflowFields })

export const customProperty = z.strictObject({
  name: z.string(),
  value_type: text,
  required: flag,
  default_value: z
    .union([z.string(), z.array(z.string())])
    .nullable()
    .exactOptional(),
  description: maybeText,
  allowed_values: z.array(z.string()).nullable().exactOptional(),
  values_editable_by: maybeText,
})

export const role = z.strictObject({
  name: z.string(),
  description: text,
  permissions: z.array(z.string()),
  base_role: z.string(),
})

export const team = z.strictObject({
  name: z.string(),
  description: maybeText,
  privacy: z.string(),
  notifications: flag,
  members: texts,
  skip_members: flag,
  skip_non_organization_members: flag,
})
