import { normalise } from '../diff/normalise.ts'
import { planResource } from '../plan/plan-resource.ts'
import type { PlannedResource } from '../plan/planning.ts'
import type { ResourceType, Target } from '../providers/provider.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Address, DesiredResource, ReadResult, RecordedResource, UnknownReason } from '../schema/resource.ts'
import { isUnknown } from '../schema/value.ts'
import type { Channels } from './channels.ts'
import type { Deps } from './deps.ts'
import { fitTypes } from './fit-types.ts'
import { type LoadedWorkspace, typeOf } from './loaded-workspace.ts'
import { type Looked, lookAt, resolveTarget } from './look-at.ts'
import { type Known, resolveAttributes } from './resolve-attributes.ts'
import { sealDesired } from './seal-values.ts'

/** One resource after its read: what the plan says of it, and what its requests and its record are made of. */
export interface PlannedOne {
  readonly planned: PlannedResource
  readonly desired?: DesiredResource
  readonly recorded?: RecordedResource
  /** Absent where the configuration has no provider for it any more. */
  readonly type?: ResourceType
  readonly provider: string
  readonly target: Target
  readonly looked: Looked
}

export interface OneInput {
  readonly loaded: LoadedWorkspace
  readonly address: Address
  readonly desired?: DesiredResource
  readonly recorded?: RecordedResource
  /** Of resources of earlier waves. */
  readonly known: ReadonlyMap<Address, Known>
  readonly channels: Channels
}

/** Resolves, seals, reads and plans one resource. */
export const planOne = async (input: OneInput, deps: Deps): Promise<PlannedOne> => {
  const subject = input.desired ?? input.recorded
  const alias = subject?.provider ?? ''
  const type = typeOf(input.loaded, alias, subject?.type ?? '')
  const ready = await findReferences(await makeReady(input, type, deps), input, type)
  const { desired, recorded } = ready
  const attributes = (desired ?? recorded)?.attributes ?? {}
  const target: Target = {
    address: input.address,
    attributes: type === undefined ? attributes : normalise(type.schema, attributes, desired ? 'desired' : 'recorded'),
    ...(recorded?.ids === undefined ? {} : { ids: recorded.ids }),
    ...(isLeaving(ready) ? { leaving: true } : {}),
    ...(desired?.dependsOn.some((each) => input.known.get(each)?.kind === 'coming') ? { coming: true } : {}),
    ...(ready.refs === undefined ? {} : { refs: ready.refs }),
  }
  const looked =
    ready.result === undefined && type !== undefined
      ? await lookAt(type, target, desired?.attributes, input.channels.of(alias).plan, deps.seal, input.channels)
      : { result: ready.result ?? noProvider(alias) }
  const planned = planResource({
    ...(desired === undefined ? {} : { desired }),
    ...(recorded === undefined ? {} : { recorded }),
    facts: type ?? { schema: { attributes: {} } },
    observed: looked.result,
    ignoreRules: input.loaded.configuration.ignore,
    today: deps.clock.now().toISOString().slice(0, 10),
  })
  return {
    planned,
    ...both(desired, recorded),
    ...(type === undefined ? {} : { type }),
    provider: alias,
    target,
    looked,
  }
}

const both = (desired: DesiredResource | undefined, recorded: RecordedResource | undefined) => ({
  ...(desired === undefined ? {} : { desired }),
  ...(recorded === undefined ? {} : { recorded }),
})

const unknown = (reason: UnknownReason, detail: string): ReadResult => ({ kind: 'unknown', reason, detail })

const noProvider = (alias: string): ReadResult =>
  unknown(
    'unsupported',
    `the configuration has no provider "${alias}" with this type any more; put it back to delete this`,
  )

interface Ready {
  readonly desired?: DesiredResource
  readonly recorded?: RecordedResource
  /** Known without a read. */
  readonly result?: ReadResult
  /** The objects behind its references. */
  readonly refs?: JsonObject
}

const isLeaving = ({ desired }: Ready): boolean => desired === undefined || desired.absent

/** References and secrets put in. What cannot be known makes the resource unchecked. */
const makeReady = async (input: OneInput, type: ResourceType | undefined, deps: Deps): Promise<Ready> => {
  const { desired, recorded, known, channels } = input
  if (desired === undefined || type === undefined) return both(desired, recorded)
  const resolved = resolveAttributes(desired.attributes, known)
  if (!resolved.ok) {
    const detail = `it refers to ${resolved.address}, of which that value is not known`
    return { ...both(desired, recorded), result: unknown('unresolved', detail) }
  }
  const attributes = fitTypes(type.schema, resolved.attributes)
  const sealed = await sealDesired(type.schema, attributes, deps.secrets, deps.seal, channels.redactor.learn)
  if (!sealed.ok) return { ...both(desired, recorded), result: unknown('secret', sealed.detail) }
  const ready = { ...both(desired, recorded), desired: { ...desired, attributes: sealed.attributes } }
  // What is identified by something that does not exist yet cannot exist either.
  return isIdentityUnknown(type, sealed.attributes) ? { ...ready, result: { kind: 'absent' } } : ready
}

/** Names and ids become what the API shows: it is compared with that, and that is what is sent. */
const findReferences = async (ready: Ready, input: OneInput, type: ResourceType | undefined): Promise<Ready> => {
  const { desired, recorded, result } = ready
  const subject = desired ?? recorded
  if (subject === undefined || type?.resolve === undefined || result?.kind === 'unknown') return ready
  const { channels, address } = input
  const target = { address, attributes: subject.attributes, ...(isLeaving(ready) ? { leaving: true as const } : {}) }
  const found = await resolveTarget(type, target, channels.of(subject.provider).plan, channels.redactor)
  if (found.kind === 'unresolved') return { ...ready, result: found.result }
  const { attributes, refs } = found
  return {
    ...ready,
    ...(desired === undefined ? {} : { desired: { ...desired, attributes } }),
    ...(desired !== undefined || recorded === undefined ? {} : { recorded: { ...recorded, attributes } }),
    refs,
  }
}

const isIdentityUnknown = ({ schema }: ResourceType, attributes: JsonObject): boolean =>
  Object.entries(schema.attributes).some(([name, { identity }]) => identity === true && isUnknown(attributes[name]))
