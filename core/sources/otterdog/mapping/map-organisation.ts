import type { ForeignModule } from '../../../engine/config/modules/foreign.ts'
import { nameOf } from '../values/address-name.ts'
import { type Draft, type Scope, toResources } from './mapping.ts'
import { mapOrganisation } from './organisation.ts'
import { importsIn, movesIn } from './renames.ts'
import { mapRepositories } from './repositories.ts'
import { mapRuleset } from './rulesets.ts'

const ofRulesets = (scope: Scope): readonly Draft[] =>
  (scope.organisation.rulesets ?? []).map((ruleset, index) => {
    const path = ['rulesets', index]
    return {
      type: 'github_organization_ruleset',
      at: nameOf(ruleset.name),
      path,
      ...mapRuleset(ruleset, path, scope),
    }
  })

/** The resources that an organisation file means: a function of what it evaluates to, whatever the order in it. */
export const mapToResources = (scope: Scope): Omit<ForeignModule, 'notes'> => {
  const drafts = [...mapOrganisation(scope), ...ofRulesets(scope), ...mapRepositories(scope)]
  return {
    resources: toResources(drafts),
    moved: movesIn(scope.organisation, drafts),
    imports: importsIn(scope.organisation),
  }
}
