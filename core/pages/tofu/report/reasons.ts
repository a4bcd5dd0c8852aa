import { foreign, foreignList, type Prose, when } from '../../render/characters/prose.ts'
import type { ViewChange } from '../view/plan-view.ts'

/** The reason of an action, in words; `undefined` if there is none or it is unknown here. */
export const knownReason = (change: ViewChange): Prose | undefined => {
  const { reason = '', deposed } = change
  if (Object.hasOwn(reasons, reason)) return reasons[reason]?.(change)
  return deposed === undefined ? undefined : [leftOver]
}

/** For an object that an earlier apply should have deleted. */
export const leftOver = 'left over from a replacement that did not finish'

type ReasonWords = (change: ViewChange) => Prose

const say =
  (words: string): ReasonWords =>
  () => [words]

/** The key behind the name of an instance, brackets included. */
const keyOf = ({ address }: ViewChange): Prose => {
  const key = /\[[^[]*\]$|\["(?:[^"\\]|\\.)*"\]$/.exec(address)?.[0]
  return key === undefined ? ['its key'] : [foreign(key)]
}

/** Of `action_reason`, an open set: https://opentofu.org/docs/internals/json-format/ */
const reasons: Readonly<Record<string, ReasonWords>> = {
  replace_because_tainted: say('it is tainted'),
  replace_because_cannot_update: say('it cannot be changed in place'),
  replace_by_request: say('the command line asks for it (-replace)'),
  replace_by_triggers: say('an object in its replace_triggered_by changes'),
  delete_because_no_resource_config: ({ type, name }) => [
    'the configuration has no ',
    foreign(`${type}.${name}`),
    ' any more',
  ],
  delete_because_no_module: ({ module }) => [
    'the configuration has no ',
    ...(module === undefined ? ['module for it'] : [foreign(module)]),
    ' any more',
  ],
  delete_because_wrong_repetition: say('the configuration added, removed or exchanged count and for_each'),
  delete_because_count_index: (change) => ['count no longer reaches ', ...keyOf(change)],
  delete_because_each_key: (change) => ['for_each no longer has ', ...keyOf(change)],
  delete_because_enabled_false: say('its enabled is now false'),
  delete_because_no_move_target: say('a moved block points to this address, and the configuration does not declare it'),
  read_because_config_unknown: say('its arguments are known only after apply'),
  read_because_dependency_pending: say('one of its dependencies changes first'),
  read_because_check_nested: say('a check block reads it again'),
  forgot_because_lifecycle_destroy_in_state: say('lifecycle.destroy was false when it was last applied'),
  forgot_because_lifecycle_destroy_in_config: say('lifecycle.destroy is false in the configuration'),
}

/** Why Terraform defers a change, an open set. */
const deferrals: Readonly<Record<string, string>> = {
  unknown: 'no reason is given',
  instance_count_unknown: 'the number of instances is not known yet',
  resource_config_unknown: 'part of its configuration is not known yet',
  provider_config_unknown: 'the configuration of its provider is not known yet',
  deferred_prereq: 'one of its dependencies is deferred',
  absent_prereq: 'one of its dependencies does not exist yet',
}

export const deferralWords = (reason: string): Prose => {
  const words = Object.hasOwn(deferrals, reason) ? deferrals[reason] : undefined
  return ['; deferred: ', ...(words === undefined ? ['the reason is not known here: ', foreign(reason)] : [words])]
}

const statuses: Readonly<Record<string, string>> = {
  fail: 'the check failed',
  error: 'the check could not run',
  unknown: 'the check can run only after apply',
}

export const checkWords = (status: string, problems: readonly string[]): Prose => [
  Object.hasOwn(statuses, status) ? (statuses[status] ?? '') : 'the check has an unknown result',
  ...when(problems.length > 0, ': ', ...foreignList(problems, '; ')),
]
