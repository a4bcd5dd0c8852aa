import { canonicalJson } from '../../json/canonical.ts'
import { agreedAnew, recordAfterCheck } from '../../plan/record/record.ts'
import { withShown } from '../../plan/record/with-shown.ts'
import type { RecordedChange } from '../../state/runs/recorded.ts'
import { defined } from '../../values/defined.ts'
import type { Session } from '../session/open-session.ts'
import { atHome } from '../session/shared/loaded-workspace.ts'

/** What a check changes in the records of its workspace. */
export const recordChanges = ({
  resources,
  loaded,
  recorded: { resources: stored },
}: Pick<Session, 'recorded' | 'resources' | 'loaded'>): RecordedChange => {
  const before = new Map(stored.map((each) => [each.address, each]))
  const put: RecordedChange['put'][number][] = []
  const remove = new Set<string>()
  for (const [address, one] of resources) {
    const { planned, observed, desired, recorded, type, refs, refersBy, doubt, isInstead } = one
    const { seenBy = recorded?.seenBy } = one
    if (type === undefined) continue
    if (desired?.lifecycle.readOnly) {
      for (const each of [address, planned.previousAddress ?? address]) if (before.has(each)) remove.add(each)
      continue
    }
    const isOther = isInstead === true && observed.result.kind === 'present'
    const ids = observed.result.kind === 'present' ? observed.result.ids : recorded?.ids
    const parents = observed.result.kind === 'present' ? observed.result.parents : recorded?.parents
    const shown = recorded && planned.before ? withShown(type.schema, recorded, planned.before) : recorded
    const agreed = shown && planned.isAgreedAnew ? agreedAnew(shown, planned.before ?? {}) : shown
    const renewed = recordAfterCheck({
      planned,
      schema: type.schema,
      // What was agreed was about the object that is gone.
      ...defined({ desired, recorded: isOther ? undefined : agreed, ids, parents, seenBy, refs, refersBy, doubt }),
    })
    const next = renewed === undefined || observed.result.kind === 'unknown' ? renewed : atHome(loaded, renewed)
    const { previousAddress } = planned
    if (previousAddress !== undefined && next !== undefined) remove.add(previousAddress)
    if (next === undefined && recorded !== undefined) remove.add(address)
    else if (next !== undefined && canonicalJson(next) !== canonicalJson(before.get(address))) put.push(next)
  }
  return { put, remove: [...remove].filter((address) => put.every((each) => each.address !== address)) }
}
