import { normaliseRead } from '../../../diff/normalise-read.ts'
import { AppError } from '../../../errors/errors.ts'
import { fromPointer } from '../../../json/pointer.ts'
import type { ResourceType } from '../../../provider/provider.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import type { Seal } from '../../../schema/ports.ts'
import type { Address, ReadResult } from '../../../schema/resource.ts'
import type { LiveMark } from '../../../schema/value.ts'
import { withKnownSecrets } from '../../../transport/secrets/known-secrets.ts'
import { liveAt, withoutPlaces } from '../../../transport/secrets/live-places.ts'
import { splitPlace } from '../../../values/addresses/address.ts'
import { defined } from '../../../values/defined.ts'
import { partsOf, unescapeMarks } from '../../../values/marks/marks.ts'
import { staleValues } from './words.ts'

/** The real values of an object in clear text: for requests only, never stored. */
export interface LearnedValues {
  /** Canonical, from the latest read. */
  readonly attributes?: JsonObject
  /** The same attributes in the form that may be stored: secrets are sealed. */
  readonly sealed?: JsonObject
  readonly ids?: JsonObject
  /** The object as the latest read returned it. */
  readonly object?: JsonObject
  /** Whole objects of the latest read, by name, and their versions. */
  readonly objects?: Readonly<Record<string, JsonObject>>
  readonly versions?: JsonObject
  /** Values from the answers of commands, by the pointer under which other resources refer to them. */
  readonly answers?: JsonObject
  /** A command of this session created the object, so earlier ids belong to another object. */
  readonly isMade?: true
}

export interface KnownObjects {
  of(address: Address): LearnedValues
  /** Members that are not given stay unchanged. */
  learn(address: Address, more: LearnedValues): void
  /** Call it when a create was sent: what was read of the old object is not valid for the new one. */
  create(address: Address): void
}

const unknownObject: LearnedValues = {}

export const createKnownObjects = (): KnownObjects => {
  const all = new Map<Address, LearnedValues>()
  const of = (address: Address): LearnedValues => all.get(address) ?? unknownObject
  return {
    of,
    learn: (address, more) => {
      all.set(address, { ...of(address), ...more })
    },
    create: (address) => {
      const { answers } = of(address)
      all.set(address, { ...defined({ answers }), isMade: true })
    },
  }
}

/** The values of a read in the canonical form that plans use. `raw`: the attributes in clear text. */
export const knownFrom = (
  { result, raw }: { readonly result: ReadResult; readonly raw?: JsonObject },
  type: ResourceType | undefined,
): LearnedValues => {
  const present = result.kind === 'present' ? result : undefined
  return defined({
    attributes: raw && type && normaliseRead(type.schema, { attributes: raw, ...defined({ unread: present?.unread }) }),
    ids: result.kind === 'absent' ? undefined : result.ids,
    sealed: present && type && normaliseRead(type.schema, present),
    object: present?.object,
    objects: present?.objects,
    versions: present?.versions,
  })
}

/** The object of a `$live` mark. Throws OBJECT_CHANGED if the parts that nothing else compares are not as approved. */
export const liveObject = (mark: LiveMark, known: KnownObjects, seal: Seal): JsonObject => {
  const [address, name] = splitPlace(mark.$live)
  const object = known.of(address).objects?.[name]
  if (object === undefined) throw new AppError('OBJECT_CHANGED', { object: mark.$live, detail: staleValues.noObject })
  if (mark.digest === undefined || seal(withoutPlaces(object, mark.except)) === mark.digest) {
    const isIt = (value: Json, digest: string): boolean => value !== null && seal(value) === digest
    return withKnownSecrets(object, mark.$live, [mark.from ?? {}, mark.element?.like ?? null], {
      isIt,
      without: mark.without,
    }) as JsonObject
  }
  throw new AppError('OBJECT_CHANGED', { object: mark.$live, detail: staleValues.object })
}

/**
 * The value for `live:<address>#<pointer>`, or the one in an object as it was read for `live:<address>#<name><pointer>`, if it
 * has the approved digest. In a set, its index may differ from the plan. Throws SECRET_UNRESOLVED.
 */
export const liveValue = (source: string, digest: string | undefined, known: KnownObjects, seal: Seal): Json => {
  const [address, place] = splitPlace(source.slice('live:'.length))
  const [, name = '', pointer = ''] = /^([^/]*)(.*)$/s.exec(place) ?? []
  const { attributes, objects } = known.of(address)
  const whole = (name === '' ? attributes : objects?.[name]) ?? {}
  const value = liveAt(whole, fromPointer(pointer))
  const isIt = (each: Json): boolean => digest !== undefined && each !== null && seal(each) === digest
  const approved = value !== undefined && isIt(value) ? value : partsOf(whole).find(isIt)
  if (approved !== undefined) return unescapeMarks(approved)
  throw new AppError('SECRET_UNRESOLVED', { source, detail: staleValues.secret })
}
