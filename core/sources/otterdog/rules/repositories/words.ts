import { diagnostics, said } from '../../../../engine/values/diagnose.ts'
import { oneOf } from '../../../../engine/values/words.ts'

const remove = 'remove the line'

export const say = diagnostics({
  'ENV-1': () => said('wait_timer is not from 0 to 43200 minutes', 'write a number from 0 to 43200'),
  'ENV-2': () => said('prevent_self_review has no effect without reviewers', 'add reviewers, or remove the line'),
  'ENV-3': (allowed: readonly string[]) => said('deployment_branch_policy is not valid', oneOf(allowed)),
  'ENV-4': () =>
    said('branch_policies has no effect here', 'write deployment_branch_policy: selected, or remove the list'),
  'ENV-5': () => said('this is no reviewer', 'write @login or @organisation/team'),
  'REPO-1': (length: number) => said(`the description has ${length} characters, and GitHub allows 350`, 'shorten it'),
  'REPO-2 count': (count: number) => said(`the repository has ${count} topics, and GitHub allows 20`, 'remove some'),
  'REPO-2': () => said('this topic is not valid', 'use lower case letters, digits and hyphens'),
  'REPO-3': () => said('a public repository can always be forked: allow_forking has no effect', remove),
  'REPO-4': () =>
    said('a private repository has no wiki in the plan free', 'write has_wiki: false, or remove the line'),
  'REPO-5': () =>
    said(
      'the discussions of the organisation are in this repository, and here they are off',
      'write has_discussions: true, or name another repository',
    ),
  'REPO-6': () => said('the organisation has projects off: has_projects has no effect', remove),
  'REPO-7': () =>
    said(
      'the organisation does not allow private repositories to be forked',
      'write allow_forking: false, or remove the line',
    ),
  'REPO-8': () => said('the organisation requires the sign-off: this line has no effect', remove),
  'REPO-9': () => said('push protection needs secret scanning, which is off', 'switch one of the two'),
  'REPO-10': () => said('the repository has a template and is a fork', 'keep one of the two'),
  'REPO-11': (name: string) =>
    said(`the organisation has no custom property "${name}"`, 'declare it in settings, or remove it here'),
  'REPO-12': (allowed: readonly string[]) => said('this permission of a team is not valid', oneOf(allowed)),
  'REPO-13': () => said('the repository is archived: its branch protection is not compared', 'remove it'),
  'REPO-14': () =>
    said(
      'the repository is the site of the organisation, and pages are off',
      'write gh_pages_build_type: legacy or workflow',
    ),
  'REPO-15': () =>
    said(
      'GitHub makes an environment github-pages for pages, and the file does not have it',
      "add newEnvironment('github-pages') to the environments",
    ),
  'REPO-16': (field: string, allowed: readonly string[]) => said(`${field} is not valid`, oneOf(allowed)),
  'REPO-17 public': () => said('a public repository cannot have private pages', 'write gh_pages_visibility: public'),
  'REPO-17 forbidden': () => said('the organisation does not allow private pages', 'write gh_pages_visibility: public'),
  'REPO-18': (field: string, allowed: readonly string[]) => said(`${field} is not valid`, oneOf(allowed)),
  'REPO-19': (language: string) => said(`GitHub did not find ${language} in the repository`, 'remove it'),
  'REPO-20': (field: string) => said(`${field} is not the name of a repository`, 'write owner/name'),
  'REPO-21': (field: string, allowed: readonly string[]) => said(`${field} is not valid`, oneOf(allowed)),
  'REPO-21 pair': (title: string, allowed: readonly string[]) =>
    said(`GitHub does not allow this message with the title ${title}`, oneOf(allowed)),
  'REPO-22': (field: string, allowed: readonly string[]) => said(`${field} is not valid`, oneOf(allowed)),
  'REPO-22 pair': (title: string, allowed: readonly string[]) =>
    said(`GitHub does not allow this message with the title ${title}`, oneOf(allowed)),
})

/** What was not checked. */
export const unread = diagnostics({
  'REPO-19': () =>
    said('whether GitHub finds these languages in the repository was not checked', 'nothing; an apply says it'),
})
