import { keepAnsweredIds, keysOf, lacksKey } from '../../../binding/sight.ts'
import { AppError } from '../../../errors/errors.ts'
import type { ResourceType, Target } from '../../../provider/provider.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import { isObject } from '../../../schema/json.ts'
import type { Address, ReadResult } from '../../../schema/resource.ts'
import { defined } from '../../../values/defined.ts'
import { holdsUnknown } from '../../../values/marks/marks.ts'
import { mapMembers, pick, unlessEmpty } from '../../../values/members.ts'
import { containerName } from '../../../values/normalise/named-container.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../session/open-session.ts'
import { type ResourcePlan, rulesOf } from '../../session/plan/observation.ts'
import { parentsAt } from '../../session/read/kept-parents.ts'
import { knownBefore, readObject } from '../../session/read/read-object.ts'
import { knownFrom, type LearnedValues } from '../../session/shared/known-objects.ts'
import { fillValue, unknownIn } from '../approved/fill-known.ts'
import { forgiving, knownTo, valuesFor } from '../execution/known-values.ts'
import { broken, valueFaults } from '../execution/words.ts'

/**
 * `seen`: the object that the plan saw. `wanted`: the same, by its desired keys. `made`: one that a command created.
 * `any`: any object with the keys of a create.
 */
export type ExpectedObject = 'seen' | 'wanted' | 'made' | 'any'

export type TypedResourcePlan = ResourcePlan & { readonly type: ResourceType }

export const plannedOf = (address: Address, { resources }: Pick<Session, 'resources'>): TypedResourcePlan => {
  const one = resources.get(address)
  if (one?.type === undefined) throw new AppError('INTERNAL', { detail: broken.notPlanned(address) })
  return { ...one, type: one.type }
}

/**
 * Does every read of an apply; bypasses all caches. While a dependency is unknown, the object is not reported as
 * absent.
 */
export const lookAgain = async (
  address: Address,
  session: Session,
  deps: Deps,
  meant: ExpectedObject = session.known.of(address).isMade ? 'made' : 'seen',
  only?: readonly string[],
): Promise<ReadResult> => {
  const { type, desired, recorded, provider } = plannedOf(address, session)
  const { transports, known } = session
  const target = { ...(await targetNow(address, meant, session, deps)), ...defined({ only }) }
  if (isIdentityOpen(type, target)) return unresolved(target)
  // An object whose name the server will choose cannot exist yet.
  if (meant === 'any' && lacksKey(type.schema, target.attributes)) return { kind: 'absent' }
  const read = await readObject(
    type,
    target,
    knownBefore(desired, recorded),
    { transport: transports.of(provider).read },
    deps.seal,
    transports,
  )
  const observed = { ...read, result: keepAnsweredIds(rulesOf(type), read.result, idsOf(address, meant, session)) }
  if (observed.result.kind === 'absent' && isOpen(target)) return unresolved(target)
  if (meant !== 'seen' || !known.of(address).isMade) {
    const found = knownFrom(observed, type)
    known.learn(address, only === undefined ? found : beside(known.of(address), found))
  }
  // For the old object beside its successor only the version is kept, for the very next command.
  else if (observed.result.kind === 'present') known.learn(address, { versions: observed.result.versions ?? {} })
  return observed.result
}

/** What a read of some attributes says, beside what is known of the others. */
const beside = (known: LearnedValues, found: LearnedValues): LearnedValues => {
  const both = (name: 'attributes' | 'sealed' | 'objects' | 'versions') =>
    found[name] && { ...known[name], ...found[name] }
  const attributes = both('attributes')
  const sealed = both('sealed')
  const versions = both('versions')
  const objects = both('objects') as LearnedValues['objects']
  return { ...found, ...defined({ attributes, sealed, versions, objects }) }
}

/** The target of the plan with all values that are known now: a key may be a value that an earlier command produced. */
const targetNow = async (address: Address, meant: ExpectedObject, session: Session, deps: Deps): Promise<Target> => {
  const { ids: _, ...byKeys } = meant === 'seen' ? plannedOf(address, session).target : desiredTarget(address, session)
  const ids = idsOf(address, meant, session)
  await lookUpMade([byKeys.attributes, byKeys.refs ?? {}], address, session, deps)
  const refs = byKeys.refs && knownIn(byKeys.refs, address, session)
  const attributes = knownIn(byKeys.attributes, address, session)
  return { ...byKeys, ...defined({ ids, refs, parents: parentsNow(address, attributes, session) }), attributes }
}

