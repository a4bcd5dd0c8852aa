import type { PlanView, StateView, ViewChange, ViewObject } from '../../../../core/pages/tofu/view/plan-view.ts'
import { object, same, updated } from '../../../builders/values/plans.ts'

/* Plans and states of OpenTofu and Terraform as they are read, made by hand: each builder fills in what a test does not care about. */

/** `module.a["x"].aws_vpc.main[0]` in its parts. */
const partsOf = (address: string) => {
  const module = /^(?:module\.[^.[]+(?:\["[^"]*"\]|\[\d+\])?\.?)+(?=\.)/.exec(address)?.[0]
  const own = module === undefined ? address : address.slice(module.length + 1)
  const [type = '', name = ''] = own
    .replace(/^data\./, '')
    .replace(/\[.*$/, '')
    .split('.')
  return {
    type,
    name,
    mode: own.startsWith('data.') ? ('data' as const) : ('managed' as const),
    ...(module && { module }),
  }
}

export const aViewChange = (over: Partial<ViewChange> & Pick<ViewChange, 'address'>): ViewChange => ({
  ...partsOf(over.address),
  action: 'update',
  replacePaths: [],
  diff: object({ name: same('main'), size: updated(1, 2) }),
  sources: [],
  ...over,
})

export const aPlanView = (over: Partial<PlanView> = {}): PlanView => ({
  kind: 'plan',
  mode: 'normal',
  errored: false,
  complete: true,
  newer: false,
  unknownMembers: [],
  changes: [],
  unchanged: 0,
  drift: [],
  otherDrift: 0,
  deferred: [],
  outputs: [],
  checks: [],
  problems: [],
  ...over,
})

export const anObject = (over: Partial<ViewObject> & Pick<ViewObject, 'address'>): ViewObject => ({
  ...partsOf(over.address),
  tainted: false,
  diff: object({ id: same('i-1'), name: same('main') }),
  ...over,
})

export const aStateView = (over: Partial<StateView> = {}): StateView => ({
  kind: 'state',
  newer: false,
  unknownMembers: [],
  objects: [],
  outputs: [],
  checks: [],
  problems: [],
  ...over,
})
