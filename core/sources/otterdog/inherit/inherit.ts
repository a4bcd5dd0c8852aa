import { defined } from '../../../engine/values/defined.ts'
import type { CustomProperty, Organisation, Repository } from '../shape/organisation.ts'
import { withoutExcluded } from './leave-out.ts'
import {
  ofBranchProtection,
  ofCustomProperty,
  ofEnvironment,
  ofOrganisationWorkflows,
  ofRepository,
  ofRepositoryWorkflows,
  ofRuleset,
  ofSettings,
  ofTeam,
} from './tables.ts'

/** The list with each element changed; a list that is not written stays so. */
const eachOf = <Part>(list: readonly Part[] | undefined, change: (part: Part) => Part): Part[] | undefined =>
  list?.map(change)

/** Values that a repository has because the organisation requires the property. */
const requiredValues = (properties: readonly CustomProperty[]): Readonly<Record<string, string | string[]>> =>
  Object.fromEntries(
    properties.flatMap(({ name, required, default_value: value }) =>
      required === true && value !== undefined && value !== null ? [[name, value]] : [],
    ),
  )

const repositoryIn = (organisation: Organisation, written: Repository): Repository => {
  const repository = withoutExcluded(written, { organisation }, ofRepository)
  const { custom_properties: own, workflows } = repository
  const required = requiredValues(organisation.settings.custom_properties ?? [])
  return {
    ...repository,
    ...defined({
      custom_properties: own && { ...required, ...own },
      workflows: workflows && withoutExcluded(workflows, { organisation, repository: written }, ofRepositoryWorkflows),
      environments: eachOf(repository.environments, (each) => withoutExcluded(each, undefined, ofEnvironment)),
      rulesets: eachOf(repository.rulesets, (each) => withoutExcluded(each, undefined, ofRuleset)),
      branch_protection_rules: eachOf(repository.branch_protection_rules, (each) =>
        withoutExcluded(each, undefined, ofBranchProtection),
      ),
    }),
  } as Repository
}

/** The organisation with what it decides for its repositories, and without the fields that do not count. */
export const inherit = (organisation: Organisation): Organisation => {
  const settings = withoutExcluded(organisation.settings, undefined, ofSettings)
  const { custom_properties: properties, workflows } = settings
  return {
    ...organisation,
    settings: {
      ...settings,
      ...defined({
        custom_properties: eachOf(properties, (each) => withoutExcluded(each, undefined, ofCustomProperty)),
        workflows: workflows && withoutExcluded(workflows, undefined, ofOrganisationWorkflows),
      }),
    },
    ...defined({
      teams: eachOf(organisation.teams, (each) => withoutExcluded(each, undefined, ofTeam)),
      rulesets: eachOf(organisation.rulesets, (each) => withoutExcluded(each, undefined, ofRuleset)),
      repositories: eachOf(organisation.repositories, (each) => repositoryIn(organisation, each)),
    }),
  } as Organisation
}
