import { normalise } from '../../../engine/diff/normalise.ts'
import { orderLeniently } from '../../../engine/graph/graph.ts'
import type { Listed, Listing, UnlistedPlace } from '../../../engine/provider/listing.ts'
import type { ResourceType, Target } from '../../../engine/provider/provider.ts'
import type { JsonObject } from '../../../engine/schema/json.ts'
import type { Seal } from '../../../engine/schema/ports.ts'
import type { UnlistedType } from '../../../engine/schema/reports/import-report.ts'
import { unknownFromError } from '../../../engine/transport/answer/unknown.ts'
import { defined } from '../../../engine/values/defined.ts'
import { notOurs, unlistedWords } from '../../../engine/workflows/session/list-unmanaged.ts'
import type { Session } from '../../../engine/workflows/session/open-session.ts'
import type { ResourcePlan } from '../../../engine/workflows/session/plan/observation.ts'
import { resolveTarget } from '../../../engine/workflows/session/read/read-object.ts'
import { sealListed } from '../../../engine/workflows/session/read/seal-read.ts'
import {
  type GivenTexts,
  hasSameParents,
  type ImportTarget,
  isWithin,
  type KnownObject,
  keysOf,
  parentTypes,
  referenceValueOf,
  valuesOf,
} from './known-object.ts'
import { unlisted as words } from './words.ts'

/** Lists the objects that the workspace does not have yet, parent types first. */
export const listObjects = async (
  session: Session,
  targets: readonly ImportTarget[],
  where: GivenTexts,
  seal: Seal,
) => {
  const known = declaredIn(session).flatMap(declaredObject)
  const objects: KnownObject[] = []
  const unlisted: UnlistedType[] = []
  let managed = 0
  for (const one of inOrder(targets)) {
    const { type, provider } = one
    const there = await listOne(session, one, known, where)
    const around = one.identities === undefined ? aroundOf(one, unlisted) : []
    unlisted.push(...[...there.unlisted, ...around].map((place) => ({ type: type.name, provider, ...place })))
    const group = [...session.resources.values()].filter(
      (each) => each.desired !== undefined && each.provider === provider && each.type?.name === type.name,
    )
    const others = notOurs(type, group, there.listed)
    const shown = others.filter((listed) => one.identities !== undefined || holdsNoSecret(session, listed, seal))
    const kept = others.length - shown.length
    if (kept > 0) unlisted.push({ type: type.name, provider, ...words.secret(kept) })
    const own = shown.map((listed) => asKnown(one, listed)).filter((object) => isWithin(object, where))
    for (const object of own) known.push(object)
    if (one.isParent) continue
    managed += there.listed.length - others.length
    for (const object of own) objects.push(object)
  }
  return { objects, managed, unlisted }
}

/** Identities are used in URLs and messages, so they must not contain a secret. */
const holdsNoSecret = (
  { transports }: Pick<Session, 'transports'>,
  { identity, within = {}, ids = {} }: Listed,
  seal: Seal,
): boolean => {
  const named = { ...within, ...identity, ids }
  return sealListed(named, { seal, configured: transports.configured }) === named
}

/** Objects within an unlisted one are unknown too. */
const aroundOf = ({ type, provider }: ImportTarget, unlisted: readonly UnlistedType[]): readonly Unlisted[] =>
  parentTypes(type)
    .filter((parent) => unlisted.some((each) => each.provider === provider && each.type === parent))
    .map(words.parent)

/** Returns the resources of the configuration. Orphans are excluded: the user may want them back. */
export const declaredIn = ({ resources }: Pick<Session, 'resources'>): readonly ResourcePlan[] =>
  [...resources.values()].filter(({ desired }) => desired !== undefined && !desired.absent)

const declaredObject = ({ type, target, provider, observed }: ResourcePlan): readonly KnownObject[] => {
  if (type === undefined) return []
  const { result } = observed
  const seen = result.kind === 'present' ? normalise(type.schema, result.attributes, 'observed') : {}
  const ids = result.kind === 'present' ? result.ids : undefined
  const attributes = { ...seen, ...target.attributes }
  return [{ provider, type, attributes, ...defined({ ids }), address: target.address }]
}

const inOrder = (targets: readonly ImportTarget[]): readonly ImportTarget[] => {
  const keyOf = (provider: string, type: string): string => `${provider} ${type}`
  const nodes = targets.map(({ provider, type }) => ({
    address: keyOf(provider, type.name),
    dependsOn: parentTypes(type)
      .filter((parent) => parent !== type.name)
      .map((parent) => keyOf(provider, parent)),
  }))
  const byKey = new Map(targets.map((one) => [keyOf(one.provider, one.type.name), one]))
  return orderLeniently(nodes).flatMap((key) => byKey.get(key) ?? [])
}

type Unlisted = Pick<UnlistedType, 'detail' | 'fix'>

interface ListedOne {
  readonly listed: readonly Listed[]
  readonly unlisted: readonly Unlisted[]
}

