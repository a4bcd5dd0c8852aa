import { unknownKeys } from '../../../binding/sight.ts'
import { referencesIn } from '../../../config/expressions/references.ts'
import { canonicalJson } from '../../../json/canonical.ts'
import type { ResourceType } from '../../../provider/provider.ts'
import type { Neighbour, OpenValues } from '../../../provider/references.ts'
import type { ObjectSchema } from '../../../schema/attribute.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import type {
  AbsentResult,
  Address,
  DesiredResource,
  RecordedResource,
  UnknownReason,
  UnknownResult,
} from '../../../schema/resource.ts'
import { isMark } from '../../../schema/value.ts'
import { defined } from '../../../values/defined.ts'
import { unlessEmpty } from '../../../values/members.ts'
import type { Deps } from '../../deps.ts'
import type { ObservedResource } from '../plan/observation.ts'
import { sealDesired } from '../shared/seal-values.ts'
import type { Transports } from '../shared/transports.ts'
import { unknowns } from '../shared/words.ts'
import { resolveCaller, resolveTarget } from './read-object.ts'
import { fitTypes, type KnownResource, nameReferences, resolveAttributes } from './resolve-attributes.ts'

export interface ResourceToRead {
  readonly address: Address
  readonly desired?: DesiredResource
  readonly recorded?: RecordedResource
  /** Resources of earlier waves. */
  readonly known: ReadonlyMap<Address, KnownResource>
  readonly transports: Transports
  /** Nothing live is read: records are used as the objects. */
  readonly isUnread?: true
  /** By the configuration, its recorded object was deleted. */
  readonly isGone?: true
}

interface ResolveInput extends ResourceToRead {
  readonly type: ResourceType
}

interface Resolved
  extends Pick<ObservedResource, 'desired' | 'recorded' | 'refs' | 'refersBy' | 'named' | 'as' | 'open'> {
  /** Present if a value is unknown, so that no object can be searched. */
  readonly result?: UnknownResult
  /** Its keys contain a value that does not exist yet. */
  readonly isComing?: true
  /** Its record is of an object in another one that is gone, and was made again: it is decided anew. */
  readonly isOrphaned?: true
  /** The configured references lead to nothing that exists, so only the record shows which object it was. */
  readonly isByRecord?: true
}

/**
 * Converts a resource to the values that the API uses. A resource that left the configuration stays exactly as
 * recorded.
 */
export const resolveResource = async (input: ResolveInput, deps: Deps): Promise<Resolved> => {
  const { desired, recorded, type, transports } = input
  const provider = (desired ?? recorded)?.provider ?? ''
  const caller = input.isUnread ? undefined : await resolveCaller(type, transports.of(provider).cachedRead, transports)
  if (caller?.kind === 'unknown') return failed(input, caller.reason, caller.detail)
  return { ...(await resolveValues(input, deps)), ...defined({ as: caller?.as }) }
}

const resolveValues = async (input: ResolveInput, deps: Deps): Promise<Resolved> => {
  const { desired, recorded, type, known, transports } = input
  if (desired === undefined) return recorded === undefined ? {} : resolveRecorded(input, recorded)
  const lost = madeAgainIn(type, desired, known)
  if (lost !== undefined) return failed(input, 'other_parent', unknowns.madeAgain(lost))
  const resolved = resolveKnown(type, desired.attributes, known)
  if (!resolved.ok) return failed(input, 'unresolved', unknowns.noValue(resolved.address))
  const { open } = resolved
  const attributes = fitTypes(type.schema, resolved.attributes)
  const wrong = misfitIn(type, desired, attributes)
  if (wrong !== undefined) return failed(input, 'unsupported', wrong)
  const sealed = await sealDesired(type.schema, attributes, deps.secrets, deps.seal, transports.redactor.learn)
  if (!sealed.ok) return failed(input, 'secret', sealed.detail)
  const found = await findReferences(
    input,
    { ...desired, attributes: sealed.attributes },
    referringIn(type.schema, desired),
  )
  return { ...found, ...defined({ open: unlessEmpty({ ...open, ...found.open }) }) }
}

