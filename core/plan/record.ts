import { elementFacts, memberFacts, plainAny, rootOf } from '../diff/facts.ts'
import { byKey, isKeyed, sortSet } from '../diff/keys.ts'
import { changedPaths } from '../diff/paths.ts'
import type { Attribute, ObjectSchema } from '../schema/attribute.ts'
import type { Diff } from '../schema/diff.ts'
import { isSame } from '../schema/diff.ts'
import type { Json, JsonObject } from '../schema/json.ts'
import { isArray, isObject, toPointer } from '../schema/json.ts'
import type { Change } from '../schema/plan.ts'
import type { DesiredResource, RecordedResource } from '../schema/resource.ts'
import { isMark } from '../schema/value.ts'
import type { PlannedResource } from './planning.ts'
import { recordSent, writeOnlyValues } from './write-only.ts'

interface RecordInput {
  readonly schema: ObjectSchema
  /** Absent: it left the configuration. */
  readonly desired?: DesiredResource
  readonly recorded?: RecordedResource
  /** Of the read. */
  readonly ids?: Readonly<Record<string, string>>
  /** The objects behind the references, as far as requests name them. */
  readonly refs?: JsonObject
}

/**
 * The record after a check: what agrees takes the observed value, what differs keeps the recorded one, or stays absent.
 * Members, map keys and elements of keyed sets count one by one, lists and other sets as a whole. `undefined`: there is
 * nothing to record, or no purpose any more.
 */
export const recordAfterCheck = (
  input: RecordInput & { readonly planned: PlannedResource },
): RecordedResource | undefined => {
  const { schema, desired, recorded, planned } = input
  const { before, change } = planned
  if (planned.forgotten) return undefined
  if (change?.blocked?.reason === 'not_adopted') return recorded
  if (desired === undefined || desired.absent || before === null || before === undefined) return recorded
  const root = rootOf(schema)
  const agreed = change === undefined ? before : settle(root, change.diff, before, recorded?.attributes)
  const neverAgreed = (change?.causes ?? []).filter(({ cause }) => cause === 'new').map(({ path }) => toPointer(path))
  return {
    ...describe(desired, input),
    attributes: rememberNulls(root, planned.desired ?? {}, isObject(agreed) ? agreed : {}),
    ...sentOf(recordSent(writeOnlyValues(schema, planned.desired ?? {}), before, recorded?.sent)),
    ...(neverAgreed.length === 0 ? {} : { neverAgreed }),
  }
}

/** The record after an apply and the read that follows it: all that is observed. `observed` null: it was deleted. */
export const recordAfterApply = (
  input: RecordInput & {
    /** Both normalised. */
    readonly wanted: JsonObject
    readonly observed: JsonObject | null
    /** What was applied: which write-only values were sent. */
    readonly change: Pick<Change, 'action' | 'diff'>
  },
): RecordedResource | undefined => {
  const { schema, desired, recorded, wanted, observed, change } = input
  if (observed === null) return undefined
  // A delete that was answered and not done: what is still there stays known.
  if (desired === undefined) return recorded
  const changed = changedPaths(change.diff).map(toPointer)
  const wasSent = (pointer: string): boolean =>
    change.action !== 'update' || changed.some((outer) => pointer === outer || pointer.startsWith(`${outer}/`))
  return {
    ...describe(desired, input),
    attributes: rememberNulls(rootOf(schema), wanted, observed),
    ...sentOf(recordSent(writeOnlyValues(schema, wanted), observed, recorded?.sent, wasSent)),
  }
}

const describe = (desired: DesiredResource, { ids, refs }: Pick<RecordInput, 'ids' | 'refs'>) => ({
  address: desired.address,
  type: desired.type,
  name: desired.name,
  ...(desired.module === undefined ? {} : { module: desired.module }),
  provider: desired.provider,
  ...(ids === undefined ? {} : { ids }),
  ...(refs === undefined || !isPlain(refs) ? {} : { refs }),
  dependsOn: desired.dependsOn,
  lifecycle: desired.lifecycle,
})

/** Without what only a command will tell, or nobody may keep. */
const isPlain = (value: Json): boolean =>
  !isMark(value) && (typeof value !== 'object' || value === null || Object.values(value).every(isPlain))

const sentOf = (sent: NonNullable<RecordedResource['sent']>) => (Object.keys(sent).length === 0 ? {} : { sent })

const settle = (
  facts: Attribute,
  diff: Diff,
  observed: Json | undefined,
  recorded: Json | undefined,
): Json | undefined => {
  if (isSame(diff)) return observed
  if (diff.action !== 'update') return recorded
  if (diff.kind === 'object' || diff.kind === 'map') return settleMembers(facts, diff.members, observed, recorded)
  if (diff.kind !== 'set' || !isKeyed(facts)) return recorded
  const now = byKey(facts, isArray(observed) ? sortSet(facts, observed) : [])
  const then = byKey(facts, isArray(recorded) ? sortSet(facts, recorded) : [])
  const elements = diff.elements.flatMap(({ key = '', diff: inner }) => {
    const element = settle(elementFacts(facts), inner, now.get(key), then.get(key))
    return element === undefined ? [] : [element]
  })
  return elements
}

const settleMembers = (
  facts: Attribute,
  members: Readonly<Record<string, Diff>>,
  observed: Json | undefined,
  recorded: Json | undefined,
): Json =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, inner]) => {
      const value = settle(
        memberFacts(facts, name) ?? plainAny,
        inner,
        memberOf(observed, name),
        memberOf(recorded, name),
      )
      return value === undefined ? [] : [[name, value]]
    }),
  )

const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** A null that was agreed by absence is written down, so that a value that appears later is known to have moved. */
const rememberNulls = (facts: Attribute, desired: JsonObject, agreed: JsonObject): JsonObject => {
  const added = Object.entries(desired).flatMap(([name, wanted]): [string, Json][] => {
    const value = memberOf(agreed, name)
    if (wanted === null) return value === undefined ? [[name, null]] : []
    const inner = memberFacts(facts, name)
    if (inner?.type !== 'object' || !isObject(wanted) || !isObject(value)) return []
    return [[name, rememberNulls(inner, wanted, value)]]
  })
  return added.length === 0 ? agreed : { ...agreed, ...Object.fromEntries(added) }
}
