import { diagnostics, said } from '../../../../engine/values/diagnose.ts'
import { oneOf } from '../../../../engine/values/words.ts'

const stricter = 'nothing; the organisation decides, and this line is not compared'

export const say = diagnostics({
  'WF-1': (allowed: readonly string[]) => said('allowed_actions is not valid', oneOf(allowed)),
  'WF-2': () => said('patterns of actions have no effect here', 'write allowed_actions: selected, or remove them'),
  'WF-3': (allowed: readonly string[]) => said('default_workflow_permissions is not valid', oneOf(allowed)),
  'WF-4': (allowed: readonly string[]) => said('fork_pr_approval_policy is not valid', oneOf(allowed)),
  'WF-5': (allowed: readonly string[]) => said('enabled_repositories is not valid', oneOf(allowed)),
  'WF-6': () =>
    said('selected_repositories has no effect here', 'write enabled_repositories: selected, or remove the list'),
  'WF-7': () => said('the organisation allows workflows in no repository', stricter),
  'WF-8': () => said('the organisation does not list this repository for workflows', stricter),
  'WF-9': (own: string, organisation: string) =>
    said(`the repository allows the actions ${own}, and the organisation only ${organisation}`, stricter),
  'WF-10': () => said('the organisation allows workflows only to read', stricter),
  'WF-11': () => said('the organisation does not let workflows approve pull requests', stricter),
  'WF-12': () => said('code scanning needs workflows, and they are off for this repository', 'switch one of the two'),
})
