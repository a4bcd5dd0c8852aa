import { diagnostics, said } from '../../../../engine/values/diagnose.ts'
import { oneOf } from '../../../../engine/values/words.ts'

export const say = diagnostics({
  'ORG-1': (plan: string) =>
    said(`organisation roles need the plan enterprise, and this one is ${plan}`, 'remove the roles, or correct `plan`'),
  'ORG-2': (plan: string) =>
    said(
      `rulesets of an organisation need the plan team or enterprise, and this one is ${plan}`,
      'use rulesets of repositories, or correct `plan`',
    ),
  'SET-1': (length: number) => said(`the description has ${length} characters, and GitHub allows 160`, 'shorten it'),
  'SET-2': () =>
    said('discussions are on without a repository for them', 'write discussion_source_repository: owner/name'),
  'SET-3': () => said('discussion_source_repository is not the name of a repository', 'write owner/name'),
  'SET-4': (plan: string) =>
    said(`private pages need the plan enterprise, and this one is ${plan}`, 'write false, or remove the line'),
  'SET-5': (allowed: readonly string[]) => said('default_repository_permission is not valid', oneOf(allowed)),
  'CP-1': (allowed: readonly string[]) => said('value_type is not valid', oneOf(allowed)),
  'CP-2': (count: number) =>
    said(
      count === 0
        ? 'a property to select from has no allowed values'
        : `the property has ${count} allowed values, and GitHub allows 200`,
      count === 0 ? 'write them under allowed_values' : 'remove some',
    ),
  'CP-3': () => said('a required property has no default', 'write default_value, or required: false'),
  'CP-4': () => said('a property that is not required has a default', 'write required: true, or remove the default'),
  'CP-5': () => said('the default of single_select is a list', 'write one text'),
  'CP-6': (value: string) =>
    said(
      `the default ${JSON.stringify(value)} is not among the allowed values`,
      'add it to allowed_values, or correct it',
    ),
  'ROLE-1': (allowed: readonly string[]) => said('base_role is not valid', oneOf(allowed)),
  'ROLE-2': () => said('a role with permissions has the base role none', 'write another base_role, or no permissions'),
  'TEAM-1': () =>
    said('the file declares a team that excludeTeams leaves out', 'remove the team, or correct the pattern'),
  'TEAM-2': (allowed: readonly string[]) => said('privacy is not valid', oneOf(allowed)),
  'TEAM-3': () => said('the team has members, and skip_members', 'keep one of the two'),
  'TEAM-4': (login: string) =>
    said(`${login} is not a member of the organisation`, 'invite this person, or remove the line'),
})

/** What was not checked. */
export const unread = diagnostics({
  'TEAM-4': () =>
    said(
      'whether these people are members of the organisation was not checked',
      'nothing; the plan shows who is missing in the team',
    ),
})
