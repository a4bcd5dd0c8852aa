import type { Listed } from '../../../provider/listing.ts'
import type { ResourceType } from '../../../provider/provider.ts'
import { isObject, type Json, type JsonObject } from '../../../schema/json.ts'
import type { DesiredResource, ForAll } from '../../../schema/resource.ts'
import type { Transport } from '../../../transport/transport.ts'
import { conditionsIn } from '../../../values/conditions.ts'
import { pick } from '../../../values/members.ts'
import { applyNormalisers } from '../../../values/normalise/normalisers.ts'
import { resolveTarget } from '../read/read-object.ts'
import type { Redacting } from '../shared/transports.ts'
import { coveredBase } from './covered.ts'
import { fitsRule } from './fits.ts'

/** A condition by another type: the values of its objects that refer to an object of the rule. */
interface Referring {
  readonly type: string
  readonly expected: JsonObject
  /** The attribute of the object that they name, and how they spell it; absent if they could not be listed. */
  readonly named?: { readonly attribute: string; readonly values: ReadonlySet<string> }
}

interface ReferringQuestion {
  readonly rules: readonly DesiredResource[]
  readonly name: string
  readonly typeOf: (name: string) => ResourceType | undefined
  readonly transport: Transport
  readonly redacting: Redacting
}

/** Asks for the objects of other types that conditions name: `{ github_team_repository: { team: Core } }`. */
export const findReferring = async ({
  rules,
  name,
  typeOf,
  transport,
  redacting,
}: ReferringQuestion): Promise<readonly Referring[]> => {
  const asked = new Map<string, { readonly type: ResourceType; readonly expected: JsonObject }>()
  for (const [key, written] of rules.flatMap(({ forAll }) => conditionsIn(forAll))) {
    const type = typeOf(key)
    if (type === undefined) continue
    for (const expected of [written].flat())
      if (isObject(expected)) asked.set(JSON.stringify([key, expected]), { type, expected })
  }
  return Promise.all(
    [...asked.values()].map(async ({ type, expected }): Promise<Referring> => {
      const [attribute, facts] =
        Object.entries(type.schema.attributes).find(([, { refersTo }]) => refersTo?.type === name) ?? []
      const listed = await listWithin(type, expected, transport, redacting)
      const of = facts?.refersTo?.attribute
      if (listed === undefined || attribute === undefined || of === undefined) return { type: type.name, expected }
      const values = listed.map(({ identity, within }) => spelled(identity[attribute] ?? within?.[attribute], facts))
      return { type: type.name, expected, named: { attribute: of, values: new Set(values) } }
    }),
  )
}

/** `undefined` if they could not all be listed. */
const listWithin = async (
  type: ResourceType,
  attributes: JsonObject,
  transport: Transport,
  redacting: Redacting,
): Promise<readonly Listed[] | undefined> => {
  const target = { address: coveredBase(type.name), attributes }
  try {
    const found = await resolveTarget(type, target, transport, redacting)
    if (found.kind !== 'resolved') return undefined
    const scope = [{ ...target, attributes: found.attributes, refs: found.refs }]
    // The list is asked within some of them; all others are compared with what it shows.
    const others = Object.keys(attributes).filter((name) => !type.listWithin?.includes(name))
    const listing = await type.list?.(scope, { transport, shows: others })
    if (listing?.kind !== 'listed' || (listing.unlisted ?? []).length > 0) return undefined
    const rest: ForAll = { where: [pick(attributes, others)], except: [], repair: false }
    const fits = listing.objects.map((each) => fitsRule(rest, type.schema, { ...each.shown, ...each.identity }))
    if (fits.some((fit) => 'unshown' in fit)) return undefined
    return listing.objects.filter((_, at) => fits[at] !== undefined && 'fits' in fits[at] && fits[at].fits)
  } catch {
    return undefined
  }
}

type NamingFacts = ResourceType['schema']['attributes'][string] | undefined

const spelled = (value: Json | undefined, facts: NamingFacts): string =>
  JSON.stringify(applyNormalisers(value ?? null, facts?.compareAs))

/** What an object shows, with the conditions by other types that hold for it; those that are not known are left out. */
export const withReferring = (
  shown: JsonObject,
  all: readonly Referring[],
  { schema }: Pick<ResourceType, 'schema'>,
): JsonObject => {
  const unknown = new Set(all.flatMap(({ type, named }) => (named === undefined ? [type] : [])))
  const more: Record<string, Json[]> = {}
  for (const { type, expected, named } of all) {
    if (named === undefined || unknown.has(type)) continue
    const isNamed = named.values.has(spelled(shown[named.attribute], schema.attributes[named.attribute]))
    more[type] = [...(more[type] ?? []), ...(isNamed ? [expected] : [])]
  }
  return { ...shown, ...more }
}
