import { unknownFromError } from '../../command/unknown.ts'
import { normalise } from '../../diff/normalise.ts'
import { orderLeniently } from '../../graph/graph.ts'
import type { Listed, ResourceType } from '../../providers/provider.ts'
import type { UnlistedType } from '../../schema/import-report.ts'
import type { JsonObject } from '../../schema/json.ts'
import { notOurs } from '../list-unmanaged.ts'
import { speakable } from '../look-at.ts'
import type { Session } from '../open-session.ts'
import type { PlannedOne } from '../plan-one.ts'
import { findScopes } from './find-scopes.ts'
import type { KnownObject } from './known-object.ts'
import { type Given, isWithin, parentTypes, type Sought, valuesOf } from './sought.ts'

export interface Found {
  readonly objects: readonly KnownObject[]
  readonly managed: number
  readonly unlisted: readonly UnlistedType[]
}

/** Lists types, what others are inside of first. Nothing that the workspace has already comes back. */
export const listObjects = async (session: Session, sought: readonly Sought[], where: Given): Promise<Found> => {
  const declared = declaredIn(session)
  const known = declared.flatMap(declaredObject)
  const objects: KnownObject[] = []
  const unlisted: UnlistedType[] = []
  let managed = 0
  for (const one of inOrder(sought)) {
    const { type, provider } = one
    const there = await listOne(session, one, known, where)
    if ('detail' in there) {
      if (!one.isParent) unlisted.push({ type: type.name, provider, ...there })
      continue
    }
    const group = [...session.resources.values()].filter(
      (each) => each.desired !== undefined && each.provider === provider && each.type?.name === type.name,
    )
    const others = notOurs(type, group, there.listed)
    const own = others.map((listed) => asKnown(one, listed)).filter((object) => isWithin(object, where))
    known.push(...own)
    if (one.isParent) continue
    managed += there.listed.length - others.length
    objects.push(...own)
  }
  return { objects, managed, unlisted }
}

/** What shall exist. What left the configuration and is still recorded is not: it may be wanted back. */
export const declaredIn = ({ resources }: Pick<Session, 'resources'>): readonly PlannedOne[] =>
  [...resources.values()].filter(({ desired }) => desired !== undefined && !desired.absent)

const declaredObject = ({ type, target, provider, looked }: PlannedOne): readonly KnownObject[] => {
  if (type === undefined) return []
  const { result } = looked
  const seen = result.kind === 'present' ? normalise(type.schema, result.attributes, 'observed') : {}
  const ids = result.kind === 'present' ? result.ids : undefined
  const attributes = { ...seen, ...target.attributes }
  return [{ provider, type, attributes, ...(ids === undefined ? {} : { ids }), address: target.address }]
}

const inOrder = (sought: readonly Sought[]): readonly Sought[] => {
  const keyOf = (provider: string, type: string): string => `${provider} ${type}`
  const nodes = sought.map(({ provider, type }) => ({
    address: keyOf(provider, type.name),
    dependsOn: parentTypes(type)
      .filter((parent) => parent !== type.name)
      .map((parent) => keyOf(provider, parent)),
  }))
  const byKey = new Map(sought.map((one) => [keyOf(one.provider, one.type.name), one]))
  return orderLeniently(nodes).flatMap((key) => byKey.get(key) ?? [])
}

type Unlisted = Pick<UnlistedType, 'detail' | 'fix'>

const listOne = async (
  session: Session,
  { type, provider, identities }: Sought,
  known: readonly KnownObject[],
  where: Given,
): Promise<Unlisted | { readonly listed: readonly Listed[] }> => {
  const { channels } = session
  if (identities !== undefined) return { listed: identities.map((identity) => ({ identity })) }
  if (type.list === undefined) {
    const keys = Object.keys(type.schema.attributes).filter((name) => type.schema.attributes[name]?.identity)
    // What nothing tells apart is there once.
    if (keys.length === 0) return { listed: [{ identity: {} }] }
    const named = keys.map((key) => `${key}=...`).join(' ')
    const fix = `add \`discover\` to its document, or name the object: import ${type.name} ${named}`
    return { detail: 'nothing says how everything of this type is listed', fix }
  }
  const own = known.filter((object) => object.provider === provider)
  const found = findScopes(type, own, valuesOf(type, where))
  if (!found.ok) {
    const { attribute } = found
    const fix = `say --where ${attribute}=..., or let ${attribute} say in its document what it refersTo`
    const declared = declaredIn(session).filter((each) => each.provider === provider && each.type === type)
    if (declared.length === 0) return { detail: `it is listed within ${attribute}, which nothing gives`, fix }
    return ask(
      type,
      declared.map(({ target }) => target.attributes),
      channels,
      provider,
    )
  }
  return ask(type, found.scopes, channels, provider)
}

const ask = async (
  type: ResourceType,
  scopes: readonly JsonObject[],
  channels: Session['channels'],
  provider: string,
): Promise<Unlisted | { readonly listed: readonly Listed[] }> => {
  const targets = scopes.map((attributes) => ({ address: `${type.name}.*`, attributes }))
  const transport = channels.of(provider).plan
  const listing = (await type.list?.(targets, { transport }).catch(unknownFromError)) ?? {
    kind: 'listed' as const,
    objects: [],
  }
  return listing.kind === 'unknown'
    ? { detail: speakable(listing, channels.redactor).detail }
    : { listed: listing.objects }
}

const asKnown = ({ type, provider }: Sought, { identity, ids }: Listed): KnownObject => {
  const canonical = normalise(type.schema, identity, 'observed')
  // What a list does not tell is not known to be its default.
  const told = Object.entries(canonical).filter(([name]) => Object.hasOwn(identity, name))
  return { provider, type, attributes: Object.fromEntries(told), ...(ids === undefined ? {} : { ids }) }
}
