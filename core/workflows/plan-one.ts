import type { Claim, KeyTexts, Want } from '../binding/share-objects.ts'
import { keysOf, keyTexts, lacksKey, objectText, unknownKeys } from '../binding/sight.ts'
import { normalise } from '../diff/normalise.ts'
import { planResource } from '../plan/plan-resource.ts'
import type { PlannedResource } from '../plan/planning.ts'
import type { ResourceType, Target } from '../providers/provider.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Address, DesiredResource, RecordedResource } from '../schema/resource.ts'
import type { Channels } from './channels.ts'
import type { Deps } from './deps.ts'
import { type LoadedWorkspace, placeOf, typeOf } from './loaded-workspace.ts'
import { type Located, locateObject } from './locate-object.ts'
import { type Looked, lookAt } from './look-at.ts'
import type { Known } from './resolve-attributes.ts'
import { type Resolved, resolveResource } from './resolve-resource.ts'

/** One resource after its read: which object it is, and what its requests and its record are made of. */
export interface BoundResource {
  readonly address: Address
  readonly desired?: DesiredResource
  readonly recorded?: RecordedResource
  /** Absent where the configuration has no provider for it any more. */
  readonly type?: ResourceType
  readonly provider: string
  readonly place: string
  /** The object as it is known by now; where there is none, the one that is to be made. */
  readonly target: Target
  readonly looked: Looked
  /** What was found is the object of the record. */
  readonly isOwn: boolean
  /** Canonical attributes as configured; absent where what they refer to could not be found. */
  readonly wanted?: JsonObject
  /** Those that it may be, where nobody can tell. */
  readonly candidates?: readonly string[]
  /** The objects behind the references of what is configured. */
  readonly refs?: JsonObject
  /** What these references are called in the configuration. */
  readonly named?: Resolved['named']
}

