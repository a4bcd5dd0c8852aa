import { toPointer } from '../../../json/pointer.ts'
import type { Listing } from '../../../provider/listing.ts'
import type { Caller, ReadDeps, ResourceType, Target } from '../../../provider/provider.ts'
import type { ResolvedReferences } from '../../../provider/references.ts'
import type { ObjectSchema } from '../../../schema/attribute.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { Seal } from '../../../schema/ports.ts'
import type {
  DesiredResource,
  Lifecycle,
  PresentResult,
  ReadResult,
  RecordedResource,
  UnknownResult,
} from '../../../schema/resource.ts'
import { unknownFromError } from '../../../transport/answer/unknown.ts'
import type { Redactor } from '../../../transport/redaction/redact.ts'
import type { Transport } from '../../../transport/transport.ts'
import { defined } from '../../../values/defined.ts'
import { mapMembers, unlessEmpty } from '../../../values/members.ts'
import { shorten } from '../../../values/texts/shorten.ts'
import { malformedAt } from '../../../values/well-formed.ts'
import { withManage } from '../../../values/with-manage.ts'
import type { ReadOutcome } from '../plan/observation.ts'
import type { Redacting, Transports } from '../shared/transports.ts'
import { unknowns } from '../shared/words.ts'
import { type Sealing, sealRead } from './seal-read.ts'

export interface KnownBefore {
  /** The configured attributes; the recorded ones if the resource is not declared. */
  readonly desired?: JsonObject | undefined
  readonly recorded?: JsonObject | undefined
  /** What the resource chose for its collections. */
  readonly manage?: Lifecycle['manage'] | undefined
}

export const knownBefore = (
  desired: DesiredResource | undefined,
  recorded: RecordedResource | undefined,
): KnownBefore => {
  const subject = desired ?? recorded
  return { desired: subject?.attributes, recorded: recorded?.attributes, manage: subject?.lifecycle.manage }
}

/** Reads an object, and replaces its secrets by digests. */
export const readObject = async (
  type: ResourceType,
  target: Target,
  { desired, recorded, manage }: KnownBefore,
  reading: Pick<ReadDeps, 'transport' | 'worth'>,
  seal: Seal,
  { redactor, configured, named }: Pick<Transports, 'redactor' | 'configured' | 'named'>,
): Promise<ReadOutcome> => {
  const result = await safely<ReadResult>(() => type.read(target, reading))
  if (result.kind === 'unknown') return { result: redactUnknown(result, redactor) }
  const schema = withManage(type.schema, manage)
  const sealing = { seal, learn: redactor.learn, configured, named: named(target.address), recorded }
  if (result.kind === 'present') {
    const unread = result.unread && mapMembers(result.unread, (each) => redactUnknown(each, redactor))
    return lookedAt(schema, { ...result, ...defined({ unread }) }, desired, sealing)
  }
  if (result.archived === undefined) return { result }
  const old = lookedAt(schema, { kind: 'present', ...result.archived }, desired, sealing)
  if (old.result.kind !== 'present') return old
  const { kind: _, ...archived } = old.result
  return { result: { kind: 'absent', archived } }
}

const lookedAt = (
  schema: ObjectSchema,
  result: PresentResult,
  desired: JsonObject | undefined,
  sealing: Sealing,
): ReadOutcome => {
  const malformed = malformedAt({ ...result.attributes, ...result.ids })
  if (malformed !== undefined) {
    const detail = unknowns.halfCharacter(toPointer(malformed).toWellFormed())
    return { result: { kind: 'unknown', reason: 'bad_body', detail } }
  }
  const sealed = sealRead(schema, result, desired, sealing)
  return sealed.kind === 'present' ? { result: sealed, raw: result.attributes } : { result: sealed }
}

/** The longest detail that is stored, in characters. */
const detailLength = 500

/**
 * A target may repeat a request in its answer. Half a secret would not be found, so the text is cut after the
 * redaction.
 */
export const redactDetail = (detail: string, redactor: Pick<Redactor, 'text'>): string =>
  shorten(redactor.text(detail), detailLength).toWellFormed()

const redactUnknown = (unknown: UnknownResult, redactor: Pick<Redactor, 'text'>): UnknownResult => ({
  ...unknown,
  detail: redactDetail(unknown.detail, redactor),
  ...defined({ permission: unknown.permission && redactDetail(unknown.permission, redactor) }),
})

/** A provider returns failures as `unknown`. If it throws instead, that must not end the whole run. */
const safely = async <Found>(read: () => Promise<Found>): Promise<Found | UnknownResult> => {
  try {
    return await read()
  } catch (cause) {
    return unknownFromError(cause)
  }
}

/** Members of referenced objects become parts of URLs and records, so they must not contain a secret. */
const isClean = (refs: JsonObject, configured: Pick<Redactor, 'text'>): boolean => {
  const all = JSON.stringify(refs)
  return configured.text(all) === all
}

const secretive = (what: 'reference' | 'caller'): UnknownResult => ({
  kind: 'unknown',
  reason: 'bad_body',
  detail: unknowns.repeatsSecret(what),
})

/**
 * The caller, for a type that uses it, or for all that a provider shows. Its values are used in requests and records, so they must not contain a secret.
 */
export const resolveCaller = async (
  told: Pick<ResourceType, 'caller'> | undefined,
  transport: Transport,
  { redactor, configured }: Redacting,
): Promise<Caller | undefined> => {
  const found = await safely<Caller | undefined>(async () => told?.caller?.({ transport }))
  if (found === undefined) return undefined
  if (found.kind === 'unknown') return redactUnknown(found, redactor)
  return isClean(found.as, configured) ? found : secretive('caller')
}

/** Resolves the references in the attributes of a resource. A failure affects only this resource. */
export const resolveTarget = async (
  type: ResourceType,
  target: Target,
  transport: Transport,
  { redactor, configured }: Redacting,
): Promise<ResolvedReferences> => {
  const already: ResolvedReferences = { kind: 'resolved', attributes: target.attributes, refs: {} }
  const found = await safely(async () => (await type.resolve?.(target, { transport })) ?? already)
  if (found.kind === 'unknown') return { kind: 'unresolved', result: found }
  if (found.kind === 'resolved') {
    if (!isClean(found.refs, configured)) return { kind: 'unresolved', result: secretive('reference') }
    const open = mapMembers(found.open ?? {}, (each) => redactUnknown(each, redactor))
    return { ...found, ...defined({ open: unlessEmpty(open) }) }
  }
  if (found.result.kind === 'absent') return found
  return { ...found, result: { ...found.result, detail: redactor.text(found.result.detail) } }
}

/** Whatever is thrown concerns this list alone. */
export const listAll = async (type: ResourceType, scope: readonly Target[], deps: ReadDeps): Promise<Listing> => {
  try {
    return (await type.list?.(scope, deps)) ?? { kind: 'listed', objects: [] }
  } catch (error) {
    return unknownFromError(error)
  }
}
