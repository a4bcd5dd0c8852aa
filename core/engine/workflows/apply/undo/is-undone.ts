import { compare } from '../../../diff/compare.ts'
import { changeable } from '../../../plan/commands/seen-digest.ts'
import { isSame } from '../../../schema/diff.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Plan } from '../../../schema/stored/plan.ts'
import type { Session } from '../../session/open-session.ts'
import { schemaOf } from './judge-resource.ts'

/** Whether a new check shows the object as the undo leaves it. What the configuration says about it is another question. */
export const isUndone = (
  address: Address,
  approved: Plan,
  { changes }: Plan,
  { resources }: Pick<Session, 'resources'>,
): boolean => {
  const former = approved.changes.find((change) => change.address === address)?.after
  const shown = changes.find((change) => change.address === address)?.before
  const one = resources.get(address)
  if (former === undefined || shown === undefined || one === undefined) return false
  if (former === null || shown === null) return former === shown
  const schema = schemaOf(one)
  return isSame(compare(schema, changeable(schema, shown), changeable(schema, former)))
}
