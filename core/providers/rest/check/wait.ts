import type { Path } from '../../../schema/json.ts'
import { holdsState } from '../../../values/equal-states.ts'
import type { Problem } from '../../provider.ts'
import { pollsObject, type RestResource } from '../document/document.ts'
import { isRead } from '../document/operation.ts'
import { problem } from '../document/problem.ts'
import type { WaiterEntry } from '../document/wait.ts'
import { checkRead, checkRule } from './operation.ts'

interface Held {
  readonly entry: WaiterEntry
  readonly at: Path
}

const waitersOf = (resource: RestResource): readonly Held[] => [
  ...heldBy(resource.wait, ['wait']),
  ...Object.entries(resource.operations).flatMap(([name, { wait }]) =>
    wait === 'none' ? [] : heldBy(wait, ['operations', name, 'wait']),
  ),
]

const heldBy = (wait: RestResource['wait'], at: Path): readonly Held[] => {
  if (wait === undefined) return []
  return [wait].flat().map((entry, index) => ({ entry, at: Array.isArray(wait) ? [...at, index] : at }))
}

/** What waiters demand of the operations, and the states of a resource of each other. */
export const checkWaits = (resource: RestResource): readonly Problem[] => [
  ...waitersOf(resource).flatMap((held) => checkWaiter(resource, held)),
  ...Object.entries(resource.operations)
    .filter(([, operation]) => operation.wait !== undefined && isRead(operation))
    .map(([name]) =>
      problem(['operations', name, 'wait'], `"${name}" only reads, and there is nothing to wait for`, 'remove it'),
    ),
  ...checkStates(resource),
]

const checkWaiter = (resource: RestResource, { entry, at }: Held): readonly Problem[] => {
  const { poll, state, ok, error, failed = [], gone, forgotten, produces = {}, intervalSeconds, timeoutSeconds } = entry
  const op = typeof poll === 'string' ? poll : 'op' in poll ? poll.op : undefined
  return [
    ...(op === undefined ? [] : checkRead(resource, op, [...at, 'poll'])),
    ...(state !== undefined && ok === undefined && gone === undefined
      ? [problem([...at, 'state'], 'no state is named as its end', 'add ok, or gone')]
      : []),
    ...(['ok', 'error'] as const)
      .filter((name) => state === undefined && entry[name] !== undefined)
      .map((name) => problem([...at, name], 'nobody knows where the state is', 'add state')),
    ...both(ok, error).map((each) =>
      problem([...at, 'error'], `the state ${each} is both ok and error`, 'keep it in one of the two'),
    ),
    ...(forgotten !== undefined && pollsObject(resource, entry)
      ? [
          problem(
            [...at, 'forgotten'],
            `"${op}" reads the object itself: that is what "gone" is for`,
            'say gone, or remove it',
          ),
        ]
      : []),
    ...(forgotten !== undefined && gone !== undefined
      ? [problem([...at, 'forgotten'], 'both gone and forgotten say what an absence means', 'keep one of the two')]
      : []),
    ...failed.flatMap((rule, index) => checkRule(rule, [...at, 'failed', index])),
    ...Object.keys(produces)
      .filter((id) => !Object.hasOwn(resource.serverId ?? {}, id))
      .map((id) => problem([...at, 'produces', id], `"${id}" is no serverId`, 'declare it under serverId')),
    ...(intervalSeconds > timeoutSeconds
      ? [problem([...at, 'timeoutSeconds'], 'it ends before it is asked once', 'make it longer than intervalSeconds')]
      : []),
  ]
}

const checkStates = ({ lifecycle }: RestResource): readonly Problem[] => {
  const { states } = lifecycle ?? {}
  if (states === undefined) return []
  const at = ['lifecycle', 'states']
  return [
    ...(states.busy === undefined && states.error === undefined
      ? [problem(at, 'no state is named', 'add busy or error')]
      : []),
    ...both(states.busy, states.error).map((each) =>
      problem([...at, 'error'], `the state ${each} is both busy and error`, 'keep it in one of the two'),
    ),
  ]
}

type States = readonly (string | number | boolean)[]

const both = (left: States = [], right: States = []): States => right.filter((each) => holdsState(left, each))

/** A path variable that the answer before a poll gives. */
export const isGivenByWait = (resource: RestResource, operation: string, variable: string): boolean =>
  waitersOf(resource).some(
    ({ entry: { poll } }) =>
      typeof poll === 'object' && 'op' in poll && poll.op === operation && Object.hasOwn(poll.from ?? {}, variable),
  )
