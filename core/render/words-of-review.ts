import type { ReviewChange, ReviewImport } from '../schema/review.ts'
import type { TofuResourceAction } from '../schema/tofu.ts'
import type { Block } from './page.ts'
import { risks } from './page.ts'
import type { Prose } from './prose.ts'
import { foreign, foreignList } from './prose.ts'
import { showValue } from './show-value.ts'
import { visible } from './visible.ts'
import { pathWords } from './words.ts'

interface ActionFacts {
  readonly symbol: string
  readonly tone: Block['tone']
  readonly risk: number
  /** Behind `will be` or `would be`. */
  readonly done: string
  /** As in `3 to destroy`. */
  readonly tally: string
  /** What happened where it is found outside. */
  readonly moved: string
}

/** The actions of OpenTofu and Terraform, the gravest first. Only what destroys has a minus. */
export const actionFacts: Readonly<Record<TofuResourceAction, ActionFacts>> = {
  unknown: {
    symbol: '?',
    tone: 'delete',
    risk: 0,
    done: 'handled by actions that are not known here',
    tally: 'with an unknown action',
    moved: 'was changed',
  },
  delete: {
    symbol: '-',
    tone: 'delete',
    risk: risks.delete,
    done: 'destroyed',
    tally: 'to destroy',
    moved: 'was deleted',
  },
  'delete-create': {
    symbol: '-/+',
    tone: 'delete',
    risk: risks.replace,
    done: 'replaced (destroyed, then created)',
    tally: 'to replace',
    moved: 'was replaced',
  },
  'create-delete': {
    symbol: '+/-',
    tone: 'delete',
    risk: risks.replace,
    done: 'replaced (the new one first, then the old one goes)',
    tally: 'to replace, the new one first',
    moved: 'was replaced',
  },
  'forget-create': {
    symbol: './+',
    tone: 'update',
    risk: risks.forget,
    done: 'replaced (the old one is forgotten and stays, then a new one is created)',
    tally: 'to replace, the old one stays',
    moved: 'was replaced',
  },
  'create-forget': {
    symbol: '+/.',
    tone: 'update',
    risk: risks.forget,
    done: 'replaced (a new one is created, then the old one is forgotten and stays)',
    tally: 'to replace, the old one stays',
    moved: 'was replaced',
  },
  forget: {
    symbol: '.',
    tone: 'update',
    risk: risks.forget,
    done: 'forgotten (it stays as it is, no longer managed)',
    tally: 'to forget, not destroyed',
    moved: 'was forgotten',
  },
  update: {
    symbol: '~',
    tone: 'update',
    risk: risks.update,
    done: 'changed',
    tally: 'to change',
    moved: 'was changed',
  },
  create: {
    symbol: '+',
    tone: 'create',
    risk: risks.create,
    done: 'created',
    tally: 'to create',
    moved: 'was created',
  },
  read: {
    symbol: '<=',
    tone: 'other',
    risk: risks.read,
    done: 'read while applying',
    tally: 'to read',
    moved: 'was read',
  },
  'no-op': {
    symbol: '*',
    tone: 'other',
    risk: risks.move,
    done: 'left as it is',
    tally: 'to move or import only',
    moved: 'did not change',
  },
}

/** `will`: what is planned; `would`: what is put off; `was`: what happened outside. */
export type Mood = 'will' | 'would' | 'was'

/** `will be destroyed: the configuration has no such resource any more`. */
export const reviewWords = (change: ReviewChange, mood: Mood): Prose => {
  const clauses = [verbClause(change, mood), importClause(change), moveClause(change, mood)]
  const said = clauses
    .filter((clause) => clause.length > 0)
    .flatMap((clause, n) => (n === 0 ? clause : ['; ', ...clause]))
  return said.length === 0 ? [`${mood} be left as it is`] : said
}

const verbClause = (change: ReviewChange, mood: Mood): Prose => {
  const facts = actionFacts[change.action]
  const why = reasonClause(change)
  if (mood === 'was') return change.action === 'no-op' && change.previousAddress !== undefined ? [] : [facts.moved]
  if (change.action === 'no-op' && (change.importing ?? change.previousAddress) !== undefined) return []
  const hidden =
    change.action === 'update' && change.diff.action === 'same' ? [', though the plan shows no difference'] : []
  return [`${mood} be ${facts.done}`, ...hidden, ...why]
}

const isReplacement = (action: TofuResourceAction): boolean => action.includes('-') && action !== 'no-op'

/** A replacement names the paths that force it, also those that the diff does not show. */
const reasonClause = (change: ReviewChange): Prose => {
  const words = knownReason(change)
  const paths = foreignList(
    change.replacePaths.map((path) => (path.length === 0 ? 'the whole of it' : pathWords(path))),
  )
  if (!isReplacement(change.action) || paths.length === 0) return words === undefined ? [] : [': ', ...words]
  const forced: Prose = [...paths, ' cannot be changed in place']
  return words === undefined || change.reason === 'replace_because_cannot_update'
    ? [': ', ...forced]
    : [': ', ...words, ', and ', ...forced]
}

