import { strictness, workflowsOff } from '../../inherit/workflows.ts'
import { isFilled, isOutside, ruleOf, when } from '../rule.ts'
import { say } from './words.ts'

const actions = ['all', 'local_only', 'selected']
const permissions = ['read', 'write']
const policies = ['first_time_contributors_new_to_github', 'first_time_contributors', 'all_external_contributors']
const repositories = ['all', 'none', 'selected']

/** The rules about workflows, of the organisation and of repositories. */
export const workflowRules = [
  ruleOf('WF-1', 'error', 'workflows', ({ allowed_actions }) =>
    when(isOutside(allowed_actions, actions), ['allowed_actions'], say('WF-1', actions)),
  ),
  ruleOf('WF-2', 'warning', 'workflows', ({ allowed_actions, allow_action_patterns }) =>
    when(
      allowed_actions !== undefined && allowed_actions !== 'selected' && isFilled(allow_action_patterns),
      ['allow_action_patterns'],
      say('WF-2'),
    ),
  ),
  ruleOf('WF-3', 'error', 'workflows', ({ default_workflow_permissions }) =>
    when(
      isOutside(default_workflow_permissions, permissions),
      ['default_workflow_permissions'],
      say('WF-3', permissions),
    ),
  ),
  ruleOf('WF-4', 'error', 'workflows', ({ fork_pr_approval_policy }) =>
    when(isOutside(fork_pr_approval_policy, policies), ['fork_pr_approval_policy'], say('WF-4', policies)),
  ),
  ruleOf('WF-5', 'error', 'workflows', ({ enabled_repositories }) =>
    when(isOutside(enabled_repositories, repositories), ['enabled_repositories'], say('WF-5', repositories)),
  ),
  ruleOf('WF-6', 'warning', 'workflows', ({ enabled_repositories, selected_repositories }) =>
    when(
      enabled_repositories !== undefined && enabled_repositories !== 'selected' && isFilled(selected_repositories),
      ['selected_repositories'],
      say('WF-6'),
    ),
  ),
  ruleOf('WF-7', 'info', 'workflows', ({ enabled }, { organisation, repository }) =>
    when(
      enabled === true && repository !== undefined && workflowsOff(organisation, repository.name) === 'none',
      ['enabled'],
      say('WF-7'),
    ),
  ),
  ruleOf('WF-8', 'info', 'workflows', ({ enabled }, { organisation, repository }) =>
    when(
      enabled === true && repository !== undefined && workflowsOff(organisation, repository.name) === 'selected',
      ['enabled'],
      say('WF-8'),
    ),
  ),
  ruleOf('WF-9', 'info', 'workflows', ({ allowed_actions: own }, { organisation, repository }) => {
    const outer = organisation.settings.workflows?.allowed_actions
    const isLooser = (strictness(own) ?? 9) < (strictness(outer) ?? -1)
    return when(repository !== undefined && isLooser, ['allowed_actions'], say('WF-9', own ?? '', outer ?? ''))
  }),
  ruleOf('WF-10', 'info', 'workflows', ({ default_workflow_permissions: own }, { organisation, repository }) =>
    when(
      repository !== undefined &&
        own === 'write' &&
        organisation.settings.workflows?.default_workflow_permissions === 'read',
      ['default_workflow_permissions'],
      say('WF-10'),
    ),
  ),
  ruleOf('WF-11', 'info', 'workflows', (own, { organisation, repository }) =>
    when(
      repository !== undefined &&
        own.actions_can_approve_pull_request_reviews === true &&
        organisation.settings.workflows?.actions_can_approve_pull_request_reviews === false,
      ['actions_can_approve_pull_request_reviews'],
      say('WF-11'),
    ),
  ),
  ruleOf('WF-12', 'error', 'repository', (repository, { organisation }) =>
    when(
      repository.code_scanning_default_setup_enabled === true &&
        (repository.workflows?.enabled === false || workflowsOff(organisation, repository.name) !== undefined),
      ['code_scanning_default_setup_enabled'],
      say('WF-12'),
    ),
  ),
]
