import { keysOf } from '../../binding/sight.ts'
import type { Listed } from '../../provider/listing.ts'
import type { ResourceType, Target } from '../../provider/provider.ts'
import type { Json } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import type { Change } from '../../schema/stored/plan.ts'
import { defined } from '../../values/defined.ts'
import { pick } from '../../values/members.ts'
import { notOurs } from './list-unmanaged.ts'
import { meets } from './plan/leads.ts'
import type { BoundResource, WorkspacePlan } from './plan/observation.ts'
import { listAll } from './read/read-object.ts'
import type { LoadedWorkspace } from './shared/loaded-workspace.ts'
import type { Redacting, Sending } from './shared/transports.ts'

interface ContentsInput {
  readonly loaded: LoadedWorkspace
  readonly transports: Sending & Redacting
}

/** Plans once more where objects that go have something in them that belongs to no resource. */
export const withContents = async (
  plan: (contents: TakenAlong) => WorkspacePlan,
  all: readonly BoundResource[],
  input: ContentsInput,
): Promise<WorkspacePlan> => {
  const first = plan(new Map())
  const isGoing = ({ action, blocked }: Change): boolean =>
    (action === 'delete' || action === 'replace') && blocked === undefined
  const going = new Set(first.plan.changes.filter(isGoing).map(({ address }) => address))
  const contents = await contentsOf(
    all.filter(({ address }) => going.has(address)),
    all,
    input,
  )
  return contents.size === 0 ? first : plan(contents)
}

/** What is in each of these objects and belongs to no resource, as far as lists of their contents tell it. */
export type TakenAlong = ReadonlyMap<Address, readonly string[]>

/** Reads the lists of what is in objects that go: it goes with them. */
export const contentsOf = async (
  going: readonly BoundResource[],
  all: readonly BoundResource[],
  { loaded, transports }: ContentsInput,
): Promise<TakenAlong> => {
  const found = new Map<Address, readonly string[]>()
  for (const outer of going.filter(({ observed: { result } }) => result.kind === 'present')) {
    const types = Object.values(loaded.providers.get(outer.provider)?.types ?? {})
    const texts: string[] = []
    for (const type of types) {
      const group = all.filter((one) => one.provider === outer.provider && one.type?.name === type.name)
      const scope = placesIn(outer, type, group)
      if (scope.length === 0) continue
      const listing = await listAll(type, scope, { transport: transports.of(outer.provider).cachedRead })
      const listed = listing.kind === 'listed' ? listing.objects : []
      const theirs = notOurs(type, group, listed).filter((one) => isIn(type, one, outer))
      texts.push(...theirs.map((one) => transports.redactor.text(nameOf(type, one, outer))))
    }
    if (texts.length > 0) found.set(outer.address, texts)
  }
  return found
}

/** Where the list of a type has what is in the object: beside declared ones, or below the object itself. */
const placesIn = (outer: BoundResource, type: ResourceType, group: readonly BoundResource[]): readonly Target[] => {
  if (type.list === undefined) return []
  const beside = group.filter(({ target }) => leadsTo(type, target.attributes, outer)).map(({ target }) => target)
  const [only, ...others] = type.listWithin ?? []
  if (only === undefined || others.length > 0) return beside
  const { result } = outer.observed
  const value = valuesOf(outer).find((each) => leadsTo(type, { [only]: each }, outer))
  if (value === undefined || result.kind !== 'present') return beside
  const refs = result.object && { [only]: result.object }
  return [...beside, { address: outer.address, attributes: { [only]: value }, ...defined({ refs }) }]
}

/** By what others may refer to it. */
const valuesOf = ({ type, observed: { result } }: BoundResource): readonly Json[] => {
  if (result.kind !== 'present' || type === undefined) return []
  return [...Object.values(pick(result.attributes, keysOf(type.schema))), ...Object.values(result.ids ?? {})]
}

const leadsTo = (type: ResourceType, attributes: Listed['identity'], outer: BoundResource): boolean =>
  type.leads?.(attributes).some((lead) => lead.type === outer.type?.name && meets(lead, outer) === 'yes') === true

const isIn = (type: ResourceType, { identity, within }: Listed, outer: BoundResource): boolean =>
  leadsTo(type, { ...within, ...identity }, outer)

const nameOf = (type: ResourceType, { identity }: Listed, outer: BoundResource): string => {
  const own = Object.entries(identity).filter(([name, value]) => !leadsTo(type, { [name]: value }, outer))
  return [type.name, ...own.map(([name, value]) => `${name}=${JSON.stringify(value)}`)].join(' ')
}
