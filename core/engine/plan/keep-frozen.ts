import { isEqual } from '../diff/matching/canonical.ts'
import type { ObjectReference } from '../schema/attribute.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Address, TypeLifecycle } from '../schema/resource.ts'
import type { Change } from '../schema/stored/plan.ts'
import { spellValue } from '../values/spell-value.ts'
import { blocks } from './words.ts'

export interface FreezeFacts {
  readonly address: Address
  readonly type?: string | undefined
  readonly frozen?: TypeLifecycle['frozen']
  readonly within?: readonly { readonly attribute: string; readonly of: ObjectReference }[] | undefined
  readonly dependsOn: readonly Address[]
  readonly before?: JsonObject | null | undefined
  /** The attributes after the plan. */
  readonly after?: JsonObject | null | undefined
}

/** Blocks what the target would refuse: changes of an object that stays frozen, and of the objects inside it. */
export const keepFrozen = (
  changes: readonly Change[],
  resources: ReadonlyMap<Address, FreezeFacts>,
): readonly Change[] => {
  const changed = new Map(changes.map((change) => [change.address, change]))
  const frozen = new Map(
    [...resources.values()].flatMap((one): [Address, FreezeFacts][] =>
      staysFrozen(one, changed.get(one.address)) ? [[one.address, one]] : [],
    ),
  )
  if (frozen.size === 0) return changes
  return changes.map((change) => {
    if (change.blocked !== undefined) return change
    const own = change.action === 'update' ? frozen.get(change.address) : undefined
    const by = own ?? aroundIt(change, resources.get(change.address), frozen)
    if (by === undefined) return change
    return { ...change, blocked: { reason: 'frozen', detail: blocks.frozen(by.address, valuesOf(by)) } }
  })
}

/** A change that is not sent leaves an object frozen. */
const staysFrozen = (one: FreezeFacts, change: Change | undefined): boolean =>
  isFrozen(one, one.before) &&
  (change === undefined || change.blocked !== undefined || change.action === 'delete' || isFrozen(one, one.after))

const isFrozen = ({ frozen }: FreezeFacts, values: JsonObject | null | undefined): boolean =>
  frozen !== undefined &&
  values !== undefined &&
  values !== null &&
  Object.entries(frozen).every(([name, states]) => states.some((state) => isEqual(state, values[name])))

const valuesOf = ({ frozen = {}, before }: FreezeFacts): string =>
  Object.keys(frozen)
    .map((name) => `${name}: ${spellValue(before?.[name] ?? null)}`)
    .join(', ')

/** The frozen object that contains the object of a change. */
const aroundIt = (
  { before, after }: Change,
  one: FreezeFacts | undefined,
  frozen: ReadonlyMap<Address, FreezeFacts>,
): FreezeFacts | undefined => {
  const values = { ...after, ...before }
  return one?.dependsOn
    .map((address) => frozen.get(address))
    .find((outer) =>
      one.within?.some(
        ({ attribute, of }) =>
          of.type === outer?.type &&
          (of.attribute === undefined || isEqual(values[attribute] ?? null, outer.before?.[of.attribute] ?? null)),
      ),
    )
}
