import { normalise } from '../../diff/normalise.ts'
import type { PlannedResource } from '../../plan/planning.ts'
import { planResource } from '../../plan/resource/plan-resource.ts'
import type { ResourceType, Target } from '../../providers/provider.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Address, DesiredResource, Doubt, RecordedResource } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import type { Channels } from './channels.ts'
import { type LoadedWorkspace, placeOf, typeOf } from './load/loaded-workspace.ts'
import { type Located, locateObject } from './read/locate-object.ts'
import { type Looked, lookAt } from './read/look-at.ts'
import type { Known } from './read/resolve-attributes.ts'
import { type Resolved, resolveResource } from './read/resolve-resource.ts'

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
  /** Attributes that the configuration gives by a reference. */
  readonly refersBy?: readonly string[]
  /** What these references are called in the configuration. */
  readonly named?: Resolved['named']
  /** What this run found that speaks against the record. */
  readonly doubt?: Doubt
  /** An id that is never given again leads to it. */
  readonly isProven?: true
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
  const { desired, recorded, refs, refersBy, named } = resolved
  const place = placeOf(loaded, provider, type)
  const wanted = desired && normalise(type.schema, desired.attributes, 'desired')
  const located = await locate(input, { type, place, resolved, ...defined({ wanted }) }, deps)
  return {
    address,
    ...defined({ desired, recorded }),
    type,
    provider,
    place,
    ...defined({ wanted: wanted === undefined || resolved.result !== undefined ? undefined : wanted }),
    ...located,
    ...defined({ refs, refersBy, named }),
  }
}

const withoutProvider = ({ address, desired, recorded }: OneInput, provider: string): BoundResource => {
  const detail = `the configuration has no provider "${provider}" with this type any more; put it back to delete this`
  return {
    address,
    ...defined({ desired, recorded }),
    provider,
    place: provider,
    target: { address, attributes: (desired ?? recorded)?.attributes ?? {} },
    looked: { result: { kind: 'unknown', reason: 'unsupported', detail } },
    isOwn: false,
  }
}

interface Seeking {
  readonly type: ResourceType
  readonly place: string
  readonly resolved: Resolved
  /** Canonical attributes as configured. */
  readonly wanted?: JsonObject
}

const locate = async (
  { address, desired: written, known, channels }: OneInput,
  { type, place, resolved, wanted }: Seeking,
  deps: Deps,
): Promise<Located> => {
  const { desired, recorded, refs, result } = resolved
  const base = recorded && { ...recorded, attributes: normalise(type.schema, recorded.attributes, 'recorded') }
  if (result !== undefined) {
    const target = { address, attributes: wanted ?? base?.attributes ?? {} }
    return { looked: { result }, target, isOwn: false }
  }
  const declared = desired && wanted && { attributes: wanted, absent: desired.absent, ...defined({ refs }) }
  const isComing = written?.dependsOn.some((each) => known.get(each)?.kind === 'coming') === true
  const { provider = '' } = desired ?? recorded ?? {}
  const { plan } = channels.of(provider)
  return locateObject(
    {
      type,
      place,
      address,
      ...defined({
        declared: declared === undefined || resolved.isByRecord ? undefined : declared,
        recorded: base === undefined || resolved.isSwept ? undefined : base,
        isComing: resolved.isComing ? true : undefined,
        coming: isComing ? true : undefined,
      }),
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
    ...defined({ desired, recorded }),
    facts: type ?? { schema: { attributes: {} } },
    observed: looked.result,
    isOwn,
    ...defined({ previousAddress }),
    ignoreRules: loaded.configuration.ignore,
    today: deps.clock.now().toISOString().slice(0, 10),
  })
  return { ...bound, planned }
}
