import type { Shelf } from '../server/call.ts'
import { accounts } from './accounts.ts'
import { hooks } from './hooks.ts'
import { members } from './members.ts'
import { organizations } from './organizations.ts'
import { repositories } from './repositories.ts'
import { rulesets } from './rulesets.ts'
import { teamMembers } from './team-members.ts'
import { teamRepositories } from './team-repositories.ts'
import { teams } from './teams.ts'

/** Every operation that the stand-in performs, by `operationId`. */
export const handlers: Shelf = {
  ...accounts,
  ...hooks,
  ...members,
  ...organizations,
  ...repositories,
  ...rulesets,
  ...teamMembers,
  ...teamRepositories,
  ...teams,
}
