import { blocks } from '../../../plan/words.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Change } from '../../../schema/stored/plan.ts'
import { defined } from '../../../values/defined.ts'
import type { BoundResource } from './observation.ts'

/** Names the rule of each value; an object that no resource declares is repaired only where its rules say so, and never made. */
export const keepRuled = (
  changes: readonly Change[],
  resources: ReadonlyMap<Address, BoundResource>,
): readonly Change[] =>
  changes.map((change) => {
    const ruled = resources.get(change.address)?.desired?.ruled
    if (ruled === undefined) return change
    const causes = change.causes.map((each) => ({ ...each, ...defined({ rule: ruled.by[String(each.path[0])] }) }))
    const isHeld = ruled.alone !== undefined && (ruled.alone === 'check' || change.action !== 'update')
    if (!isHeld || change.blocked !== undefined) return { ...change, causes }
    const detail = change.action === 'update' ? blocks.ruleChecks : blocks.ruleMakesNothing
    return { ...change, causes, blocked: { reason: 'rule_checks', detail } }
  })
