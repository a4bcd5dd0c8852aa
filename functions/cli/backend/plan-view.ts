import * as z from 'zod'
import { AppError, type Command, narrowPlan, type Plan, type Run } from '#core'
import { type PlanFormat, renderPlan } from '#render'
import { type Client, part, pathOf } from './http-client.ts'

interface Look {
  readonly color: boolean
  readonly width: number
}

/** A plan to be shown, whether it was made here or is fetched in the form that is needed. */
export interface PlanView {
  readonly commands: readonly Command[]
  /** Of the commands; what an approval names. */
  readonly digest: string
  /** What some targets need of it, with a digest of its own. Rejects with TARGET_UNKNOWN. */
  only(targets: readonly string[]): Promise<PlanView>
  /** The form of OpenTofu's plan, with ours beside it. */
  document(): Promise<unknown>
  render(format: PlanFormat, look: Look): Promise<string>
}

/** `at` is when the target was read. */
export const viewOf = (plan: Plan, at: string): PlanView => ({
  commands: plan.commands,
  digest: plan.digests.commands,
  only: async (targets) => viewOf(narrowPlan(plan, targets), at),
  document: async () => JSON.parse(await renderPlan(plan, { format: 'json', at })) as unknown,
  render: (format, look) => renderPlan(plan, { format, at, ...look }),
})

/** The members of the plan's document that are needed here. */
const documentShape = z.looseObject({
  plumbline: z.looseObject({
    commands: z.array(z.custom<Command>()),
    digests: z.looseObject({ commands: z.string() }),
  }),
})

/** The plan as it is stored. */
const storedForm = 'application/vnd.plumbline.plan+json'

/** The plan of a run of the endpoint. */
const fetchPlan = async (client: Client, run: Run, targets: readonly string[] = []): Promise<PlanView> => {
  const only = targets.length === 0 ? '' : `?${new URLSearchParams({ targets: targets.join(',') })}`
  const path = `${pathOf(run.workspace)}/runs/${part(run.id)}/plan${only}`
  const document = await client.get<unknown>(path)
  const { data } = documentShape.safeParse(document)
  if (data === undefined)
    throw new AppError('ENDPOINT_FAILED', { endpoint: client.url, detail: 'something that is no plan' })
  const { commands, digests } = data.plumbline
  return {
    commands,
    digest: digests.commands,
    only: (wanted) => fetchPlan(client, run, wanted),
    document: async () => document,
    // Rendered here, so that a plan looks the same as one that was made here.
    render: async (format, look) =>
      renderPlan(JSON.parse(await client.getText(path, storedForm)) as Plan, { format, ...look }),
  }
}

export const fetchChecked = async (
  client: Client,
  run: Run,
): Promise<{ readonly run: Run; readonly plan?: PlanView }> =>
  run.digests === undefined ? { run } : { run, plan: await fetchPlan(client, run) }
