import { pathText, toPointer } from '../../../engine/json/pointer.ts'
import type { Path } from '../../../engine/schema/json.ts'
import type { Attributed, Cause, Change, Drift, NamedReference, Plan } from '../../../engine/schema/stored/plan.ts'
import { changedPaths } from '../../../engine/values/changed-paths.ts'
import { present } from '../../../engine/values/defined.ts'
import { visible } from '../characters/visible.ts'
import { nameNotes } from '../requests/name-words.ts'
import { type Annotations, layOutDiff, noAnnotations } from '../rows/lay-out-diff.ts'
import type { Row } from '../rows/row.ts'
import { actions, ruleTag } from '../shared/words.ts'
import { accessTags } from './access-words.ts'
import { authorWords } from './author-words.ts'

/** Facts of the whole plan that the blocks of a page need. */
export interface PlanContext {
  /** Drift of objects that are not found any more, by address. */
  readonly vanished: ReadonlyMap<string, Drift>
  /** Pointers of the attributes that cannot be read back, by address. */
  readonly unobserved: ReadonlyMap<string, ReadonlySet<string>>
  /** References whose configured name differs from the sent value, by address. */
  readonly references: ReadonlyMap<string, readonly NamedReference[]>
  /** Who changed what, by address. */
  readonly attributed: ReadonlyMap<string, Attributed>
}

export const contextOf = (plan: Plan): PlanContext => {
  const unobserved = new Map<string, Set<string>>()
  for (const { address, path } of plan.unobserved) {
    const pointers = unobserved.get(address) ?? new Set()
    unobserved.set(address, pointers.add(toPointer(path)))
  }
  const vanished = plan.drift.flatMap((drift) => (drift.kind === 'deleted' ? [[drift.address, drift] as const] : []))
  const references = Map.groupBy(plan.references ?? [], ({ address }) => address)
  const attributed = new Map((plan.attributed ?? []).map((each) => [each.address, each]))
  return { vanished: new Map(vanished), unobserved, references, attributed }
}

export const layOutChange = (change: Change, { unobserved, references, attributed }: PlanContext): readonly Row[] => {
  const pointers = unobserved.get(change.address)
  const named = references.get(change.address) ?? []
  const access = accessByPath(change)
  const rules = rulesByPath(change)
  return layOutDiff(change.diff, {
    causesAt: change.action === 'update' || change.action === 'replace' ? causesByPath(change.causes) : () => [],
    notesAt: (path) =>
      present(
        pointers?.has(toPointer(path)) && 'write-only',
        access.get(toPointer(path)),
        rules.get(toPointer(path)),
        authorAt(attributed.get(change.address), path),
        ...nameNotes(named, path),
      ),
  })
}

/** What a changed path does to the access that the target gives. */
const accessByPath = ({ causes }: Change): ReadonlyMap<string, string> =>
  new Map(causes.flatMap(({ path, access }) => (access === undefined ? [] : [[toPointer(path), accessTags[access]]])))

/** The rule that gives the value of a changed path. */
const rulesByPath = ({ causes }: Change): ReadonlyMap<string, string> =>
  new Map(causes.flatMap(({ path, rule }) => (rule === undefined ? [] : [[toPointer(path), visible(ruleTag(rule))]])))

/** Who changed a path, at the path itself. */
const authorAt = (attributed: Attributed | undefined, path: Path): string | undefined => {
  const found = attributed?.by.find(({ paths }) => paths.includes(pathText(path)))
  return found && visible(authorWords(found))
}

export const layOutDrift = (drift: Drift, attributed: Attributed | undefined): readonly Row[] =>
  layOutDiff(drift.diff, { ...noAnnotations, notesAt: (path) => present(authorAt(attributed, path)) })

/** Changes in the order of risk, within that in the order of the plan. */
export const byRisk = (changes: readonly Change[]): readonly Change[] =>
  actions.flatMap((action) => changes.filter((change) => change.action === action))

/** Moves that the changes of the plan do not show by themselves: nothing follows from them, or both sides moved. */
export const driftToShow = (plan: Plan): readonly Drift[] => {
  const changes = new Map(plan.changes.map((change) => [change.address, change]))
  return plan.drift.filter((drift) => {
    const change = changes.get(drift.address)
    if (change === undefined) return true
    if (drift.kind === 'deleted') return change.action !== 'create'
    const causesAt = causesByPath(change.causes)
    return !changedPaths(drift.diff).every((path) => causesAt(path).join() === 'drift')
  })
}

/** Why a path differs: the causes of the path and everything below it, else of the nearest path above. */
const causesByPath = (causes: Change['causes']): Annotations['causesAt'] => {
  const own = new Map<string, Cause>()
  const within = new Map<string, Set<Cause>>()
  for (const { path, cause } of causes) {
    own.set(toPointer(path), cause)
    for (let length = path.length; length >= 0; length -= 1) {
      const pointer = toPointer(path.slice(0, length))
      within.set(pointer, (within.get(pointer) ?? new Set()).add(cause))
    }
  }
  return (path) => {
    const said = within.get(toPointer(path))
    if (said !== undefined) return [...said]
    for (let length = path.length - 1; length >= 0; length -= 1) {
      const above = own.get(toPointer(path.slice(0, length)))
      if (above !== undefined) return [above]
    }
    return []
  }
}
