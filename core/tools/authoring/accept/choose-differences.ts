import { AppError } from '../../../engine/errors/errors.ts'
import { pathText } from '../../../engine/json/pointer.ts'
import type { Path } from '../../../engine/schema/json.ts'
import type { AcceptReport, RefusedValue } from '../../../engine/schema/reports/accept-report.ts'
import type { Address } from '../../../engine/schema/resource.ts'
import type { Change, Plan } from '../../../engine/schema/stored/plan.ts'
import { defined } from '../../../engine/values/defined.ts'
import { type Refusal, refusals, requests } from './words.ts'

export interface AcceptRequest {
  readonly workspace: string
  /** Absent: every resource. */
  readonly address?: Address
  /** Written as in plans. Empty: everything that drifted. */
  readonly paths: readonly string[]
}

export interface Difference {
  readonly address: Address
  readonly path: Path
}

export interface Chosen {
  readonly wanted: readonly Difference[]
  readonly refused: readonly RefusedValue[]
  readonly left: AcceptReport['left']
}

export const refusedAs = (address: Address, path: Path | undefined, refusal: Refusal): RefusedValue => ({
  address,
  ...defined({ path: path === undefined ? undefined : pathText(path) }),
  ...refusal,
})

const isWithin = (path: string, start: string): boolean =>
  path === start || path.startsWith(`${start}.`) || path.startsWith(`${start}[`)

const chooseIn = ({ address, causes }: Change, { paths }: AcceptRequest): Chosen => {
  const texts = causes.map(({ path }) => pathText(path))
  const missing = paths.find((path) => texts.every((text) => !isWithin(text, path) && !isWithin(path, text)))
  if (missing !== undefined) throw new AppError('USAGE', { detail: requests.noDifference(address, missing, texts) })
  const isMeant = (index: number): boolean => {
    const text = texts[index] ?? ''
    if (paths.length > 0) return paths.some((path) => isWithin(text, path) || isWithin(path, text))
    return causes[index]?.cause === 'drift'
  }
  return {
    wanted: causes.flatMap(({ path, rule }, index) =>
      isMeant(index) && rule === undefined ? [{ address, path }] : [],
    ),
    refused: causes.flatMap(({ path, rule }, index) =>
      isMeant(index) && rule !== undefined ? [refusedAs(address, path, refusals.ofRule(rule))] : [],
    ),
    left: texts.flatMap((path, index) => (isMeant(index) || paths.length > 0 ? [] : [{ address, path }])),
  }
}

/** A change that is blocked because its object is not ours: the values of that object are nobody's drift. */
const foreignOf = ({ action, blocked }: Change): Refusal | undefined => {
  const isForeign =
    blocked?.reason === 'made_again' ||
    blocked?.reason === 'not_adopted' ||
    (blocked?.reason === 'held' && action === 'update')
  return isForeign ? refusals.notOurs(blocked.detail) : undefined
}

const wholeRefusal = (change: Change, { drift }: Plan): Refusal | undefined => {
  const { action, reason, address } = change
  const foreign = foreignOf(change)
  if (foreign !== undefined) return foreign
  if (action === 'create')
    return drift.some((each) => each.address === address && each.kind === 'deleted')
      ? refusals.deleted()
      : refusals.missing()
  if (action !== 'delete') return undefined
  return reason === 'delete_because_absent' ? refusals.absent() : refusals.undeclared()
}

const chooseWhole = (change: Change, plan: Plan, refusal: Refusal, isNamed: boolean): Chosen => {
  const { address } = change
  // If all resources are meant, only those are refused that somebody changed outside.
  const isOutside = refusal.reason === 'absent' || plan.drift.some((each) => each.address === address)
  const nothing = { wanted: [], refused: [], left: [] }
  if (isNamed || isOutside) return { ...nothing, refused: [refusedAs(address, undefined, refusal)] }
  if (refusal.reason !== 'not_ours') return { ...nothing, left: [{ address, path: '' }] }
  // Where nothing differs, there is nothing that could be accepted.
  return change.causes.length === 0 ? nothing : { ...nothing, left: [{ address, path: '', detail: refusal.detail }] }
}

/** Throws USAGE if the request names no existing difference. */
export const chooseDifferences = (plan: Plan, known: readonly Address[], request: AcceptRequest): Chosen => {
  const { address } = request
  const changes = plan.changes.filter((change) => address === undefined || change.address === address)
  const unchecked = plan.unchecked.filter((each) => address === undefined || each.address === address)
  if (address !== undefined && !known.includes(address) && changes.length + unchecked.length === 0)
    throw new AppError('USAGE', { detail: requests.noResource(address, known) })
  const isUnchecked = new Set(unchecked.map((each) => each.address))
  const chosen = changes
    .filter((change) => !isUnchecked.has(change.address))
    .map((change) => {
      const refusal = wholeRefusal(change, plan)
      return refusal === undefined
        ? chooseIn(change, request)
        : chooseWhole(change, plan, refusal, address !== undefined)
    })
  const [path] = request.paths
  if (address !== undefined && path !== undefined && chosen.length + unchecked.length === 0)
    throw new AppError('USAGE', { detail: requests.noDifference(address, path, []) })
  return {
    wanted: chosen.flatMap(({ wanted }) => wanted),
    refused: [
      ...unchecked.map((each) => refusedAs(each.address, undefined, refusals.unchecked(each.detail))),
      ...chosen.flatMap(({ refused }) => refused),
    ],
    left: chosen.flatMap(({ left }) => left),
  }
}