/** The load checked what is written. A value of another object, which a target may have answered, is known here only. */
const misfitIn = (type: ResourceType, written: DesiredResource, attributes: JsonObject): string | undefined => {
  if (referencesIn(written.attributes).length === 0) return undefined
  const [problem] = type.validate?.(attributes) ?? []
  return problem && unknowns.misfit(problem.path.join('.'), problem.message)
}

/** The object that a resource refers to, if it is another one than the recorded one: nothing says what was in it or at it. */
const madeAgainIn = (
  type: ResourceType,
  { attributes, dependsOn }: DesiredResource,
  known: ReadonlyMap<Address, KnownResource>,
): Address | undefined => {
  const referred = new Set(referencesIn(attributes).map(({ $ref }) => $ref))
  const named = new Set((type.named?.(attributes) ?? []).map((each) => each.type))
  return dependsOn.find((address) => {
    const each = known.get(address)
    if (each?.kind !== 'unknown' || each.madeAgain !== true) return false
    return referred.has(address) || (each.as !== undefined && named.has(each.as.type))
  })
}

/** Leaves out unknown values that are not needed to find the object. */
const resolveKnown = (
  type: ResourceType,
  attributes: JsonObject,
  known: ReadonlyMap<Address, KnownResource>,
):
  | { readonly ok: true; readonly attributes: JsonObject; readonly open: OpenValues }
  | { readonly ok: false; readonly address: Address } => {
  const values: Record<string, Json> = {}
  const open: Record<string, UnknownResult> = {}
  for (const [name, value] of Object.entries(attributes)) {
    const one = resolveAttributes({ [name]: value }, known)
    if (one.ok) Object.assign(values, one.attributes)
    else if (isNeeded(type, name)) return { ok: false, address: one.address }
    else open[name] = { kind: 'unknown', reason: 'unresolved', detail: unknowns.noValue(one.address) }
  }
  return { ok: true, attributes: values, open }
}

/** Whether an object cannot be found or distinguished without the attribute. */
const isNeeded = ({ schema, readBy }: ResourceType, name: string): boolean => {
  const { identity = false, immutable = false } = schema.attributes[name] ?? {}
  return readBy === undefined || readBy.includes(name) || identity || immutable
}

const referringIn = (
  { attributes: facts }: ObjectSchema,
  { attributes, refersBy = [] }: DesiredResource,
): readonly string[] => [...refersBy, ...Object.keys(attributes).filter((name) => facts[name]?.refersTo !== undefined)]

const failed = ({ desired, recorded }: ResolveInput, reason: UnknownReason, detail: string): Resolved => ({
  ...defined({ desired, recorded }),
  result: { kind: 'unknown', reason, detail },
})

/** Replaces names and ids by the values that the API shows, because these are compared and sent. */
const findReferences = async (
  input: ResolveInput,
  desired: DesiredResource,
  referring: readonly string[],
): Promise<Resolved> => {
  const { type, recorded, transports, address } = input
  const leaving = desired.absent ? (true as const) : undefined
  const target = {
    address,
    attributes: desired.attributes,
    neighbours: neighboursOf(input, desired),
    ...defined({ leaving }),
  }
  const found =
    type.resolve === undefined
      ? {
          kind: 'resolved' as const,
          attributes: desired.attributes,
          refs: undefined,
          refersBy: [],
          open: undefined,
        }
      : await resolveTarget(type, target, transports.of(desired.provider).cachedRead, transports)
  if (found.kind === 'unresolved') return unresolved(input, desired, found.result)
  const resolved = { ...desired, attributes: found.attributes }
  const isLost = await isInLostParent(input, found.attributes)
  // Somebody made what it was in again: nothing says that the name leads to what is meant.
  if (isLost && !input.isGone && !isInOurs(input, desired)) return failed(input, 'other_parent', unknowns.lostParent)
  const refersBy = [...new Set([...referring, ...(found.refersBy ?? [])])].sort()
  return {
    desired: resolved,
    ...defined({ recorded, refs: found.refs, refersBy: unlessEmpty(refersBy) }),
    named: nameReferences(desired.attributes, found.attributes),
    ...defined({ open: found.open, isOrphaned: isLost || undefined }),
    ...comingOf(type, resolved),
  }
}

