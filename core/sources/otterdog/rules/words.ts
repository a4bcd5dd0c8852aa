import { diagnostics, said } from '../../../engine/values/diagnose.ts'
import { oneOf } from '../../../engine/values/words.ts'

/* No sentence has the value of a secret. */

const stricter = 'nothing; the organisation decides, and this line is not compared'
const managedElsewhere = 'nothing; something else gives it its value'
const noPlain = 'write env:NAME, file:, ssm: or secretsmanager:, or an entry that `secrets` of the module maps'

/** What an entry of each password store looks like. */
const forms: Readonly<Record<string, string>> = {
  pass: 'pass:path',
  bitwarden: 'bitwarden:item@field',
  vault: 'vault:path/field',
}
const noPullRequest = 'write requires_pull_request: true, or remove the line'
const noRestriction = 'write restricts_pushes: true, or remove the line'
const remove = 'remove the line'

/** What rules say, by id. A rule without a sentence here is about a value that is not among those that are allowed. */
const sentences = {
  notValid: (what: string, allowed: readonly string[]) => said(`${what} is not valid`, oneOf(allowed)),
  'ORG-1': (plan: string) =>
    said(`organisation roles need the plan enterprise, and this one is ${plan}`, 'remove the roles, or correct `plan`'),
  'ORG-2': (plan: string) =>
    said(
      `rulesets of an organisation need the plan team or enterprise, and this one is ${plan}`,
      'use rulesets of repositories, or correct `plan`',
    ),
  'SET-1': (length: number) => said(`the description has ${length} characters, and GitHub allows 160`, 'shorten it'),
  'SET-2': () =>
    said('discussions are on without a repository for them', 'write discussion_source_repository: owner/name'),
  'SET-3': () => said('discussion_source_repository is not the name of a repository', 'write owner/name'),
  'SET-4': (plan: string) =>
    said(`private pages need the plan enterprise, and this one is ${plan}`, 'write false, or remove the line'),
  'SET-7': () =>
    said(
      'immutable_releases_selected_repositories has no effect here',
      'write immutable_releases_enforced_repositories: selected, or remove the list',
    ),
  'CP-2': (count: number) =>
    said(
      count === 0
        ? 'a property to select from has no allowed values'
        : `the property has ${count} allowed values, and GitHub allows 200`,
      count === 0 ? 'write them under allowed_values' : 'remove some',
    ),
  'CP-3': () => said('a required property has no default', 'write default_value, or required: false'),
  'CP-4': () => said('a property that is not required has a default', 'write required: true, or remove the default'),
  'CP-5': () => said('the default of single_select is a list', 'write one text'),
  'CP-6': (value: string) =>
    said(
      `the default ${JSON.stringify(value)} is not among the allowed values`,
      'add it to allowed_values, or correct it',
    ),
  'ROLE-2': () => said('a role with permissions has the base role none', 'write another base_role, or no permissions'),
  'TEAM-1': () =>
    said('the file declares a team that excludeTeams leaves out', 'remove the team, or correct the pattern'),
  'TEAM-3': () => said('the team has members, and skip_members', 'keep one of the two'),
  'TEAM-4': (login: string) =>
    said(`${login} is not a member of the organisation`, 'invite this person, or remove the line'),
  'WF-2': () => said('patterns of actions have no effect here', 'write allowed_actions: selected, or remove them'),
  'WF-6': () =>
    said('selected_repositories has no effect here', 'write enabled_repositories: selected, or remove the list'),
  'WF-7': () => said('the organisation allows workflows in no repository', stricter),
  'WF-8': () => said('the organisation does not list this repository for workflows', stricter),
  'WF-9': (own: string, organisation: string) =>
    said(`the repository allows the actions ${own}, and the organisation only ${organisation}`, stricter),
  'WF-10': () => said('the organisation allows workflows only to read', stricter),
  'WF-11': () => said('the organisation does not let workflows approve pull requests', stricter),
  'WF-12': () => said('code scanning needs workflows, and they are off for this repository', 'switch one of the two'),
  'HOOK-1': () => said('the secret of this webhook is only asterisks: it is not written', managedElsewhere),
  'HOOK-2': () => said('the secret of this webhook is plain text', noPlain),
  'HOOK-5': () => said('the url of a webhook with "*" names no single webhook', 'write the whole url'),
  'SEC-1': () =>
    said('the value of this secret is only asterisks: the secret must exist, and is not written', managedElsewhere),
  'SEC-2': () => said('the value of this secret is plain text', noPlain),
  'SEC-3': () => said('names of secrets must not begin with GITHUB_', 'use another name'),
  'SEC-4': (provider: string) =>
    said(`this entry of ${provider} is not complete`, `write ${forms[provider] ?? 'the whole entry'}`),
  'SEC-5': (entry: string) =>
    said(
      `${entry} is not mapped: the secret must exist, and is not written`,
      `map it with \`secrets\` of the module: { "${entry}": { secret: "ssm:/..." } }`,
    ),
  'OSEC-1': () => said('visibility private has no effect in the plan free', 'write public or selected'),
  'OSEC-3': () => said('selected_repositories has no effect here', 'write visibility: selected, or remove the list'),
  'VAR-1': () => said('names of variables must not begin with GITHUB_', 'use another name'),
  'VAR-2': () => said('names of variables must be in upper case', 'write it in upper case'),
  'RS-2 plan': (plan: string) =>
    said(`enforcement evaluate needs the plan enterprise, and this one is ${plan}`, 'write active or disabled'),
  'RS-3': (target: string, allowed: readonly string[]) =>
    said(`this pattern does not fit the target ${target}`, `begin it with ${allowed.join(', or write ')}`),
  'RS-4': () => said('environments have no effect here', 'write requires_deployments: true, or remove the list'),
  'RS-5': (name: string) => said(`the repository has no environment "${name}"`, 'declare it, or remove it here'),
  'RS-6': (name: string) =>
    said(`required_pull_request has no ${name}`, 'write it, or newPullRequest() before the braces'),
  'RS-6 count': () => said('required_approving_review_count is not from 0 to 10', 'write a number from 0 to 10'),
  'RS-6 methods': () => said('no way of merging is allowed', 'write at least one of merge, squash, rebase'),
  'RS-7': (name: string) =>
    said(`required_merge_queue has no ${name}`, 'write it, or newMergeQueue() before the braces'),
  'RS-7 number': (name: string) => said(`${name} is negative`, 'write a number from 0 on'),
  'RS-8': () => said('a status check has no name', 'write the name, after the app and a colon if it has one'),
  'RS-9': () =>
    said(
      'a list of no status checks requires nothing, and GitHub keeps no rule of it',
      'write null, or a status check',
    ),
  'RS-10': (actor: string, allowed: readonly string[]) =>
    said(
      `${JSON.stringify(actor)} is no actor that may bypass rules`,
      `write @login, @organisation/team, the name of an app, or ${allowed.join(', ')}`,
    ),
  'RS-10 mode': (mode: string, allowed: readonly string[]) =>
    said(`${JSON.stringify(mode)} is no mode of bypassing`, oneOf(allowed)),
  'RS-10 person': (login: string, organisation: string) =>
    said(
      `@${login} is the person ${login}, and there is a team of that name`,
      `write @${organisation}/${login} if the team is meant`,
    ),
  'ORS-1': () => said('no repository of the file has a name that this pattern matches', 'correct it, or remove it'),
  'ORS-2': () => said('protect_repo_names has no effect without patterns of names', 'write include_repo_names'),
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
  'ENV-1': () => said('wait_timer is not from 0 to 43200 minutes', 'write a number from 0 to 43200'),
  'ENV-2': () => said('prevent_self_review has no effect without reviewers', 'add reviewers, or remove the line'),
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
  'REPO-17 public': () => said('a public repository cannot have private pages', 'write gh_pages_visibility: public'),
  'REPO-17 forbidden': () => said('the organisation does not allow private pages', 'write gh_pages_visibility: public'),
  'REPO-23': () => said('the organisation makes the releases of this repository immutable', stricter),
  'REPO-24': () => said('this is no name of a domain', 'write one such as docs.acme.example, without https://'),
  'REPO-24 github': () =>
    said('a site has its github.io name anyway: no domain of its own can be one', 'write null, or another domain'),
  'REPO-19': (language: string) => said(`GitHub did not find ${language} in the repository`, 'remove it'),
  'REPO-20': (field: string) => said(`${field} is not the name of a repository`, 'write owner/name'),
  'REPO-21 pair': (title: string, allowed: readonly string[]) =>
    said(`GitHub does not allow this message with the title ${title}`, oneOf(allowed)),
  'REPO-22 pair': (title: string, allowed: readonly string[]) =>
    said(`GitHub does not allow this message with the title ${title}`, oneOf(allowed)),
  'DUP-1': (name: string, first: string) =>
    said(`${JSON.stringify(name)} is declared a second time (first at ${first})`, 'remove one of the two'),
  'DUP-2': (name: string, first: string) =>
    said(
      `the former name ${JSON.stringify(name)} is in use (at ${first})`,
      'remove the alias, or rename the other one',
    ),
  'TEAM-4 unread': () =>
    said(
      'whether these people are members of the organisation was not checked',
      'nothing; the plan shows who is missing in the team',
    ),
  'REPO-19 unread': () =>
    said('whether GitHub finds these languages in the repository was not checked', 'nothing; an apply says it'),
}

export type Sentence = keyof typeof sentences
export type FactsOf<Id extends Sentence> = Parameters<(typeof sentences)[Id]>
export const say = diagnostics(sentences)
