import { identityOf } from '../../../config/check/check-resources.ts'
import type { PlannedResource } from '../../../plan/planning.ts'
import type { Listing } from '../../../provider/listing.ts'
import type { ResourceType } from '../../../provider/provider.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { Address, DesiredResource, RecordedResource } from '../../../schema/resource.ts'
import type { Move } from '../../../schema/rules.ts'
import { unknownFromError } from '../../../transport/answer/unknown.ts'
import type { Transport } from '../../../transport/transport.ts'
import { conditionsIn } from '../../../values/conditions.ts'
import { defined } from '../../../values/defined.ts'
import { type LoadedWorkspace, typeOf } from '../shared/loaded-workspace.ts'
import type { Redacting, Sending } from '../shared/transports.ts'
import { ruled } from '../shared/words.ts'
import { coveredBase, isCovered } from './covered.ts'
import { findingOwners } from './find-owners.ts'
import { findReferring, withReferring } from './find-referring.ts'
import { spreadRules } from './spread-rules.ts'

export interface ExpandedRules {
  readonly loaded: LoadedWorkspace
  /** Rules of which it is not known which objects they are about. */
  readonly unchecked: readonly PlannedResource[]
}

interface RuledWorkspace {
  readonly loaded: LoadedWorkspace
  readonly recorded: readonly RecordedResource[]
  /** Absent: nothing is read, and what was covered stays as it is recorded. */
  readonly transports?: Sending & Redacting
}

/** The configuration with the values that its rules give: to desired resources, and to objects that nothing declares. */
export const expandRules = async (input: RuledWorkspace): Promise<ExpandedRules> => {
  const { loaded } = input
  const groups = Map.groupBy(loaded.rules, ({ provider, type }) => JSON.stringify([provider, type]))
  const all: RuleGroup[] = []
  for (const rules of groups.values()) all.push(await expandGroup(rules, input))
  const changed = new Map(all.flatMap(({ desired }) => desired.map((each) => [each.address, each])))
  const { configuration } = loaded
  const resources = [
    ...configuration.resources.map((each) => changed.get(each.address) ?? each),
    ...all.flatMap(({ covered }) => covered),
  ]
  const removed = [
    ...configuration.removed,
    ...all.flatMap(({ forgotten }) => forgotten.map((address) => ({ address, reason: ruled.noMore }))),
  ]
  const moved = [...configuration.moved, ...all.flatMap(({ moves }) => moves)]
  const locate = locatingRules(configuration, resources)
  return {
    loaded: { ...loaded, configuration: { ...configuration, resources, moved, removed, locate } },
    unchecked: all.flatMap(({ unchecked }) => unchecked),
  }
}

interface RuleGroup {
  readonly desired: readonly DesiredResource[]
  readonly covered: readonly DesiredResource[]
  /** Records of covered objects that a resource declares now. */
  readonly moves: readonly Move[]
  /** Records of objects that no rule is about any more, whoever made the record what it is. */
  readonly forgotten: readonly Address[]
  readonly unchecked: readonly PlannedResource[]
}

