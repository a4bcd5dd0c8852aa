import type { Path } from '../../../engine/schema/json.ts'
import { holdsState } from '../../../engine/values/scalars.ts'
import { allEntries } from '../document/attributes.ts'
import { deleteOf, isKept, pollsObject, type RestResource } from '../document/document.ts'
import { callOf } from '../document/lifecycle.ts'
import { isRead } from '../document/operation/operation.ts'
import type { WaiterEntry } from '../document/operation/wait.ts'
import { checkProduced, checkRead, checkRule, checkWrite } from './shared/operation.ts'
import { type Findings, found, problem } from './shared/problem.ts'
import { waitersOf } from './shared/variables.ts'
import type { KeptKind } from './shared/words.ts'

/** The operations that a resource needs: a create, and a delete unless deletes are prevented. */
export const checkLife = (resource: RestResource): Findings => [
  resource.identity.keys.length === 0 && resource.lifecycle?.single !== true && problem(['identity'], 'noIdentity'),
  isKept(resource) ? checkKept(resource) : checkMade(resource),
]

const checkMade = (resource: RestResource): Findings => {
  const { operations, lifecycle = {} } = resource
  const { preventDelete, onImmutable, beforeDelete = [], delete: { gone, instead = [] } = {} } = lifecycle
  const remove = deleteOf(resource)
  const canDelete = operations[remove] !== undefined
  return [
    operations['create'] === undefined
      ? problem(['operations'], 'noCreate')
      : checkWrite(resource, 'create', ['operations', 'create']),
    canDelete && checkWrite(resource, remove, ['operations', remove]),
    !canDelete && preventDelete !== true && problem(['operations'], 'noDelete', remove),
    found(
      ['lifecycle'],
      !canDelete && onImmutable === 'replace' && problem(['onImmutable'], 'noReplacement', remove),
      gone !== undefined && Object.keys(gone.where).length === 0 && problem(['delete', 'gone'], 'everythingGone'),
      checkRevive(resource),
      beforeDelete.map((call, index) => checkCall(resource, callOf(call), ['beforeDelete', index])),
      instead.map((call, index) => checkCall(resource, call, ['delete', 'instead', index])),
    ),
  ]
}

const checkCall = (resource: RestResource, { op, when = {} }: ReturnType<typeof callOf>, path: Path): Findings => {
  const entries = allEntries(resource)
  return [
    checkWrite(resource, op, path),
    Object.keys(when)
      .filter((attribute) => entries[attribute] === undefined)
      .map((attribute) => problem([...path, 'when'], 'noAttribute', attribute, entries)),
  ]
}

const checkRevive = (resource: RestResource): Findings => {
  const { revive, adopt, delete: remove } = resource.lifecycle ?? {}
  if (revive === undefined) return []
  return [
    checkWrite(resource, revive, ['revive']),
    remove?.gone === undefined && problem(['revive'], 'nothingArchived'),
    adopt === false && problem(['revive'], 'reviveWithoutAdopt'),
  ]
}

const neverUsed = ['create', 'delete', 'beforeDelete', 'revive', 'adopt', 'replace'] as const

/** Other operations for the create, and the state in which nothing can be written. */
export const checkCreates = (resource: RestResource): Findings => {
  const entries = allEntries(resource)
  const { create = [], frozen = {}, initial = {} } = resource.lifecycle ?? {}
  const known = (values: object, path: Path): Findings =>
    Object.keys(values)
      .filter((name) => entries[name] === undefined)
      .map((name) => problem([...path, name], 'noAttribute', name, entries))
  return found(
    ['lifecycle'],
    create.map(({ op, given, when = {} }, index) => [
      checkWrite(resource, op, ['create', index, 'op']),
      entries[given]?.createOnly !== true && problem(['create', index, 'given'], 'notCreateOnly', given),
      known(when, ['create', index, 'when']),
    ]),
    known(frozen, ['frozen']),
    known(initial, ['initial']),
  )
}

/** Settings that always exist, and objects that are only referred to. */
const checkKept = (resource: RestResource): Findings => {
  const { lifecycle = {}, parts, identity } = resource
  const kind: KeptKind = lifecycle.single === true ? 'settings' : 'reference'
  return [
    found(
      ['lifecycle'],
      neverUsed.filter((key) => lifecycle[key] !== undefined).map((key) => problem([key], 'neverMade', kind)),
      lifecycle.onImmutable === 'replace' && problem(['onImmutable'], 'neverReplaced', kind),
    ),
    lifecycle.mode === 'reference' && [
      parts.map(({ write }, index) => write !== undefined && problem(['parts', index, 'write'], 'neverWritten')),
      Object.entries(allEntries(resource))
        .filter(([name, { computed }]) => !computed && !identity.keys.includes(name))
        .map(([name]) => problem(['parts'], 'couldDiffer', name)),
    ],
  ]
}

/** Rules for waiters and their operations, and for the states of a resource. */
export const checkWaits = (resource: RestResource): Findings => [
  waitersOf(resource).map(({ waiter, path }) => found(path, checkWaiter(resource, waiter))),
  Object.entries(resource.operations)
    .filter(([, operation]) => operation.wait !== undefined && isRead(operation))
    .map(([name]) => problem(['operations', name, 'wait'], 'nothingToWaitFor', name)),
  found(['lifecycle', 'states'], checkStates(resource)),
]

const checkWaiter = (resource: RestResource, waiter: WaiterEntry): Findings => {
  const { poll, state, ok, error, failed = [], gone, forgotten, intervalSeconds, timeoutSeconds } = waiter
  const op = typeof poll === 'string' ? poll : 'op' in poll ? poll.op : undefined
  const lost: Path = ['forgotten']
  return [
    op !== undefined && checkRead(resource, op, ['poll']),
    state !== undefined && ok === undefined && gone === undefined && problem(['state'], 'noEnd'),
    state === undefined && [ok && problem(['ok'], 'noStatePlace'), error && problem(['error'], 'noStatePlace')],
    inBoth(ok, error).map((each) => problem(['error'], 'stateTwice', String(each), 'ok', 'error')),
    forgotten !== undefined && pollsObject(resource, waiter) && problem(lost, 'goneNotForgotten', op ?? ''),
    forgotten !== undefined && gone !== undefined && problem(lost, 'goneAndForgotten'),
    failed.map((rule, index) => checkRule(rule, ['failed', index])),
    checkProduced(resource, waiter.produces ?? {}, ['produces']),
    intervalSeconds > timeoutSeconds && problem(['timeoutSeconds'], 'endsBeforeFirstPoll'),
  ]
}

const checkStates = ({ lifecycle = {} }: RestResource): Findings => {
  if (lifecycle.states === undefined) return []
  const { busy, error } = lifecycle.states
  return [
    busy === undefined && error === undefined && problem([], 'noStateNamed'),
    inBoth(busy, error).map((each) => problem(['error'], 'stateTwice', String(each), 'busy', 'error')),
  ]
}

type LifeStates = readonly (string | number | boolean)[]

const inBoth = (left: LifeStates = [], right: LifeStates = []): LifeStates =>
  right.filter((each) => holdsState(left, each))
