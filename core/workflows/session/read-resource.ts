import { normalise } from '../../diff/normalise.ts'
import type { ResourceType } from '../../providers/provider.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Address, DesiredResource, RecordedResource } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import type { Channels } from './channels.ts'
import { type LoadedWorkspace, placeOf, typeOf } from './load/loaded-workspace.ts'
import type { ObservedResource } from './plan/observation.ts'
import { type Located, locateObject } from './read/locate-object.ts'
import { readObject } from './read/read-object.ts'
import type { Known } from './read/resolve-attributes.ts'
import { type Resolved, resolveResource } from './read/resolve-resource.ts'

export interface ReadInput {
  readonly loaded: LoadedWorkspace
  readonly address: Address
  readonly desired?: DesiredResource
  readonly recorded?: RecordedResource
  /** Of resources of earlier waves. */
  readonly known: ReadonlyMap<Address, Known>
  readonly channels: Channels
}

/** Resolves, seals, and finds the object of one resource. */
export const readResource = async (input: ReadInput, deps: Deps): Promise<ObservedResource> => {
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

const withoutProvider = ({ address, desired, recorded }: ReadInput, provider: string): ObservedResource => {
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
  { address, desired: written, known, channels }: ReadInput,
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
    (target) => readObject(type, target, (desired ?? recorded)?.attributes, plan, deps.seal, channels),
  )
}
