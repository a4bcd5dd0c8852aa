import { pathText } from '../../json/pointer.ts'
import type { Left } from '../../schema/stored/outcome.ts'
import { type Change, isReported, type Orphan, type Plan, type Unchecked } from '../../schema/stored/plan.ts'
import { defined } from '../../values/defined.ts'
import { existence, orphaned } from '../words.ts'

const ofChange = ({ address, action, causes, blocked }: Change, touched: boolean): Left => {
  const detail = blocked?.detail ?? existence[action]
  return {
    address,
    kind: 'differs',
    touched,
    // For a resource that exists, only the attributes that differ are of interest.
    paths: action in existence ? [] : causes.map(({ path }) => pathText(path)),
    ...defined({ detail }),
  }
}

const ofUnchecked = ({ address, reason, detail, attributes = [] }: Unchecked, touched: boolean): Left => ({
  address,
  kind: 'unchecked',
  touched,
  paths: [...attributes],
  detail: `${reason}: ${detail}`,
})

const ofOrphan = ({ address }: Orphan): Left => ({
  address,
  kind: 'differs',
  touched: false,
  paths: [],
  detail: orphaned,
})

/** Everything in a plan after an apply that prevents "in sync", whether the commands of the apply touched it or not. */
export const findLeft = ({ changes, unchecked, orphans = [] }: Plan, touched: ReadonlySet<string>): readonly Left[] => [
  ...changes.map((change) => ofChange(change, touched.has(change.address))),
  ...unchecked.map((one) => ofUnchecked(one, touched.has(one.address))),
  ...orphans.filter(isReported).map(ofOrphan),
]