/**
 * Whether the record names another parent than the configuration does now, and that parent does not exist any more: then nobody
 * can say anything about what was in it.
 */
const isInLostParent = async (
  { type, recorded, address, transports, isUnread }: ResolveInput,
  attributes: JsonObject,
): Promise<boolean> => {
  if (recorded === undefined || type.resolve === undefined || isUnread) return false
  const isMoved = (recorded.refersBy ?? []).some((name) => {
    const [was, is] = [recorded.attributes[name], attributes[name]]
    const isKey = type.schema.attributes[name]?.identity === true
    return isKey && was !== undefined && is !== undefined && !isMark(is) && canonicalJson(was) !== canonicalJson(is)
  })
  if (!isMoved) return false
  const target = { address, attributes: recorded.attributes, leaving: true as const, isEmitted: true as const }
  const found = await resolveTarget(type, target, transports.of(recorded.provider).cachedRead, transports)
  return found.kind === 'unresolved' && found.result.kind === 'absent'
}

/** Whether something that it is in was made again by a plan of this workspace, or will be. */
const isInOurs = ({ known }: ResolveInput, { dependsOn }: DesiredResource): boolean =>
  dependsOn.some((address) => {
    const each = known.get(address)
    return each?.kind === 'coming' || (each?.kind === 'settled' && each.isTaken === true)
  })

/** A name can mean only a dependency of the same provider. */
const neighboursOf = ({ known }: ResolveInput, { provider, dependsOn }: DesiredResource): readonly Neighbour[] =>
  dependsOn.flatMap((address) => {
    const each = known.get(address)
    if (each === undefined || each.kind === 'unknown' || each.as?.provider !== provider) return []
    const state = each.kind === 'settled' ? 'settled' : each.replaced ? 'replaced' : 'created'
    const { provider: _, ...as } = each.as
    return [{ ...as, address, attributes: each.attributes, state }]
  })

/** An object that must not exist, in a parent that does not exist, is absent, unless a record leads to it. */
const unresolved = (
  input: ResolveInput,
  desired: DesiredResource,
  result: AbsentResult | UnknownResult,
): Promise<Resolved> | Resolved => {
  const { recorded } = input
  if (result.kind === 'unknown') return failed({ ...input, desired }, result.reason, result.detail)
  return recorded === undefined ? { desired, isComing: true } : resolveRecorded(input, recorded, desired)
}

/** An object whose identity contains a value that does not exist yet cannot exist either. */
const comingOf = (type: ResourceType, { attributes }: DesiredResource) =>
  unknownKeys(type.schema, attributes).length === 0 ? {} : { isComing: true as const }

/** Uses the recorded references, because the configured name may lead to another object by now. */
const resolveRecorded = async (
  { type, transports, address }: ResolveInput,
  recorded: RecordedResource,
  desired?: DesiredResource,
): Promise<Resolved> => {
  const both = { recorded, ...defined({ desired, isByRecord: desired === undefined ? undefined : (true as const) }) }
  if (recorded.refs !== undefined || type.resolve === undefined) return both
  const target = { address, attributes: recorded.attributes, leaving: true as const, isRecorded: true as const }
  const found = await resolveTarget(type, target, transports.of(recorded.provider).cachedRead, transports)
  if (found.kind === 'resolved') return { ...both, recorded: { ...recorded, refs: found.refs } }
  const { result } = found
  return result.kind === 'unknown' ? { ...both, result } : both
}
