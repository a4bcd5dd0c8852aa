import { strictness, workflowsOff } from '../inherit/decided.ts'
import { about, isFilled } from './rule.ts'

const workflows = about('workflows')
const repository = about('repository')

const actions = ['all', 'local_only', 'selected']
const permissions = ['read', 'write']
const policies = ['first_time_contributors_new_to_github', 'first_time_contributors', 'all_external_contributors']
const repositories = ['all', 'none', 'selected']

/** The rules about workflows, of the organisation and of repositories. */
export const workflowRules = [
  workflows.oneOf('WF-1', 'allowed_actions', actions),
  workflows.warning(
    'WF-2',
    'allow_action_patterns',
    ({ allowed_actions, allow_action_patterns }) =>
      allowed_actions !== undefined && allowed_actions !== 'selected' && isFilled(allow_action_patterns),
  ),
  workflows.oneOf('WF-3', 'default_workflow_permissions', permissions),
  workflows.oneOf('WF-4', 'fork_pr_approval_policy', policies),
  workflows.oneOf('WF-5', 'enabled_repositories', repositories),
  workflows.warning(
    'WF-6',
    'selected_repositories',
    ({ enabled_repositories, selected_repositories }) =>
      enabled_repositories !== undefined && enabled_repositories !== 'selected' && isFilled(selected_repositories),
  ),
  workflows.info(
    'WF-7',
    'enabled',
    ({ enabled }, { organisation, repository }) =>
      enabled === true && repository !== undefined && workflowsOff(organisation, repository.name) === 'none',
  ),
  workflows.info(
    'WF-8',
    'enabled',
    ({ enabled }, { organisation, repository }) =>
      enabled === true && repository !== undefined && workflowsOff(organisation, repository.name) === 'selected',
  ),
  workflows.info(
    'WF-9',
    'allowed_actions',
    ({ allowed_actions: own }, { organisation, repository }) =>
      repository !== undefined &&
      (strictness(own) ?? 9) < (strictness(organisation.settings.workflows?.allowed_actions) ?? -1),
    ({ allowed_actions: own = '' }, { organisation }) => [own, organisation.settings.workflows?.allowed_actions ?? ''],
  ),
  workflows.info(
    'WF-10',
    'default_workflow_permissions',
    ({ default_workflow_permissions: own }, { organisation, repository }) =>
      repository !== undefined &&
      own === 'write' &&
      organisation.settings.workflows?.default_workflow_permissions === 'read',
  ),
  workflows.info(
    'WF-11',
    'actions_can_approve_pull_request_reviews',
    ({ actions_can_approve_pull_request_reviews: own }, { organisation, repository }) =>
      repository !== undefined &&
      own === true &&
      organisation.settings.workflows?.actions_can_approve_pull_request_reviews === false,
  ),
  repository.error(
    'WF-12',
    'code_scanning_default_setup_enabled',
    ({ name, code_scanning_default_setup_enabled: isOn, workflows }, { organisation }) =>
      isOn === true && (workflows?.enabled === false || workflowsOff(organisation, name) !== undefined),
  ),
]
