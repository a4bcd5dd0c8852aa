import type { Plan } from '../../../core/engine/schema/stored/plan.ts'
import { driveGitHub } from './drive.ts'
import { organisationOf } from './organisation.ts'

type Organisation = Awaited<ReturnType<typeof organisationOf>>

/** Lists in another order, and pages of another size, each time. */
const shuffle = ({ drive }: Organisation): void =>
  drive.github.faults.add({ kind: 'shuffle', when: ({ method }) => method === 'GET' })

/** What checks of an untouched organisation find: nothing. */
export const untouched = async (type: string, seed: number, runs: number): Promise<readonly string[]> => {
  const organisation = await organisationOf(type, seed)
  const { drive } = organisation
  shuffle(organisation)
  const found: string[] = []
  for (let run = 0; run < runs; run += 1) {
    const { plan } = await drive.check()
    if (!plan.inSync || plan.commands.length > 0 || plan.drift.length > 0)
      found.push(`${type}, seed ${seed}: ${JSON.stringify([plan.changes, plan.unchecked, plan.drift])}`)
  }
  await drive.github.close()
  return found
}

/** The attributes that a plan names, if it has this one change and nothing else; of a create there are none. */
const namedIn = ({ changes, unchecked }: Plan, address: string, action: string): readonly string[] | undefined => {
  const [change, ...others] = changes
  if (change?.address !== address || change.action !== action || others.length + unchecked.length > 0) return undefined
  return change.causes.map(({ path }) => String(path[0]))
}

interface Planted {
  readonly planted: number
  /** Those that were not found, or not named. */
  readonly missed: readonly string[]
}

type Judge = (what: string, action: 'update' | 'create') => Promise<void>

/** Each drift that somebody plants is judged, and brought back before the next one. */
const judging = ({ drive, address, resource }: Organisation, seed: number, missed: string[]): Judge => {
  return async (what, action) => {
    const { plan } = await drive.check()
    const named = namedIn(plan, address, action)
    const isFound = named !== undefined && (action === 'create' || named.includes(what))
    if (!isFound) missed.push(`${resource.type} ${what}, seed ${seed}: ${JSON.stringify(plan.changes)}`)
    await drive.settle()
  }
}

/** The target may refuse a drift because of other fields; then it is planted where these are not declared. */
const plantAlone = async (type: string, attribute: string, seed: number, missed: string[]): Promise<void> => {
  const organisation = await organisationOf(type, seed, attribute)
  const { drive, around, resource, drifts } = organisation
  const drift = drifts.find((each) => each.attribute === attribute)
  await using outside = await driveGitHub([...around, { ...resource, spec: drift?.spec ?? {} }], {
    github: drive.github,
  })
  await outside.settle()
  await judging(organisation, seed, missed)(attribute, 'update')
  await drive.github.close()
}

/** Each field changed by somebody else, and the object deleted: how many of these drifts are found and named. */
export const plantDrifts = async (type: string, seed: number): Promise<Planted> => {
  const organisation = await organisationOf(type, seed)
  const { drive, around, resource, drifts, lifecycle } = organisation
  const missed: string[] = []
  const judge = judging(organisation, seed, missed)
  await using outside = await driveGitHub([...around, resource], { github: drive.github })
  await outside.settle()
  const plant = async (resources: Parameters<typeof outside.want>[0]): Promise<boolean> => {
    outside.want(resources)
    const { plan, digest } = await outside.check()
    return plan.unchecked.length === 0 && (await outside.apply(digest)).status === 'succeeded'
  }
  for (const { attribute, spec } of drifts) {
    if (await plant([...around, { ...resource, spec }])) await judge(attribute, 'update')
    else {
      await plantAlone(type, attribute, seed, missed)
      await drive.settle()
    }
  }
  const canGo = lifecycle?.preventDelete !== true
  if (canGo && (await plant(around))) await judge('the object', 'create')
  await drive.github.close()
  return { planted: drifts.length + (canGo ? 1 : 0), missed }
}
