import { compare } from '../../../engine/diff/compare.ts'
import { isEqual } from '../../../engine/diff/matching/canonical.ts'
import { normalise } from '../../../engine/diff/normalise.ts'
import { pathText } from '../../../engine/json/pointer.ts'
import type { Json, JsonObject, Path } from '../../../engine/schema/json.ts'
import type { Address, DesiredResource } from '../../../engine/schema/resource.ts'
import type { Change } from '../../../engine/schema/stored/plan.ts'
import { changedPaths } from '../../../engine/values/changed-paths.ts'
import type { Session } from '../../../engine/workflows/session/open-session.ts'
import { typeOf } from '../../../engine/workflows/session/shared/loaded-workspace.ts'
import type { Difference } from './choose-differences.ts'
import { places } from './words.ts'

export interface Effects {
  /** Everything else that would change, for people. */
  readonly elsewhere: readonly string[]
  readonly staying: readonly Difference[]
}

type Accepted = ReadonlyMap<Address, readonly Path[]>

const startsWith = (path: Path, start: Path): boolean =>
  start.length <= path.length && start.every((step, depth) => String(step) === String(path[depth]))

const isAccepted = (accepted: Accepted, address: Address, path: Path): boolean =>
  (accepted.get(address) ?? []).some((each) => startsWith(path, each) || startsWith(each, path))

const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null)) as Json

/** Positions are omitted, because they move with the text. */
const rest = ({ attributes: _, position: __, ...others }: DesiredResource): Json => plain(others)

const desiredPaths = (
  session: Pick<Session, 'loaded'>,
  before: DesiredResource,
  after: DesiredResource,
): readonly Path[] => {
  const schema = typeOf(session.loaded, before.provider, before.type)?.schema
  if (schema === undefined) return isEqual(before.attributes, after.attributes) ? [] : [[]]
  const canonical = (attributes: JsonObject) => normalise(schema, attributes, 'desired')
  return changedPaths(compare(schema, canonical(before.attributes), canonical(after.attributes)))
}

const desiredElsewhere = (before: Session, after: Pick<Session, 'loaded'>, accepted: Accepted): readonly string[] => {
  const next = new Map(after.loaded.configuration.resources.map((each) => [each.address, each]))
  const old = before.loaded.configuration.resources
  const known = new Set(old.map(({ address }) => address))
  const added = [...next.keys()].filter((address) => !known.has(address))
  return [
    ...added,
    ...old.flatMap((each): readonly string[] => {
      const other = next.get(each.address)
      if (other === undefined || !isEqual(rest(each), rest(other))) return [each.address]
      if (isEqual(each.attributes, other.attributes)) return []
      return desiredPaths(before, each, other)
        .filter((path) => !isAccepted(accepted, each.address, path))
        .map((path) => places.attribute(each.address, pathText(path)))
    }),
  ]
}

const sectionsElsewhere = (before: Session, after: Session): readonly string[] => {
  const sections = ({ loaded }: Pick<Session, 'loaded'>): JsonObject => {
    const { resources: _, locate: __, documents: ___, providers, ...others } = loaded.configuration
    return plain({ ...others, providers: providers.map(({ position: ____, ...each }) => each) }) as JsonObject
  }
  const [old, next] = [sections(before), sections(after)]
  return Object.keys({ ...old, ...next })
    .filter((name) => !isEqual(old[name], next[name]))
    .map(places.section)
}

const pathsOf = (change: Change | undefined): readonly Path[] => change?.causes.map(({ path }) => path) ?? []

const meaningOf = (change: Change | undefined, accepted: Accepted): Json => {
  if (change === undefined) return null
  const { address, action, reason, blocked, diff } = change
  const paths = pathsOf(change).filter((path) => !isAccepted(accepted, address, path))
  if (!accepted.has(address)) return plain({ action, reason, blocked, diff })
  return paths.length === 0 ? null : plain(paths.map(pathText).sort())
}

const planElsewhere = (before: Session, after: Session, accepted: Accepted): readonly string[] => {
  const byAddress = ({ plan }: Pick<Session, 'plan'>) => new Map(plan.changes.map((change) => [change.address, change]))
  const [old, next] = [byAddress(before), byAddress(after)]
  const addresses = [...new Set([...old.keys(), ...next.keys()])]
  const changes = addresses.filter(
    (address) => !isEqual(meaningOf(old.get(address), accepted), meaningOf(next.get(address), accepted)),
  )
  const others = (['unchecked', 'unmanaged', 'ignored', 'moved'] as const).filter(
    (name) => !isEqual(plain(before.plan[name]), plain(after.plan[name])),
  )
  return [...changes, ...others]
}

/** Finds the effects of an edit besides accepting these differences; both sessions read the same objects. */
export const compareSessions = (before: Session, after: Session, differences: readonly Difference[]): Effects => {
  const accepted = new Map(
    [...Map.groupBy(differences, ({ address }) => address)].map(([address, each]) => [
      address,
      each.map(({ path }) => path),
    ]),
  )
  const found = [
    ...desiredElsewhere(before, after, accepted),
    ...sectionsElsewhere(before, after),
    ...planElsewhere(before, after, accepted),
  ]
  const named = new Set(found.filter((name) => !found.some((other) => other.startsWith(`${name} `))))
  const left = new Map(after.plan.changes.map((change) => [change.address, pathsOf(change)]))
  const staying = differences.filter(({ address, path }) =>
    (left.get(address) ?? []).some((each) => startsWith(each, path) || startsWith(path, each)),
  )
  return { elsewhere: [...named], staying }
}
