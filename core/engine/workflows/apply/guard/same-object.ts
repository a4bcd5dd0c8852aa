import { hasSameKeys, namesIn, sight } from '../../../binding/sight.ts'
import { isEqual } from '../../../diff/matching/canonical.ts'
import type { Address, ReadResult } from '../../../schema/resource.ts'
import { defined } from '../../../values/defined.ts'
import type { Session } from '../../session/open-session.ts'
import { rulesOf } from '../../session/plan/observation.ts'
import { answeredIds, knownIn, plannedOf } from './look-again.ts'

/**
 * Whether a read after commands that changed an object still shows that object, and where the plan saw it. Others may have deleted
 * it meanwhile, or moved it, and another object may have its name.
 */
export const isSameObject = (address: Address, now: ReadResult, session: Session): boolean => {
  const { type, planned, observed } = plannedOf(address, session)
  const seen = observed.result
  if (seen.kind !== 'present' || now.kind === 'unknown') return true
  if (now.kind === 'absent') return false
  const { schema } = type
  const rules = rulesOf(type)
  const before = namesIn(schema, seen.attributes)
  const found = sight(
    { schema, rules, place: '', recorded: { attributes: before, ...defined({ ids: seen.ids }) } },
    now,
  )
  if (found.kind !== 'present') return true
  const desired = namesIn(schema, knownIn(planned.desired ?? {}, address, session))
  // An id may be made of the name, and a command may have told a new one.
  const isRenamed = !hasSameKeys(schema, before, desired)
  const answered = Object.entries(answeredIds(session.known.of(address).answers) ?? {})
  const isAnswered = answered.length > 0 && answered.every(([name, id]) => now.ids?.[name] === id)
  const isOther = found.ids === 'other' && rules.ids !== undefined && rules.ids !== 'position'
  const { differs } = found
  const isMoved =
    differs !== undefined && !isEqual(namesIn(schema, now.attributes)[differs] ?? null, desired[differs] ?? null)
  return !(found.isDisproved || isMoved || (isOther && !isRenamed && !isAnswered))
}
