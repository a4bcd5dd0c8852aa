import { compare } from '../../diff/compare.ts'
import { rootOf } from '../../diff/matching/facts.ts'
import { markReplacement } from '../../diff/paths.ts'
import { toPointer } from '../../json/pointer.ts'
import type { Diff } from '../../schema/diff.ts'
import type { JsonObject, Path } from '../../schema/json.ts'
import type { ReplaceOrder } from '../../schema/resource.ts'
import type { Action, ActionReason, Cause, Change } from '../../schema/stored/plan.ts'
import { changedPaths } from '../../values/changed-paths.ts'
import { defined } from '../../values/defined.ts'
import type { Planning } from '../planning.ts'
import { causeAt } from '../record/causes.ts'
import { blocks } from '../words.ts'
import { accessAt } from './access.ts'
import { unmetBy } from './applicable.ts'

interface ChangeDraft {
  readonly action: Action
  readonly reason?: ActionReason
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  /** Absent: it is computed. */
  readonly diff?: Diff
  readonly replacePaths?: readonly Path[]
  /** Causes that only the comparison of write-only values knows, by JSON pointer. */
  readonly sentCauses?: ReadonlyMap<string, Cause>
  readonly blocked?: Change['blocked'] | undefined
}

export const causeIn = (
  { schema, record }: Planning,
  before: JsonObject | null,
  after: JsonObject | null,
  path: Path,
): Cause => causeAt({ schema, recorded: record?.attributes, neverAgreed: record?.neverAgreed, before, after }, path)

/**
 * What the change of a path does to the access that the target gives. The existence of an object may give or take
 * access.
 */
const accessIn = ({ schema, facts }: Planning, before: JsonObject | null, after: JsonObject | null, path: Path) => {
  const way = before === null || after === null ? facts.lifecycle?.access : undefined
  if (way !== undefined) return (way === 'grants') === (before === null) ? 'widens' : 'narrows'
  if (before !== null && isNewlyApplying(schema, before, path)) return undefined
  return accessAt(rootOf(schema), before ?? undefined, after ?? undefined, path)
}

/** What did not apply before restricts from now on: the attribute that decides whether it applies says which way this goes. */
const isNewlyApplying = ({ attributes }: Planning['schema'], before: JsonObject, [name]: Path): boolean => {
  const governing = unmetBy(attributes, String(name), before)
  return governing !== undefined && attributes[governing]?.access !== undefined
}

export const makeChange = (planning: Planning, draft: ChangeDraft): Change => {
  const { subject, schema } = planning
  const { before, after, action, reason, replacePaths = [] } = draft
  const { address, type, name, module, provider } = subject
  const diff = draft.diff ?? compare(schema, before, after)
  const replaceOrder = action === 'replace' ? orderOf(planning) : undefined
  return {
    ...defined({ address, type, name, module, provider, action, reason, replaceOrder }),
    before,
    after,
    diff: markReplacement(diff, replacePaths),
    causes: changedPaths(diff).map((path) => ({
      path,
      cause: draft.sentCauses?.get(toPointer(path)) ?? causeIn(planning, before, after, path),
      ...defined({ access: accessIn(planning, before, after, path) }),
    })),
    replacePaths,
    ...defined({ blocked: draft.blocked, position: 'position' in subject ? subject.position : undefined }),
  }
}

export const orderOf = ({ subject, facts }: Planning): ReplaceOrder =>
  subject.lifecycle.replaceOrder ?? facts.lifecycle?.replaceOrder ?? 'deleteFirst'

/** `preventDestroy` blocks every delete, also as a part of a replacement. */
export const blockDestroy = ({ subject }: Planning, what: 'replaced' | 'deleted'): Change['blocked'] =>
  subject.lifecycle.preventDestroy ? { reason: 'prevent_destroy', detail: blocks.destroy(what) } : undefined
