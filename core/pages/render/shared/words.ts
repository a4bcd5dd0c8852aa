import { pathText } from '../../../engine/json/pointer.ts'
import type { Command, Precondition, Waiter } from '../../../engine/schema/command.ts'
import type { Json, JsonObject, Path } from '../../../engine/schema/json.ts'
import { orphanFates } from '../../../engine/schema/resource.ts'
import {
  type Action,
  type ActionReason,
  type BlockReason,
  type Change,
  type Drift,
  isReported,
  type Orphan,
  type Plan,
} from '../../../engine/schema/stored/plan.ts'
import { spellValue } from '../../../engine/values/spell-value.ts'
import { foreign, foreignList, type Prose, thousands, when } from '../characters/prose.ts'
import { visible } from '../characters/visible.ts'

/** `1 change`, `2 changes`, with thousands apart. */
export const count = (n: number, noun: string, plural = `${noun}s`): string =>
  `${thousands(n)} ${n === 1 ? noun : plural}`

/** `2 to change`, of what there is any. */
export const amounts = (parts: readonly (readonly [n: number, words: string])[]): string[] =>
  parts.filter(([n]) => n > 0).map(([n, words]) => `${thousands(n)} ${words}`)

/** `a, b and 3 more`. */
export const names = (all: readonly string[], most: number): string => {
  const shown = all.slice(0, most).join(', ')
  const rest = all.length - Math.min(most, all.length)
  return rest === 0 ? shown : `${shown}${shown === '' ? '' : ' and '}${thousands(rest)} more`
}

/** The order of risk: destructive actions first. */
export const actions: readonly Action[] = ['delete', 'replace', 'update', 'create']

/** A path, safe to print. */
export const pathWords = (path: Path): string => visible(pathText(path))

/** As in `1 to destroy`. */
export const actionNames: Readonly<Record<Action, string>> = {
  delete: 'destroy',
  replace: 'replace',
  update: 'change',
  create: 'create',
}

/** The symbols of OpenTofu; for a replacement, the symbol shows the order. */
export const symbolOf = (change: Pick<Change, 'action' | 'replaceOrder'>): string =>
  ({ create: '+', update: '~', delete: '-', replace: change.replaceOrder === 'createFirst' ? '+/-' : '-/+' })[
    change.action
  ]

const reasons: Readonly<Record<ActionReason, string>> = {
  create_because_archived: 'an archived object has the configured name',
  replace_because_cannot_update: 'it cannot be changed in place',
  replace_because_tainted: 'somebody marked it to be replaced',
  delete_because_no_resource_config: 'it is no longer in the configuration',
  delete_because_absent: 'the configuration declares it absent',
  delete_because_former: 'it is a former object, and its resource has another one',
}

const blocks: Readonly<Record<BlockReason, string>> = {
  prevent_destroy: 'preventDestroy is set',
  immutable: 'it cannot be changed in place, and onImmutable is not replace',
  dependency_unknown: 'a dependency could not be checked',
  value_missing: 'a value that its request needs is missing',
  not_sent: 'no request sends a part of it',
  also_declared: 'another declared resource is the same object',
  unread: 'a part of it could not be read',
  same_keys: 'the old object and the new one cannot exist at once',
  frozen: 'the target accepts no change of it now',
  rule_checks: 'only a rule covers it, which checks',
  read_only: 'it is only read',
  dependent_kept: 'what needs the object is not changed',
  made_again: 'its object is not found any more, and another one has its name',
  not_adopted: 'it exists, but is not recorded in this workspace',
  not_undone: 'what the apply did to it cannot be undone',
  held: 'its request is about an object of another workspace',
  unanswered: 'what an apply made for it cannot be told',
}

const verbs: Readonly<Record<Action, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'destroyed',
  replace: 'replaced',
}

const orders = {
  deleteFirst: ' (destroyed, then created)',
  createFirst: ' (created, then the old one destroyed)',
} as const

/**
 * An object that was there once and is not found now. That it was deleted is known only where a log says so: a target that hides
 * an object answers the same.
 */
const missing = {
  deleted: 'it was deleted outside',
  unseen: 'it is not found any more',
  moved: 'its former object is still there',
} as const

