import { pathText } from '../../json/pointer.ts'
import type { Change, Plan, Unchecked } from '../../schema/plan.ts'
import type { Left } from '../../schema/records.ts'
import { defined } from '../../values/defined.ts'
import { existence } from '../words.ts'

const ofChange = ({ address, action, causes, blocked }: Change, touched: boolean): Left => {
  const detail = blocked?.detail ?? existence[action]
  return {
    address,
    kind: 'differs',
    touched,
    // Of a resource that is there, only the attributes that differ are of interest.
    paths: action in existence ? [] : causes.map(({ path }) => pathText(path)),
    ...defined({ detail }),
  }
}

const ofUnchecked = ({ address, reason, detail }: Unchecked, touched: boolean): Left => ({
  address,
  kind: 'unchecked',
  touched,
  paths: [],
  detail: `${reason}: ${detail}`,
})

/** What a plan after an apply still contains, whether its commands touched it or not: everything that prevents "in sync". */
export const findLeft = ({ changes, unchecked }: Plan, touched: ReadonlySet<string>): readonly Left[] => [
  ...changes.map((change) => ofChange(change, touched.has(change.address))),
  ...unchecked.map((one) => ofUnchecked(one, touched.has(one.address))),
]