const listOne = async (
  session: Session,
  target: ImportTarget,
  known: readonly KnownObject[],
  where: GivenTexts,
): Promise<ListedOne> => {
  const { type, provider, identities } = target
  if (identities !== undefined) return { listed: identities.map((identity) => ({ identity })), unlisted: [] }
  if (type.list === undefined) {
    const keys = keysOf(type)
    // A type without keys has one object.
    return keys.length === 0
      ? { listed: [{ identity: {} }], unlisted: [] }
      : { listed: [], unlisted: [words.noList(type.name, keys)] }
  }
  const own = known.filter((object) => object.provider === provider)
  const given = valuesOf(type, where)
  const found = findScopes(type, own, given)
  if (found.ok) {
    const { listed, unlisted } = await ask(session, target, found.scopes)
    const narrowing = (type.listBy ?? []).filter((name) => !Object.hasOwn(given, name))
    return { listed, unlisted: [...unlisted, ...narrowing.map(words.query)] }
  }
  const declared = declaredIn(session).filter((each) => each.provider === provider && each.type === type)
  const scopes = declared.map(({ target }) => target.attributes)
  const { listed, unlisted } = await ask(session, target, scopes)
  return { listed, unlisted: [...unlisted, words.scope(found.attribute, declared.length > 0)] }
}

const ask = async (
  session: Pick<Session, 'transports'>,
  { type, provider }: ImportTarget,
  scopes: readonly JsonObject[],
): Promise<ListedOne> => {
  const { transports } = session
  const transport = transports.of(provider).cachedRead
  const targets: Target[] = []
  const unlisted: Unlisted[] = []
  const failed = (place: UnlistedPlace): void => {
    unlisted.push({ detail: unlistedWords(place, transports.redactor) })
  }
  const around = [...(type.listWithin ?? []), ...(type.listBy ?? [])]
  for (const attributes of scopes) {
    const target = { address: `${type.name}.*`, attributes }
    const resolved = await resolveTarget(type, target, transport, transports)
    if (resolved.kind === 'resolved') targets.push({ ...target, attributes: resolved.attributes, refs: resolved.refs })
    else if (resolved.result.kind === 'unknown') failed({ within: pick(attributes, around), ...resolved.result })
  }
  const none: Listing = { kind: 'listed', objects: [] }
  const listing = (await type.list?.(targets, { transport }).catch(unknownFromError)) ?? none
  if (listing.kind === 'unknown') failed({ within: {}, ...listing })
  else for (const place of listing.unlisted ?? []) failed(place)
  return { listed: listing.kind === 'unknown' ? [] : listing.objects, unlisted }
}

const pick = (attributes: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => names.includes(name)))

const asKnown = ({ type, provider }: ImportTarget, { identity, ids, within = {} }: Listed): KnownObject => {
  const all = { ...within, ...identity }
  const canonical = normalise(type.schema, all, 'observed')
  // An attribute that a list omits need not have its default.
  const listed = Object.entries(canonical).filter(([name]) => Object.hasOwn(all, name))
  return { provider, type, attributes: Object.fromEntries(listed), ...defined({ ids }) }
}

type Scopes =
  | { readonly ok: true; readonly scopes: readonly JsonObject[] }
  | { readonly ok: false; readonly attribute: string }

/** Returns every combination of parents in which a type must be listed, from `where` or from known objects. */
const findScopes = (type: ResourceType, known: readonly KnownObject[], where: JsonObject): Scopes => {
  const { attributes } = type.schema
  let scopes: readonly JsonObject[] = [where]
  for (const name of nested(type, known)) {
    if (Object.hasOwn(where, name)) continue
    const refersTo = attributes[name]?.refersTo
    if (refersTo === undefined) return { ok: false, attribute: name }
    const parents = known.filter((object) => object.type.name === refersTo.type)
    scopes = scopes.flatMap((scope) =>
      parents.flatMap((parent) => {
        const value = hasSameParents(parent, attributes, scope) ? referenceValueOf(parent, refersTo) : undefined
        return value === undefined ? [] : [{ ...scope, [name]: value }]
      }),
    )
  }
  return { ok: true, scopes: distinct(scopes) }
}

/** Sorts by the number of parents, so that outer attributes are chosen first. */
const nested = ({ listWithin = [], schema }: ResourceType, known: readonly KnownObject[]): readonly string[] => {
  const depth = (name: string): number => {
    const parent = known.find(({ type }) => type.name === schema.attributes[name]?.refersTo?.type)
    return Object.values(parent?.type.schema.attributes ?? {}).filter(({ refersTo }) => refersTo !== undefined).length
  }
  return listWithin.toSorted((left, right) => depth(left) - depth(right))
}

const distinct = (scopes: readonly JsonObject[]): readonly JsonObject[] => [
  ...new Map(scopes.map((scope) => [JSON.stringify(scope), scope])).values(),
]
