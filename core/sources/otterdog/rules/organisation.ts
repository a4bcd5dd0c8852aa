import type { CustomProperty, Organisation } from '../shape/organisation.ts'
import { teamSlug } from '../values/team-slug.ts'
import { type Around, about, isFilled, isPlanWithout, isRepositoryName, when } from './rule.ts'
import { say } from './words.ts'

const organisation = about('organisation')
const settings = about('settings')
const property = about('customProperty')
const role = about('role')
const team = about('team')

const permissions = ['none', 'read', 'write', 'admin']
const baseRoles = ['none', 'read', 'triage', 'write', 'maintain', 'admin']
const valueTypes = ['string', 'single_select', 'multi_select', 'true_false', 'url']
const withRulesets = ['team', 'business', 'business_plus', 'enterprise']
const wheres = ['all', 'none', 'selected']
const privacies = ['visible', 'secret']

/** As GitHub counts. */
export const lengthOf = (text: string | null | undefined): number => [...(text ?? '')].length

const planOf = ({ settings }: Organisation): string => settings.plan ?? ''

const isSelect = ({ value_type }: CustomProperty): boolean =>
  value_type === 'single_select' || value_type === 'multi_select'

const defaultsOf = ({ default_value }: CustomProperty): readonly string[] =>
  typeof default_value === 'string' ? [default_value] : (default_value ?? [])

/** A default of a property to select from that is not among its values. */
const otherDefault = (property: CustomProperty): string | undefined => {
  const allowed = property.allowed_values ?? []
  if (!isSelect(property) || allowed.length === 0) return undefined
  return defaultsOf(property).find((value) => !allowed.includes(value))
}

/** Members of a team who do not belong to the organisation. */
const strangers = (members: readonly string[], { observed }: Around) => {
  if (observed.members === undefined)
    return [{ at: ['members'], level: 'info', diagnostic: say('TEAM-4 unread') } as const]
  const known = new Set(observed.members.map((login) => login.toLowerCase()))
  return members.flatMap((login, index) =>
    when(!known.has(login.toLowerCase()), ['members', index], say('TEAM-4', login)),
  )
}

/** The rules about the organisation itself, its properties, roles and teams. */
export const organisationRules = [
  organisation.error(
    'ORG-1',
    'roles',
    (organisation) => isFilled(organisation.roles) && isPlanWithout(organisation, ['enterprise']),
    (organisation) => [planOf(organisation)],
  ),
  organisation.error(
    'ORG-2',
    'rulesets',
    (organisation) => isFilled(organisation.rulesets) && isPlanWithout(organisation, withRulesets),
    (organisation) => [planOf(organisation)],
  ),
  settings.error(
    'SET-1',
    'description',
    ({ description }) => lengthOf(description) > 160,
    ({ description }) => [lengthOf(description)],
  ),
  settings.error(
    'SET-2',
    'discussion_source_repository',
    ({ has_discussions, discussion_source_repository: source }) =>
      has_discussions === true && source !== undefined && !isFilled(source),
  ),
  settings.error(
    'SET-3',
    'discussion_source_repository',
    ({ discussion_source_repository: source }) => isFilled(source) && !isRepositoryName(source ?? ''),
  ),
  settings.error(
    'SET-4',
    'members_can_create_private_pages',
    ({ members_can_create_private_pages: may }, { organisation }) =>
      may === true && isPlanWithout(organisation, ['enterprise']),
    (_, around) => [planOf(around.organisation)],
  ),
  settings.oneOf('SET-5', 'default_repository_permission', permissions),
  settings.oneOf('SET-6', 'immutable_releases_enforced_repositories', wheres),
  settings.warning(
    'SET-7',
    'immutable_releases_selected_repositories',
    ({ immutable_releases_enforced_repositories: where, immutable_releases_selected_repositories: listed }) =>
      where !== undefined && where !== 'selected' && isFilled(listed),
  ),
  property.oneOf('CP-1', 'value_type', valueTypes),
  property.each('error', 'CP-2', (property) => {
    const { allowed_values: values } = property
    if (!isSelect(property) || values === undefined || values === null) return []
    return when(values.length === 0 || values.length > 200, ['allowed_values'], say('CP-2', values.length))
  }),
  property.error(
    'CP-3',
    'default_value',
    ({ required, default_value }) => required === true && !isFilled(default_value),
  ),
  property.error(
    'CP-4',
    'default_value',
    ({ required, default_value }) => required === false && isFilled(default_value),
  ),
  property.error(
    'CP-5',
    'default_value',
    ({ value_type, default_value }) => value_type === 'single_select' && Array.isArray(default_value),
  ),
  property.error(
    'CP-6',
    'default_value',
    (property) => otherDefault(property) !== undefined,
    (value) => [otherDefault(value) ?? ''],
  ),
  property.oneOf('CP-7', 'values_editable_by', ['org_actors', 'org_and_repo_actors']),
  role.oneOf('ROLE-1', 'base_role', baseRoles),
  role.error('ROLE-2', 'base_role', ({ base_role, permissions: granted }) => base_role === 'none' && isFilled(granted)),
  team.error('TEAM-1', 'name', ({ name }, { excludedTeams }) => excludedTeams.some((covers) => covers(teamSlug(name)))),
  team.oneOf('TEAM-2', 'privacy', privacies),
  team.error('TEAM-3', 'members', ({ skip_members, members }) => skip_members === true && isFilled(members)),
  team.each('error', 'TEAM-4', ({ skip_non_organization_members: skips, members = [] }, around) =>
    skips === true && members.length > 0 ? strangers(members, around) : [],
  ),
]
