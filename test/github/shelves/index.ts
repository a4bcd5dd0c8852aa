import type { Shelf } from '../server/call.ts'
import { accounts } from './accounts.ts'
import { apps } from './apps.ts'
import { meta } from './meta.ts'
import { invitations } from './organization/invitations.ts'
import { issueTypes } from './organization/issue-types.ts'
import { members } from './organization/members.ts'
import { organizations } from './organization/organizations.ts'
import { roles } from './organization/roles.ts'
import { security } from './organization/security.ts'
import { teamMembers } from './organization/team-members.ts'
import { teamRepositories } from './organization/team-repositories.ts'
import { teams } from './organization/teams.ts'
import { actions } from './places/actions.ts'
import { hooks } from './places/hooks.ts'
import { properties } from './places/properties.ts'
import { rulesets } from './places/rulesets.ts'
import { secrets } from './places/secrets.ts'
import { variables } from './places/variables.ts'
import { branches } from './repository/branches.ts'
import { codeScanning } from './repository/code-scanning.ts'
import { collaborators } from './repository/collaborators.ts'
import { creation } from './repository/creation.ts'
import { environments } from './repository/environments.ts'
import { keysAndLinks } from './repository/keys-and-links.ts'
import { labels } from './repository/labels.ts'
import { pages } from './repository/pages.ts'
import { repositories } from './repository/repositories.ts'
import { switches } from './repository/switches.ts'

/** Every operation that the stand-in performs, by `operationId`. */
export const handlers: Shelf = {
  ...accounts,
  ...meta,
  ...apps,
  ...security,
  ...invitations,
  ...issueTypes,
  ...roles,
  ...actions,
  ...variables,
  ...secrets,
  ...creation,
  ...branches,
  ...codeScanning,
  ...collaborators,
  ...environments,
  ...keysAndLinks,
  ...labels,
  ...pages,
  ...properties,
  ...switches,
  ...hooks,
  ...members,
  ...organizations,
  ...repositories,
  ...rulesets,
  ...teamMembers,
  ...teamRepositories,
  ...teams,
}
