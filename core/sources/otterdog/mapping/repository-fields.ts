import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import { defined } from '../../../engine/values/defined.ts'
import type { Repository } from '../shape/organisation.ts'
import { addressOf, nameOf } from '../values/address-name.ts'
import { type FieldMap, literal, same } from './fields.ts'
import type { Scope } from './mapping.ts'

/** `owner/name`; of something else GitHub says what is wrong with it. */
const fullName = (written: Json): JsonObject => {
  const [owner = '', ...rest] = String(written).split('/')
  return { owner: literal(owner), repository: literal(rest.join('/')) }
}

const fields: readonly FieldMap[] = [
  ...same(
    'name',
    'description',
    'homepage',
    'has_discussions',
    'has_issues',
    'has_projects',
    'has_wiki',
    'is_template',
    'auto_init',
    'topics',
    'default_branch',
    'allow_rebase_merge',
    'allow_squash_merge',
    'allow_merge_commit',
    'allow_auto_merge',
    'delete_branch_on_merge',
    'allow_update_branch',
    'squash_merge_commit_title',
    'squash_merge_commit_message',
    'merge_commit_title',
    'merge_commit_message',
    'archived',
    'allow_forking',
    'web_commit_signoff_required',
    'secret_scanning',
    'secret_scanning_push_protection',
  ),
  { from: 'dependabot_alerts_enabled', to: 'dependabot_alerts' },
  {
    from: 'dependabot_security_updates_enabled',
    to: 'dependabot_security_updates',
    as: (on) => (on === true ? 'enabled' : 'disabled'),
  },
  { from: 'private', to: 'visibility', as: (isPrivate) => (isPrivate === true ? 'private' : 'public') },
  { from: 'private_vulnerability_reporting_enabled', to: 'private_vulnerability_reporting' },
  { from: 'immutable_releases_enabled', to: 'immutable_releases' },
  { from: 'template_repository', to: 'template', as: fullName },
]

/** What a new repository is a fork of. */
const forkField = ({ fork_default_branch_only: one }: Repository): FieldMap => ({
  from: 'forked_repository',
  to: 'fork_of',
  as: (written) => ({ ...fullName(written), ...defined({ default_branch_only: one }) }),
})

/** A property of the organisation that the file gives no value has none: what leaves the file leaves the repository. */
const propertiesField = ({ organisation }: Scope): FieldMap => ({
  from: 'custom_properties',
  as: (own) => {
    const declared = (organisation.settings.custom_properties ?? []).map(({ name }) => [name, null] as const)
    return literal({ ...Object.fromEntries(declared), ...(own as JsonObject) })
  },
})

/** Definitions come before values. */
export const propertyAddresses = ({ custom_properties: own = {} }: Repository): readonly string[] =>
  Object.keys(own).map((name) => addressOf('github_custom_property', nameOf(name)))

/** GitHub makes a repository of nothing, of a template or of a fork: null is the first. */
export const withoutOrigins = ({
  template_repository: template,
  forked_repository: fork,
  ...rest
}: Repository): Repository => ({
  ...rest,
  ...(template !== null && defined({ template_repository: template })),
  ...(fork !== null && defined({ forked_repository: fork })),
})

/** The attributes of a repository itself. */
export const repositoryFields = (repository: Repository, scope: Scope): readonly FieldMap[] => [
  ...fields,
  forkField(repository),
  propertiesField(scope),
]