/** In which container somebody has put what the configuration lists as gone. */
export const stillInWords = (where: Drift['stillIn']): Prose =>
  where === undefined
    ? []
    : [`, in ${where.attribute} `, foreign(spellValue(where.value)), ', where somebody has moved it']

/** Of what left the configuration. */
export const remadeWords = ', and another object has its name, which stays'

/** `will be destroyed: it is no longer in the configuration`. */
export const changeWords = (change: Change, gone?: keyof typeof missing): Prose => {
  const verb = change.reason === 'create_because_archived' ? 'revived' : verbs[change.action]
  const rest = change.action === 'replace' ? orders[change.replaceOrder ?? 'deleteFirst'] : ''
  const again = gone !== undefined && change.action === 'create' ? ` again: ${missing[gone]}` : ''
  if (change.blocked === undefined) return [`will be ${verb}${rest}${again}`, ...reasonWords(change)]
  const { reason, detail } = change.blocked
  return [
    `would be ${verb}${again}`,
    ...reasonWords(change),
    `; BLOCKED, not sent: ${blocks[reason]}`,
    ...when(detail !== '', ' (', foreign(detail), ')'),
  ]
}

/** A replacement names the paths that force it, also those that the diff does not show. */
const reasonWords = ({ reason, replacePaths }: Change): Prose => {
  const paths = foreignList(replacePaths.map(pathWords))
  if (reason === undefined) return paths.length === 0 ? [] : [': because of ', ...paths]
  if (reason === 'replace_because_cannot_update' && paths.length > 0) {
    return [': ', ...paths, ' cannot be changed in place']
  }
  return [`: ${reasons[reason]}`]
}

/** When the command is sent at all. A digest of what was read stays out: it says nothing to people. */
export const preconditionWords = (precondition: Precondition | undefined): Prose => {
  if (precondition === undefined) return ['sent without a precondition']
  const words = conditionWords(precondition)
  const inside = 'inside' in precondition ? Object.entries(precondition.inside ?? {}) : []
  const place = inside.length === 0 ? [] : ['; inside of ', ...foreignList(inside.map(named))]
  if (!('identity' in precondition) || precondition.identity === undefined) return [...words, ...place]
  const { keys, ids = {} } = precondition.identity
  const names = [...Object.entries(keys), ...Object.entries(ids).filter(([name]) => keys[name] === undefined)]
  return names.length === 0
    ? [...words, ...place]
    : [...words, '; destroys the object with ', ...foreignList(names.map(named)), ...place]
}

const named = ([name, value]: readonly [string, Json]): string => `${name} ${spellValue(value)}`

const conditionWords = (precondition: Precondition): Prose => {
  switch (precondition.kind) {
    case 'etag':
      return [
        'only if a new read still matches this plan, and its version is still ',
        foreign(precondition.etag),
        ` (${precondition.header ?? 'If-Match'})`,
      ]
    case 'field':
      return [
        'only if a new read still matches this plan, and ',
        foreign(precondition.pointer),
        ' is unchanged (the API compares)',
      ]
    case 'reread':
      return ['only if a new read still matches this plan']
    case 'chained':
      return ['only if a new read matches this plan and the earlier commands', ...then(precondition)]
    case 'made':
      return ['only if a new read finds it as the earlier commands left it', ...then(precondition)]
    case 'absent':
      return [
        precondition.archived === undefined
          ? 'only if a new read still finds nothing'
          : 'only if a new read still finds it archived',
        ...(precondition.sentBy === undefined
          ? []
          : ['; apply ', foreign(precondition.sentBy), ' sent a create before, with an unknown result']),
      ]
  }
}

const then = ({ object }: { readonly object?: string }): Prose =>
  object === undefined ? [] : [', and its version has not changed since']

/** The element of a request whose position other writes change. */
export const aboutWords = (about: Command['about']): Prose => {
  if (about === undefined) return []
  const labels = (keys: readonly JsonObject[]): string =>
    names(
      keys.map((key) => Object.values(key).map(spellValue).join(' ')),
      10,
    )
  if (about.order !== undefined)
    return [
      `; only while ${visible(about.of)} is`,
      ...(about.order.length === 0 ? [' empty'] : [': ', foreign(labels(about.order))]),
    ]
  const places = Object.entries(about.holds ?? {}).map(([name, value]) => `${name} ${spellValue(value)}`)
  return [
    '; only while ',
    foreign(labels([about.key ?? {}])),
    ` of ${visible(about.of)} has `,
    foreign(places.join(', ')),
  ]
}