const knownReason = (change: ReviewChange): Prose | undefined => {
  const { reason = '', deposed } = change
  if (Object.hasOwn(reasons, reason)) return reasons[reason]?.(change)
  return deposed === undefined ? undefined : [leftOver]
}

/** Of an object that was to be gone long ago. */
export const leftOver = 'left over from a replacement that did not finish'

type Reason = (change: ReviewChange) => Prose

const say =
  (words: string): Reason =>
  () => [words]

/** The key behind the name of an instance, brackets included. */
const keyOf = ({ address }: ReviewChange): Prose => {
  const key = /\[[^[]*\]$|\["(?:[^"\\]|\\.)*"\]$/.exec(address)?.[0]
  return key === undefined ? ['its key'] : [foreign(key)]
}

/** Of `action_reason`, an open set: https://opentofu.org/docs/internals/json-format/ */
const reasons: Readonly<Record<string, Reason>> = {
  replace_because_tainted: say('it is marked as damaged (tainted)'),
  replace_because_cannot_update: say('it cannot be changed in place'),
  replace_by_request: say('the command line asks for it (-replace)'),
  replace_by_triggers: say('something that its replace_triggered_by names changes'),
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
  delete_because_wrong_repetition: say(
    'count or for_each came, went or changed places, and with it the kind of its key',
  ),
  delete_because_count_index: (change) => ['count no longer reaches ', ...keyOf(change)],
  delete_because_each_key: (change) => ['for_each no longer has ', ...keyOf(change)],
  delete_because_enabled_false: say('its enabled is now false'),
  delete_because_no_move_target: say('a moved block leads here, and the configuration has nothing here'),
  read_because_config_unknown: say('what it asks for is known only then'),
  read_because_dependency_pending: say('something that it depends on changes first'),
  read_because_check_nested: say('a check looks at it anew'),
  forgot_because_lifecycle_destroy_in_state: say('lifecycle.destroy was false when it was last applied'),
  forgot_because_lifecycle_destroy_in_config: say('lifecycle.destroy is false in the configuration'),
}

const importClause = ({ importing, action }: ReviewChange): Prose => {
  if (importing === undefined) return []
  const kept = action === 'no-op' ? 'will be imported' : 'imported first'
  const lost = action === 'delete' || isReplacement(action) ? ', and then lost' : ''
  return [kept, ...importedBy(importing), lost, importing.generated ? ', its configuration is generated' : ''].filter(
    (part) => part !== '',
  )
}

const importedBy = ({ id, identity }: ReviewImport): Prose => {
  if (id !== undefined) return [' by id ', foreign(id)]
  if (identity === undefined) return []
  const members = Object.entries(identity).map(([member, value]) => `${visible(member)}=${showValue(value)}`)
  return [' by ', foreign(members.join(' '))]
}

const moveClause = ({ previousAddress, action }: ReviewChange, mood: Mood): Prose => {
  if (previousAddress === undefined) return []
  const verb = action !== 'no-op' ? 'moved here from ' : mood === 'was' ? 'was moved here from ' : 'moves here from '
  return [verb, foreign(previousAddress), ...(action === 'no-op' && mood !== 'was' ? [', nothing else changes'] : [])]
}

/** Why Terraform puts a change off, an open set. */
const deferrals: Readonly<Record<string, string>> = {
  unknown: 'no reason is given',
  instance_count_unknown: 'how many there will be is not known yet',
  resource_config_unknown: 'a part of its configuration is not known yet',
  provider_config_unknown: 'the configuration of its provider is not known yet',
  deferred_prereq: 'something that it depends on is put off too',
  absent_prereq: 'something that it depends on is not there yet',
}

export const deferralWords = (reason: string): Prose => {
  const words = Object.hasOwn(deferrals, reason) ? deferrals[reason] : undefined
  return words === undefined ? [] : [words]
}

const statuses: Readonly<Record<string, string>> = {
  fail: 'the check failed',
  error: 'the check could not be made',
  unknown: 'the check can be made only after apply',
}

export const checkWords = (status: string, problems: readonly string[]): Prose => [
  Object.hasOwn(statuses, status) ? (statuses[status] ?? '') : 'the result of the check is not known here',
  ...(problems.length === 0 ? [] : [': ', ...foreignList(problems, '; ')]),
]

/** The object that is meant, one of several under one address where a replacement did not finish. */
export const objectName = ({ address, deposed }: { readonly address: string; readonly deposed?: string }): string =>
  deposed === undefined ? address : `${address} (deposed ${deposed})`
