import type { Label } from './parts.ts'
import type { IssueType, OrganizationRole, World } from './shapes.ts'
import { keyOf } from './world.ts'

/** What GitHub puts into a new organisation and a new repository. */

const labels = [
  ['bug', 'd73a4a', "Something isn't working"],
  ['documentation', '0075ca', 'Improvements or additions to documentation'],
  ['duplicate', 'cfd3d7', 'This issue or pull request already exists'],
  ['enhancement', 'a2eeef', 'New feature or request'],
  ['good first issue', '7057ff', 'Good for newcomers'],
  ['help wanted', '008672', 'Extra attention is needed'],
  ['invalid', 'e4e669', "This doesn't seem right"],
  ['question', 'd876e3', 'Further information is requested'],
  ['wontfix', 'ffffff', 'This will not be worked on'],
] as const

export const labelsAtFirst = (world: World): Map<string, Label> =>
  new Map(
    labels.map(([name, color, description]) => [
      keyOf(name),
      { id: world.newId(), name, color, description, isDefault: true },
    ]),
  )

/** https://docs.github.com/en/organizations: the roles that every organisation has. */
const roles = [
  ['all_repo_read', 'read'],
  ['all_repo_triage', 'triage'],
  ['all_repo_write', 'write'],
  ['all_repo_maintain', 'maintain'],
  ['all_repo_admin', 'admin'],
  ['security_manager', 'read'],
  ['ci_cd_admin', null],
  ['app_manager', null],
] as const

export const rolesAtFirst = (world: World): Map<number, OrganizationRole> =>
  new Map(
    roles.map(([name, base_role]) => {
      const id = world.newId()
      const settings = { name, description: `The predefined role ${name}.`, base_role, permissions: [] }
      const at = world.now()
      return [
        id,
        { id, source: 'Predefined', settings, teams: new Set(), users: new Set(), created_at: at, updated_at: at },
      ]
    }),
  )

const types = [
  ['Task', 'A specific piece of work', 'yellow'],
  ['Bug', 'An unexpected problem or behavior', 'red'],
  ['Feature', 'A request, idea, or new functionality', 'blue'],
] as const

export const issueTypesAtFirst = (world: World): Map<number, IssueType> =>
  new Map(
    types.map(([name, description, color]) => {
      const id = world.newId()
      const settings = { name, description, color, is_enabled: true }
      return [id, { id, settings, created_at: world.now(), updated_at: world.now() }]
    }),
  )
