import type { CustomProperty } from '../../shape/organisation.ts'
import { teamSlug } from '../../values/team-slug.ts'
import { type Around, isFilled, isOutside, isPlanWithout, isRepositoryName, ruleOf, when } from '../rule.ts'
import { say, unread } from './words.ts'

const permissions = ['none', 'read', 'write', 'admin']
const baseRoles = ['none', 'read', 'triage', 'write', 'maintain', 'admin']
const valueTypes = ['string', 'single_select', 'multi_select', 'true_false', 'url']
const withRulesets = ['team', 'business', 'business_plus', 'enterprise']
const privacies = ['visible', 'secret']

/** As GitHub counts. */
export const lengthOf = (text: string | null | undefined): number => [...(text ?? '')].length

const planIn = ({ organisation }: Around): string => organisation.settings.plan ?? ''

const isSelect = ({ value_type }: CustomProperty): boolean =>
  value_type === 'single_select' || value_type === 'multi_select'

const defaultsOf = ({ default_value }: CustomProperty): readonly string[] =>
  typeof default_value === 'string' ? [default_value] : (default_value ?? [])

/** The rules about the organisation itself, its properties, roles and teams. */
export const organisationRules = [
  ruleOf('ORG-1', 'error', 'organisation', (organisation, around) =>
    when(
      isFilled(organisation.roles) && isPlanWithout(organisation, ['enterprise']),
      ['roles'],
      say('ORG-1', planIn(around)),
    ),
  ),
  ruleOf('ORG-2', 'error', 'organisation', (organisation, around) =>
    when(
      isFilled(organisation.rulesets) && isPlanWithout(organisation, withRulesets),
      ['rulesets'],
      say('ORG-2', planIn(around)),
    ),
  ),
  ruleOf('SET-1', 'error', 'settings', ({ description }) =>
    when(lengthOf(description) > 160, ['description'], say('SET-1', lengthOf(description))),
  ),
  ruleOf('SET-2', 'error', 'settings', ({ has_discussions, discussion_source_repository: source }) =>
    when(
      has_discussions === true && source !== undefined && !isFilled(source),
      ['discussion_source_repository'],
      say('SET-2'),
    ),
  ),
  ruleOf('SET-3', 'error', 'settings', ({ discussion_source_repository: source }) =>
    when(isFilled(source) && !isRepositoryName(source ?? ''), ['discussion_source_repository'], say('SET-3')),
  ),
  ruleOf('SET-4', 'error', 'settings', ({ members_can_create_private_pages: may }, around) =>
    when(
      may === true && isPlanWithout(around.organisation, ['enterprise']),
      ['members_can_create_private_pages'],
      say('SET-4', planIn(around)),
    ),
  ),
  ruleOf('SET-5', 'error', 'settings', ({ default_repository_permission: permission }) =>
    when(isOutside(permission, permissions), ['default_repository_permission'], say('SET-5', permissions)),
  ),
  ruleOf('CP-1', 'error', 'customProperty', ({ value_type }) =>
    when(isOutside(value_type, valueTypes), ['value_type'], say('CP-1', valueTypes)),
  ),
  ruleOf('CP-2', 'error', 'customProperty', (property) => {
    const count = property.allowed_values?.length ?? 0
    const isWritten = property.allowed_values !== undefined
    return when(
      isSelect(property) && ((count === 0 && isWritten) || count > 200),
      ['allowed_values'],
      say('CP-2', count),
    )
  }),
  ruleOf('CP-3', 'error', 'customProperty', ({ required, default_value }) =>
    when(required === true && !isFilled(default_value), ['default_value'], say('CP-3')),
  ),
  ruleOf('CP-4', 'error', 'customProperty', ({ required, default_value }) =>
    when(required === false && isFilled(default_value), ['default_value'], say('CP-4')),
  ),
  ruleOf('CP-5', 'error', 'customProperty', ({ value_type, default_value }) =>
    when(value_type === 'single_select' && Array.isArray(default_value), ['default_value'], say('CP-5')),
  ),
  ruleOf('CP-6', 'error', 'customProperty', (property) => {
    const allowed = property.allowed_values ?? []
    const other = defaultsOf(property).find((each) => !allowed.includes(each))
    return when(
      isSelect(property) && allowed.length > 0 && other !== undefined,
      ['default_value'],
      say('CP-6', other ?? ''),
    )
  }),
  ruleOf('ROLE-1', 'error', 'role', ({ base_role }) =>
    when(isOutside(base_role, baseRoles), ['base_role'], say('ROLE-1', baseRoles)),
  ),
  ruleOf('ROLE-2', 'error', 'role', ({ base_role, permissions: granted }) =>
    when(base_role === 'none' && isFilled(granted), ['base_role'], say('ROLE-2')),
  ),
  ruleOf('TEAM-1', 'error', 'team', ({ name }, { excludedTeams }) =>
    when(
      excludedTeams.some((covers) => covers(teamSlug(name))),
      ['name'],
      say('TEAM-1'),
    ),
  ),
  ruleOf('TEAM-2', 'error', 'team', ({ privacy }) =>
    when(isOutside(privacy, privacies), ['privacy'], say('TEAM-2', privacies)),
  ),
  ruleOf('TEAM-3', 'error', 'team', ({ skip_members, members }) =>
    when(skip_members === true && isFilled(members), ['members'], say('TEAM-3')),
  ),
  ruleOf('TEAM-4', 'error', 'team', ({ skip_non_organization_members: skips, members }, { observed }) => {
    if (skips !== true || members === undefined || members.length === 0) return []
    if (observed.members === undefined) return [{ at: ['members'], level: 'info', diagnostic: unread('TEAM-4') }]
    const known = new Set(observed.members.map((login) => login.toLowerCase()))
    return members.flatMap((login, index) =>
      when(!known.has(login.toLowerCase()), ['members', index], say('TEAM-4', login)),
    )
  }),
]
