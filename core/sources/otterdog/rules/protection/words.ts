import { diagnostics, said } from '../../../../engine/values/diagnose.ts'

const noPullRequest = 'write requires_pull_request: true, or remove the line'
const noRestriction = 'write restricts_pushes: true, or remove the line'

export const say = diagnostics({
  'BPR-1': () => said('a number of approvals has no effect without pull requests', noPullRequest),
  'BPR-2': () => said('this rule about reviews has no effect without pull requests', noPullRequest),
  'BPR-3': () => said('this list has no effect without pull requests', noPullRequest),
  'BPR-4': () => said('pull requests are required without a number of approvals', 'write a number from 0 on'),
  'BPR-5': () => said('this list has no effect', 'write restricts_review_dismissals: true, or remove the list'),
  'BPR-6': () =>
    said(
      'everybody may push with force: this list has no effect',
      'write allows_force_pushes: false, or remove the list',
    ),
  'BPR-7': () =>
    said(
      'status checks are not required: this list has no effect',
      'write requires_status_checks: true, or remove the list',
    ),
  'BPR-8': () =>
    said(
      'deployments are not required: this list has no effect',
      'write requires_deployments: true, or remove the list',
    ),
  'BPR-9': (name: string) => said(`the repository has no environment "${name}"`, 'declare it, or remove it here'),
  'BPR-10': () => said('this list has no effect', noRestriction),
  'BPR-11': () => said('blocks_creations has no effect', noRestriction),
  'BPR-12': () => said('lock_allows_fetch_and_merge has no effect', 'write lock_branch: true, or remove the line'),
  'BPR-13': () => said('a status check has no name', 'write the name, after the app and a colon if it has one'),
})
