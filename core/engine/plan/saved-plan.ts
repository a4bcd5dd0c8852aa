import { AppError } from '../errors/errors.ts'
import { canonicalJson } from '../json/canonical.ts'
import { digest } from '../json/digest.ts'
import { parseForeign } from '../json/parse-foreign.ts'
import type { Json } from '../schema/json.ts'
import type { Address } from '../schema/resource.ts'
import type { Plan } from '../schema/stored/plan.ts'
import type { Run } from '../schema/stored/records.ts'
import { type Basis, basisParts, type SavedPlan, savedPlanShape } from '../schema/stored/saved-plan.ts'
import { defined } from '../values/defined.ts'
import { savedFaults } from './words.ts'

/** The proof of which plan was approved; `plan` may be a part of the plan of `run`. Throws PLAN_FILE_INVALID. */
export const savePlan = (run: Run, plan: Plan, savedAt: string): SavedPlan => {
  const { basis } = run
  if (basis === undefined) throw new AppError('PLAN_FILE_INVALID', { file: run.id, detail: savedFaults.noBasis })
  const saved = {
    format: 'plumbline-plan' as const,
    formatVersion: '1' as const,
    workspace: plan.workspace,
    runId: run.id,
    savedAt,
    ...defined({ targets: plan.targets && [...plan.targets], exclude: plan.exclude && [...plan.exclude] }),
    commandsDigest: plan.digests.commands,
    basis,
  }
  return { ...saved, digest: digest(saved) }
}

/** Refuses a saved plan that was changed by hand. Throws PLAN_FILE_INVALID. */
export const readSavedPlan = (file: string, text: string): SavedPlan => {
  const parsed = parseForeign(text)
  if ('fault' in parsed && parsed.fault === 'repeated')
    throw new AppError('PLAN_FILE_INVALID', { file, detail: savedFaults.changed })
  const { data } = savedPlanShape.safeParse('value' in parsed ? parsed.value : undefined)
  if (data === undefined) throw new AppError('PLAN_FILE_INVALID', { file, detail: savedFaults.otherFile })
  const { digest: own, ...rest } = data
  if (digest(rest) === own) return data
  throw new AppError('PLAN_FILE_INVALID', { file, detail: savedFaults.changed })
}

export interface Moved {
  readonly what: (typeof basisParts)[number]
  readonly approved: string | number | undefined
  readonly now: string | number | undefined
}

export const movedParts = (approved: Basis, now: Basis): readonly Moved[] =>
  basisParts
    .map((what) => ({ what, approved: approved[what], now: now[what] }))
    .filter((part) => part.approved !== part.now)

/** The resources about which two plans of a workspace do not say the same. */
export const movedAddresses = (approved: Plan, now: Plan): readonly Address[] => {
  const [then, today] = [findingsIn(approved), findingsIn(now)]
  return [...new Set([...then.keys(), ...today.keys()])].filter((address) => then.get(address) !== today.get(address))
}

/** Where something is declared does not say what it is. */
const placeless = (found: object): object => ({ ...found, position: undefined })

const findingsIn = ({ changes, drift, unchecked }: Plan): ReadonlyMap<Address, string> =>
  new Map(
    [...Map.groupBy([...changes, ...drift, ...unchecked], ({ address }) => address)].map(([address, found]) => [
      address,
      canonicalJson(found.map(placeless) as unknown as Json),
    ]),
  )
