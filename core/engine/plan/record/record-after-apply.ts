import { compare } from '../../diff/compare.ts'
import { isEqual } from '../../diff/matching/canonical.ts'
import { rootOf } from '../../diff/matching/facts.ts'
import { normalise } from '../../diff/normalise.ts'
import { overlay, satisfies } from '../../diff/overlay.ts'
import { valueAtPath, withValueAt, withValuesOf } from '../../diff/paths.ts'
import { toPointer } from '../../json/pointer.ts'
import type { ObjectSchema } from '../../schema/attribute.ts'
import { isSame } from '../../schema/diff.ts'
import type { JsonObject, Path } from '../../schema/json.ts'
import type { RecordedResource } from '../../schema/resource.ts'
import type { Change } from '../../schema/stored/plan.ts'
import { changedPaths } from '../../values/changed-paths.ts'
import { defined } from '../../values/defined.ts'
import { mapMembers, pick, unlessEmpty, withoutMembers } from '../../values/members.ts'
import { causeAt } from './causes.ts'
import { agreedObject, describe, isPlain, keptUnread, type RecordInput, rememberNulls, renewed } from './record.ts'
import { recordSent, writeOnlyValues } from './write-only.ts'

// In a file of its own, because a check records without comparing again, and starts without the differ and its YAML
// library.

/** `observed` is `null` if the object was deleted. */
export const recordAfterApply = (
  input: RecordInput & {
    /** Both are normalised. */
    readonly sentAttributes: JsonObject
    readonly observed: JsonObject | null
    /** The applied change; it shows which write-only values were sent. */
    readonly change: Pick<Change, 'action' | 'before' | 'diff'>
    /** Attributes that the read after the apply could not read. */
    readonly unread?: readonly string[]
    readonly ignored?: readonly Path[]
  },
): RecordedResource | undefined => {
  const { schema, desired, sentAttributes, observed, change } = input
  if (observed === null) return undefined
  const recorded = renewed(input, observed, sentAttributes)
  // The delete was answered but not done: the object still exists, and stays recorded.
  if (desired === undefined) return recorded
  const changed = changedPaths(change.diff).map(toPointer)
  const values = writeOnlyValues(schema, sentAttributes)
  // An undo sends a part of what is configured, and the object keeps the rest.
  const others =
    change.action === 'update'
      ? writeOnlyValues(schema, normalise(schema, desired.attributes, 'desired')).filter(
          ({ pointer }) => !values.some((each) => each.pointer === pointer),
        )
      : []
  const wasSent = (pointer: string): boolean =>
    !others.some((each) => each.pointer === pointer) &&
    (change.action !== 'update' || changed.some((outer) => pointer === outer || pointer.startsWith(`${outer}/`)))
  // Our writes of other attributes change a witness too. If somebody else had changed it, the value would have been
  // sent.
  const left = (input.ignored ?? []).map(toPointer)
  const isOurs = (pointer: string): boolean =>
    !left.some((outer) => pointer === outer || pointer.startsWith(`${outer}/`))
  const { agreed, neverAgreed } = leaveIgnored({ ...input, ...defined({ recorded }) }, observed)
  const written = asWritten(input, observed)
  const kept = keptUnread(input.recorded, input.unread)
  const sent = recordSent([...values, ...others], observed, recorded?.sent, wasSent, isOurs)
  return {
    ...describe(desired, input),
    attributes: rememberNulls(rootOf(schema), sentAttributes, { ...kept.attributes, ...agreed, ...written }),
    ...defined({
      sent: unlessEmpty({ ...kept.sent, ...sent }),
      neverAgreed: unlessEmpty([...neverAgreed, ...kept.neverAgreed]),
      awaited: unlessEmpty(
        withoutMembers(notShown(schema, change.diff, sentAttributes, observed), Object.keys(written)),
      ),
      shownInstead: unlessEmpty(pick(observed, Object.keys(written))),
      // Only another object in its place ends that.
      tainted: change.action === 'update' ? recorded?.tainted : undefined,
    }),
  }
}

/** Attributes that were sent and that the target shows as something else. */
const notShown = (schema: ObjectSchema, diff: Change['diff'], sent: JsonObject, observed: JsonObject): JsonObject =>
  mapMembers(pick(sent, [...new Set(changedPaths(diff).map(([name]) => String(name)))]), (value, name) => {
    const facts = schema.attributes[name]
    const isHidden = facts === undefined || facts.writeOnly === true || facts.createOnly === true
    return isHidden || !isPlain(value) || satisfies(facts, observed[name], value) ? undefined : value
  })

/**
 * Attributes that were sent and that are neither as sent nor as before, by others or by the target itself. What was sent is what was
 * agreed; only what is still as before may be on its way.
 */
const asWritten = (
  { schema, sentAttributes, change, ignored = [] }: Parameters<typeof recordAfterApply>[0],
  observed: JsonObject,
): JsonObject => {
  const left = withoutMembers(
    notShown(schema, change.diff, sentAttributes, observed),
    ignored.map(([name]) => String(name)),
  )
  const isAsBefore = (path: Path): boolean =>
    isEqual(valueAtPath(schema, observed, path) ?? null, valueAtPath(schema, change.before, path) ?? null)
  return mapMembers(left, (value, name) => {
    const meant = overlay(schema, { [name]: value }, observed)
    const paths = changedPaths(compare(schema, observed, meant))
    const late = paths.filter(isAsBefore)
    return late.length === paths.length ? undefined : withValuesOf(schema, meant, late, observed)[name]
  })
}

const leaveIgnored = (
  { schema, sentAttributes, recorded, ignored = [] }: Parameters<typeof recordAfterApply>[0],
  observed: JsonObject,
): { readonly agreed: JsonObject; readonly neverAgreed: readonly string[] } => {
  if (ignored.length === 0) return { agreed: observed, neverAgreed: [] }
  const desired = overlay(schema, sentAttributes, observed)
  const after = ignored.reduce<JsonObject>(
    (value, path) => withValueAt(schema, value, path, valueAtPath(schema, desired, path)),
    observed,
  )
  const diff = compare(schema, observed, after)
  if (isSame(diff)) return { agreed: observed, neverAgreed: [] }
  const agreed = agreedObject(schema, diff, observed, recorded?.attributes)
  const base = { schema, recorded: recorded?.attributes, neverAgreed: recorded?.neverAgreed, before: observed, after }
  const fresh = changedPaths(diff).filter((path) => causeAt(base, path) === 'new')
  return { agreed, neverAgreed: fresh.map(toPointer) }
}