/** `waits until state is OK, at most 30 min`; empty for a command that is complete when it is answered. */
export const waitWords = (wait: Command['wait'] = []): Prose =>
  wait.flatMap((waiter, place) => [place === 0 ? '; waits until ' : ', then until ', ...endWords(waiter)])

const endWords = ({ gone, forgotten, state, ok, timeoutSeconds }: Waiter): Prose => [
  ...(gone !== undefined
    ? ['it is gone']
    : state === undefined
      ? ['it is done']
      : [foreign(state.slice(1).replaceAll('/', '.')), ' is ', ...foreignList(ok.map(spellValue), ' or ')]),
  ...when(forgotten === 'done', ' or it no longer exists'),
  `, at most ${span(timeoutSeconds)}`,
]

/** `30 min`: in the largest unit that leaves no fraction. */
const span = (seconds: number): string => {
  const [size, unit] = units.find(([each]) => seconds % each === 0) ?? [1, 's']
  return `${thousands(seconds / size)} ${unit}`
}

const units = [
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const

/** One sentence, the same for every format. The words "in sync" need a plan that is. */
export const headline = (plan: Plan): string => {
  const moved = plan.drift.length === 0 ? '' : count(plan.drift.length, 'drifted resource')
  const open = plan.unchecked.length === 0 ? '' : `${thousands(plan.unchecked.length)} could not be checked`
  const orphans = plan.orphans?.filter(isReported) ?? []
  const orphaned = orphans.length === 0 ? '' : count(orphans.length, 'orphaned resource')
  const rest = plan.leftOut === undefined ? '' : `${thousands(plan.leftOut.length)} not selected`
  const tail = [rest, orphaned, moved, open].filter((part) => part !== '')
  if (plan.changes.length > 0) return [count(plan.changes.length, 'change'), ...tail].join(', ')
  if (plan.inSync && plan.unchecked.length === 0) {
    const checked = `in sync, ${count(plan.counts.unchanged, 'resource')} checked`
    return moved === '' ? checked : `${checked} (${moved}, as declared)`
  }
  if (open !== '') {
    const isBlind = plan.counts.unchanged === 0 && plan.unchecked.every(({ attributes }) => attributes === undefined)
    return [isBlind ? 'nothing could be compared' : 'no changes in what was checked', ...tail].join(', ')
  }
  return [orphaned === '' ? 'no changes, but the check is incomplete' : 'no changes', ...tail].join(', ')
}

const fates: Readonly<Record<Orphan['fate'], string>> = {
  delete: 'delete',
  forget: 'forget, nothing is deleted',
  report: 'report only, nothing is deleted',
}

const ruleWords = ({ by, fate }: Orphan): string =>
  ({ removed: 'removed', lifecycle: `lifecycle.orphan: ${fate}`, workspace: `orphans: ${fate}` })[by]

/** `2 resources left the configuration: delete (orphans: delete)`, one for each rule; what destroys comes first. */
export const orphanNotes = ({ orphans = [] }: Plan): readonly Prose[] =>
  orphanFates.flatMap((fate) => {
    const alike = orphans.filter((orphan) => orphan.fate === fate)
    return [...Map.groupBy(alike, ruleWords)].map(
      ([rule, group]): Prose => [`${count(group.length, 'resource')} left the configuration: ${fates[fate]} (${rule})`],
    )
  })

/** Who approves its delete may take it for an object that Plumbline made. */
export const originWords = ({ neverApplied }: Orphan): Prose =>
  neverApplied ? ['; no apply of it is known: a check or an import recorded it'] : []

/** What happens to one of them. */
export const orphanWords = (orphan: Orphan): Prose => [
  `left the configuration: ${fates[orphan.fate]} (${ruleWords(orphan)})`,
  ...originWords(orphan),
  ...when(orphan.reason !== undefined, ': ', foreign(orphan.reason ?? '')),
]

/** Beside the title of the commands. Without a digest nobody can approve them. */
export const sentWords = (digest: string | undefined): string =>
  digest === undefined ? 'these would be sent, in this order' : 'exactly these are sent, in this order'

/** Beside a value that a resource did not write itself. */
export const ruleTag = (address: string): string => `by ${address}`