/** The parents of the plan, without those that a command has made again since then. */
const parentsNow = (address: Address, attributes: JsonObject, session: Session): Target['parents'] => {
  const { type, target, observed, desired, recorded } = plannedOf(address, session)
  if (observed.result.kind === 'unknown') return undefined
  const { dependsOn = [] } = desired ?? recorded ?? {}
  const made = dependsOn.flatMap((each) => {
    const parent = session.known.of(each).isMade ? session.resources.get(each)?.desired : undefined
    return parent?.type ?? []
  })
  const parents = parentsAt(type, observed.result.parents, target.attributes, attributes)
  return (
    parents &&
    unlessEmpty(
      mapMembers(parents, (id, key) => {
        const { facts } = containerName(type.schema.attributes, key, attributes) ?? {}
        return made.includes(facts?.refersTo?.type ?? '') ? undefined : id
      }),
    )
  )
}

/** Uses the configured keys, which may differ from the keys under which the object was found. */
const desiredTarget = (address: Address, session: Session): Target => {
  const { type, target, planned, refs = target.refs } = plannedOf(address, session)
  const keys = pick(planned.desired ?? {}, keysOf(type.schema))
  return { ...target, attributes: { ...target.attributes, ...keys }, ...defined({ refs }) }
}

/** Replaces marks by the values that are known now. A mark stays if its value is unknown or must not be used. */
export const knownIn = (value: JsonObject, address: Address, session: Session): JsonObject => {
  const known = forgiving(valuesFor(address, session))
  const whole = fillValue(value, known)
  return isObject(whole) ? whole : value
}

/** The stored ids that a read uses. Ids from before a create belong to another object. */
const idsOf = (address: Address, meant: ExpectedObject, session: Session): Target['ids'] => {
  const { type, target, observed } = plannedOf(address, session)
  // A position changes, so its object is found by its keys, and then the position is compared.
  if (type.identity?.ids === 'position') return undefined
  const known = (observed.result.kind === 'present' ? observed.result.ids : undefined) ?? target.ids
  if (meant === 'seen') return known
  if (meant === 'any') return observed.result.kind === 'present' ? undefined : known
  const answered = answeredIds(session.known.of(address).answers)
  // An update may make the object anew, and its answer names the id that it has now.
  return meant === 'wanted' ? (answered ?? known) : answered
}

export const answeredIds = (answers: JsonObject = {}): Target['ids'] => {
  const ids = Object.entries(answers).flatMap(([pointer, value]) =>
    pointer.startsWith('/ids/') && (typeof value === 'string' || typeof value === 'number')
      ? [[pointer.slice('/ids/'.length), String(value)] as const]
      : [],
  )
  return unlessEmpty(Object.fromEntries(ids))
}

/** Reads values that a request needs, if this session created their resources and no answer contained them. */
export const lookUpMade = async (
  values: Json,
  except: Address | undefined,
  session: Session,
  deps: Deps,
): Promise<void> => {
  for (const address of unknownIn(values, forgiving(knownTo(session)))) {
    if (address !== except && session.resources.has(address) && session.known.of(address).isMade) {
      await lookAgain(address, session, deps)
    }
  }
}

const isIdentityOpen = ({ schema }: ResourceType, { attributes }: Target): boolean =>
  Object.entries(attributes).some(([name, value]) => schema.attributes[name]?.identity === true && holdsUnknown(value))

const isOpen = ({ attributes, refs = {} }: Target): boolean => holdsUnknown(attributes) || holdsUnknown(refs)

const unresolved = ({ attributes, refs = {} }: Target): ReadResult => {
  const names = Object.entries({ ...attributes, ...refs }).flatMap(([name, value]) =>
    holdsUnknown(value) ? [name] : [],
  )
  return { kind: 'unknown', reason: 'unresolved', detail: valueFaults.noIdentity([...new Set(names)]) }
}
