import { diagnostics, said } from '../../../../engine/values/diagnose.ts'
import { oneOf } from '../../../../engine/values/words.ts'

export const say = diagnostics({
  'RS-1': (allowed: readonly string[]) => said('target is not valid', oneOf(allowed)),
  'RS-2': (allowed: readonly string[]) => said('enforcement is not valid', oneOf(allowed)),
  'RS-2 plan': (plan: string) =>
    said(`enforcement evaluate needs the plan enterprise, and this one is ${plan}`, 'write active or disabled'),
  'RS-3': (target: string, allowed: readonly string[]) =>
    said(`this pattern does not fit the target ${target}`, `begin it with ${allowed.join(', or write ')}`),
  'RS-4': () => said('environments have no effect here', 'write requires_deployments: true, or remove the list'),
  'RS-5': (name: string) => said(`the repository has no environment "${name}"`, 'declare it, or remove it here'),
  'RS-6': (name: string) =>
    said(`required_pull_request has no ${name}`, 'write it, or newPullRequest() before the braces'),
  'RS-6 count': () => said('required_approving_review_count is not from 0 to 10', 'write a number from 0 to 10'),
  'RS-7': (name: string) =>
    said(`required_merge_queue has no ${name}`, 'write it, or newMergeQueue() before the braces'),
  'RS-7 method': (allowed: readonly string[]) => said('merge_method is not valid', oneOf(allowed)),
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
      `write @team, the name of an app, or ${allowed.join(', ')}`,
    ),
  'RS-10 mode': (mode: string, allowed: readonly string[]) =>
    said(`${JSON.stringify(mode)} is no mode of bypassing`, oneOf(allowed)),
  'ORS-1': () => said('no repository of the file has a name that this pattern matches', 'correct it, or remove it'),
  'ORS-2': () => said('protect_repo_names has no effect without patterns of names', 'write include_repo_names'),
})
