import * as z from 'zod'
import { AppError, narrowPlan, openRecords } from '#core'
import { formatNames, formatOf, planFormats, renderPlan } from '#render'
import { route } from '../route/route.ts'
import { ofRun, targetList } from '../route/shapes.ts'

/** As it is stored, for programs that render it themselves. */
const storedForm = 'application/vnd.plumbline.plan+json'
/** JSON first: what a request gets that prefers nothing. */
const formats = [planFormats.json, ...formatNames.filter((name) => name !== 'json').map((name) => planFormats[name])]
const jsonOf = (description: string) => z.record(z.string(), z.json()).meta({ description })

export const getPlanRoute = route({
  id: 'getPlan',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/runs/{runId}/plan',
  scope: 'read',
  summary: 'Get the plan of a check: the changes and the exact commands',
  description: 'In the format that Accept prefers. Large plans need `Accept-Encoding: gzip`.',
  params: ofRun,
  query: z.strictObject({ targets: targetList.exactOptional() }),
  offers: [...formats.map(({ mediaType }) => mediaType), storedForm],
  answers: {
    200: {
      description: 'The plan.',
      content: {
        ...Object.fromEntries(formats.map(({ mediaType, purpose }) => [mediaType, purpose])),
        [planFormats.json.mediaType]: jsonOf(planFormats.json.purpose),
        [storedForm]: jsonOf('The plan as it is stored.'),
      },
    },
  },
  errors: ['WORKSPACE_NOT_FOUND', 'RUN_NOT_FOUND', 'RUN_WITHOUT_PLAN', 'TARGET_UNKNOWN'],
  handle: async ({ params: { workspace, runId }, query: { targets }, accepted }, { store }) => {
    const whole = await (await openRecords(store, workspace)).plan(runId)
    if (whole === undefined) throw new AppError('RUN_WITHOUT_PLAN', { run: runId })
    const plan = narrowPlan(whole, targets)
    const format = formatOf(accepted)
    const body = format === undefined ? plan : await renderPlan(plan, { format })
    return { status: 200, mediaType: accepted, body }
  },
})