const expandGroup = async (rules: readonly DesiredResource[], input: RuledWorkspace): Promise<RuleGroup> => {
  const { loaded, recorded, transports } = input
  const { provider = '', type: name = '' } = rules[0] ?? {}
  const type = typeOf(loaded, provider, name)
  if (type === undefined) return { desired: [], covered: [], moves: [], forgotten: [], unchecked: [] }
  const own = recorded.filter((each) => each.provider === provider && each.type === name)
  const isOurs = ({ address }: { readonly address: Address }): boolean => isCovered(name, address)
  const others = (other: string): ResourceType | undefined =>
    Object.hasOwn(type.schema.attributes, other) ? undefined : typeOf(loaded, provider, other)
  const transport = transports?.of(provider).cachedRead
  const listing = transport === undefined ? unread : await listAll(type, rules, transport)
  const referring =
    transport === undefined || transports === undefined
      ? []
      : await findReferring({ rules, name, typeOf: others, transport, redacting: transports })
  const listed = listing.kind === 'listed' && (listing.unlisted ?? []).length === 0 ? listing.objects : undefined
  const desired = loaded.configuration.resources.filter((each) => each.provider === provider && each.type === name)
  const names = new Set(desired.map(({ address }) => address))
  const isShared = new Set(loaded.rules.flatMap((rule) => (rule.type === name ? [rule.provider] : []))).size > 1
  const { orphans } = loaded.configuration
  const leaving = own.filter(
    ({ address, lifecycle }) =>
      (lifecycle.orphan ?? orphans) === 'forget' && !isCovered(name, address) && !names.has(address),
  )
  const staying = new Set(own).difference(new Set(leaving))
  const find = findingOwners(type, desired, [...staying])
  const spread = spreadRules(rules, type, (shown) => withReferring(shown, referring, type))
  const now =
    listed?.flatMap((object) => (find(object) === undefined ? spread.covered(object, provider, isShared) : [])) ?? []
  const found = new Map(listed?.flatMap((object) => find(object)?.map((address) => [address, object] as const) ?? []))
  const known = new Set(own.map(({ address }) => address))
  const moves = own.filter(isOurs).flatMap((each): readonly Move[] => {
    const to = find({ identity: each.attributes, ...defined({ ids: each.ids }) })?.find(
      (address) => !isOurs({ address }),
    )
    return to === undefined || known.has(to) ? [] : [{ from: each.address, to }]
  })
  // What a resource forgets is covered from now on, with its record.
  const keyOf = ({ attributes }: { readonly attributes: JsonObject }): string =>
    JSON.stringify(identityOf(attributes, type.schema))
  const byKey = new Map(now.map((each) => [keyOf(each), each.address]))
  const taken = leaving.flatMap((each): readonly Move[] => {
    const to = byKey.get(keyOf(each))
    return to === undefined || known.has(to) ? [] : [{ from: each.address, to }]
  })
  const given = desired.map((each) => spread.desired(each, found.get(each.address)))
  const undecided = spread.undecided()
  // While it is not known what the rules cover, what they covered stays known, and is read by itself.
  const isUnsure = listed === undefined || undecided.length > 0
  const going = new Set([...now.map(({ address }) => address), ...moves.map(({ from }) => from)])
  const lost = own.filter((each) => isOurs(each) && !going.has(each.address))
  const why = listing.kind === 'unknown' ? listing : listing.unlisted?.[0]
  return {
    desired: given,
    covered: [...now, ...(isUnsure ? lost.map((each) => asRecorded(each, rules)) : [])],
    moves: [...moves, ...taken],
    forgotten: isUnsure ? [] : lost.map(({ address }) => address),
    unchecked: [
      ...(why === undefined || transports === undefined ? [] : [unknownRule(coveredBase(name), why, transports)]),
      ...undecided,
    ],
  }
}

const unread: Listing = { kind: 'unknown', reason: 'unresolved', detail: '' }

const listAll = async (
  type: ResourceType,
  rules: readonly DesiredResource[],
  transport: Transport,
): Promise<Listing> => {
  const shows = [...new Set(rules.flatMap(({ forAll }) => conditionsIn(forAll)).map(([name]) => name))]
  const scope = [{ address: coveredBase(type.name), attributes: {} }]
  try {
    return (await type.list?.(scope, { transport, shows })) ?? unread
  } catch (error) {
    return unknownFromError(error)
  }
}

const unknownRule = (
  address: Address,
  { reason, detail }: { readonly reason: NonNullable<PlannedResource['unchecked']>['reason']; readonly detail: string },
  { redactor }: Redacting,
): PlannedResource => ({
  address,
  unobserved: [],
  ignored: [],
  unchecked: { address, reason, detail: redactor.text(detail) },
})

/** While nothing can be listed, a covered object is what its record says. */
const asRecorded = (
  { address, type, name, provider, attributes, dependsOn, lifecycle }: RecordedResource,
  [first]: readonly DesiredResource[],
): DesiredResource => ({
  ...{ address, type, name, provider, attributes, dependsOn, lifecycle, absent: false },
  position: first?.position ?? { file: '', line: 0, column: 0 },
  ruled: { by: {}, alone: 'check' },
})

/** A value of a rule is written where the rule is. */
const locatingRules = (
  { locate }: LoadedWorkspace['configuration'],
  resources: readonly DesiredResource[],
): LoadedWorkspace['configuration']['locate'] => {
  const byAddress = new Map(resources.flatMap((each) => (each.ruled === undefined ? [] : [[each.address, each]])))
  return (address, path, what) => {
    const one = byAddress.get(address)
    const rule = one?.ruled?.by[String(path[0])]
    if (rule !== undefined) return locate(rule, path, what)
    return one?.ruled?.alone === undefined ? locate(address, path, what) : one.position
  }
}