/** The same, with what the plan says of it. */
export interface PlannedOne extends BoundResource {
  readonly planned: PlannedResource
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

/** Resolves, seals, and finds the object of one resource. */
export const readOne = async (input: OneInput, deps: Deps): Promise<BoundResource> => {
  const { loaded, address } = input
  const subject = input.desired ?? input.recorded
  const provider = subject?.provider ?? ''
  const type = typeOf(loaded, provider, subject?.type ?? '')
  if (type === undefined) return withoutProvider(input, provider)
  const resolved = await resolveResource({ ...input, type }, deps)
  const place = placeOf(loaded, provider, type)
  const located = await locate(input, { type, place, resolved }, deps)
  return {
    address,
    ...(resolved.desired === undefined ? {} : { desired: resolved.desired }),
    ...(resolved.recorded === undefined ? {} : { recorded: resolved.recorded }),
    type,
    provider,
    place,
    ...(resolved.desired === undefined || resolved.result !== undefined
      ? {}
      : { wanted: normalise(type.schema, resolved.desired.attributes, 'desired') }),
    ...located,
    ...(resolved.refs === undefined ? {} : { refs: resolved.refs }),
    ...(resolved.named === undefined ? {} : { named: resolved.named }),
  }
}

const withoutProvider = ({ address, desired, recorded }: OneInput, provider: string): BoundResource => {
  const detail = `the configuration has no provider "${provider}" with this type any more; put it back to delete this`
  return {
    address,
    ...(desired === undefined ? {} : { desired }),
    ...(recorded === undefined ? {} : { recorded }),
    provider,
    place: provider,
    target: { address, attributes: (desired ?? recorded)?.attributes ?? {} },
    looked: { result: { kind: 'unknown', reason: 'unsupported', detail } },
    isOwn: false,
  }
}

const locate = async (
  { address, desired: written, known, channels }: OneInput,
  { type, place, resolved }: { readonly type: ResourceType; readonly place: string; readonly resolved: Resolved },
  deps: Deps,
): Promise<Located> => {
  const { desired, recorded, refs, result } = resolved
  const declared = desired && {
    attributes: normalise(type.schema, desired.attributes, 'desired'),
    absent: desired.absent,
    ...(refs === undefined ? {} : { refs }),
  }
  const base = recorded && { ...recorded, attributes: normalise(type.schema, recorded.attributes, 'recorded') }
  if (result !== undefined) {
    const target = { address, attributes: declared?.attributes ?? base?.attributes ?? {} }
    return { looked: { result }, target, isOwn: false }
  }
  const isComing = written?.dependsOn.some((each) => known.get(each)?.kind === 'coming') === true
  const { provider = '' } = desired ?? recorded ?? {}
  const { plan } = channels.of(provider)
  return locateObject(
    {
      type,
      place,
      address,
      ...(declared === undefined || resolved.isByRecord ? {} : { declared }),
      ...(base === undefined || resolved.isSwept ? {} : { recorded: base }),
      ...(resolved.isComing ? { isComing: true } : {}),
      ...(isComing ? { coming: true } : {}),
    },
    (target) => lookAt(type, target, (desired ?? recorded)?.attributes, plan, deps.seal, channels),
  )
}

/** What the plan says of a resource whose object is known. */
export const planBound = (
  bound: BoundResource & { readonly previousAddress?: Address; readonly movedTo?: Address },
  { loaded }: Pick<OneInput, 'loaded'>,
  deps: Pick<Deps, 'clock'>,
): PlannedOne => {
  const { address, desired, recorded, type, looked, isOwn, previousAddress, movedTo } = bound
  // Its record goes on under the other address, and nothing is sent for this one.
  if (movedTo !== undefined) return { ...bound, planned: { address, unobserved: [], ignored: [], forgotten: true } }
  const planned = planResource({
    ...(desired === undefined ? {} : { desired }),
    ...(recorded === undefined ? {} : { recorded }),
    facts: type ?? { schema: { attributes: {} } },
    observed: looked.result,
    isOwn,
    ...(previousAddress === undefined ? {} : { previousAddress }),
    ignoreRules: loaded.configuration.ignore,
    today: deps.clock.now().toISOString().slice(0, 10),
  })
  return { ...bound, planned }
}

/** Which object a resource is, would make, or may be; none where that is not known, or nobody minds. */
export const claimsOf = (bound: BoundResource): readonly Claim[] => {
  const { address, desired, recorded, type, candidates } = bound
  if (type === undefined || type.identity?.isShared) return []
  const objects = candidates ?? [objectOf(bound, type)]
  return [...objects, wantedText(bound, type)].flatMap((each) =>
    each === undefined
      ? []
      : [
          {
            address,
            object: each,
            isDeclared: desired !== undefined,
            goes: desired === undefined || desired.absent,
            isRecorded: recorded !== undefined,
            isSure: candidates === undefined,
            ...(bound.looked.result.kind === 'present' ? { keys: keysIn(bound, type, bound.target.attributes) } : {}),
          },
        ],
  )
}

/** What a resource wants to be, so that two of them that want the same are told, whatever they are now. */
const wantedText = (
  { wanted, place }: BoundResource,
  { schema, urlOf, identity }: ResourceType,
): string | undefined => {
  if (wanted === undefined || identity?.followsKeys) return undefined
  const texts = keyTexts(schema, wanted)
  const isWhole = keysOf(schema).every((name) => Object.hasOwn(texts, name)) && !lacksKey(schema, wanted)
  return isWhole ? `wanted ${urlOf?.(wanted) ?? JSON.stringify([place, texts])}` : undefined
}

const keysIn = ({ place }: BoundResource, { schema }: ResourceType, attributes: JsonObject): KeyTexts => ({
  place,
  texts: keyTexts(schema, attributes),
})

/** What a resource may be that shall exist and could not be read. */
export const wantsOf = (bound: BoundResource): readonly Want[] => {
  const { address, desired, type, looked, wanted = {} } = bound
  if (type === undefined || type.identity?.isShared || looked.result.kind !== 'unknown') return []
  if (desired === undefined || desired.absent) return []
  return [{ address, keys: keysIn(bound, type, wanted) }]
}

const objectOf = ({ desired, place, target, looked }: BoundResource, type: ResourceType): string | undefined => {
  const { schema, identity: rules = { readable: false } } = type
  const { result } = looked
  if (result.kind === 'unknown') return undefined
  const isMade =
    desired !== undefined &&
    !desired.absent &&
    unknownKeys(schema, target.attributes).length === 0 &&
    !lacksKey(schema, target.attributes)
  if (result.kind === 'absent' && !isMade) return undefined
  const beside = { schema, rules, place, urlOf: type.urlOf?.bind(type) }
  return objectText(beside, target.attributes, result.kind === 'present' ? result.ids : undefined)
}
