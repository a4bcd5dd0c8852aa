import * as z from 'zod'
import { AppError, narrowPlan, openRecords } from '#core'
import { route } from '../route/route.ts'
import { ofRun, targetList } from '../route/shapes.ts'

const formats = {
  'application/json': 'json',
  'text/plain': 'text',
  'text/markdown': 'markdown',
  'text/html': 'html',
} as const
const isForm = (mediaType: string): mediaType is keyof typeof formats => Object.hasOwn(formats, mediaType)
/** As it is stored, for programs that render it themselves. */
const storedForm = 'application/vnd.plumbline.plan+json'

export const getPlanRoute = route({
  id: 'getPlan',
  method: 'GET',
  path: '/v1/workspaces/{workspace}/runs/{runId}/plan',
  scope: 'read',
  summary: 'What a check found: the changes and the exact commands',
  description: 'In the form that Accept prefers. Large plans need `Accept-Encoding: gzip`.',
  params: ofRun,
  query: z.strictObject({ targets: targetList.exactOptional() }),
  headers: z.object({}),
  bodies: {},
  offers: [...Object.keys(formats), storedForm],
  answers: {
    200: {
      description: 'The plan.',
      content: {
        'application/json': z.record(z.string(), z.json()).meta({
          description: "OpenTofu's plan format, with our own members beside it.",
        }),
        'text/plain': 'For a terminal or a mail.',
        'text/markdown': 'For a ticket or a review.',
        'text/html': 'For a browser or a mail: one document that needs nothing but itself.',
        [storedForm]: z.record(z.string(), z.json()).meta({ description: 'The plan as it is stored.' }),
      },
    },
  },
  errors: ['WORKSPACE_NOT_FOUND', 'RUN_NOT_FOUND', 'RUN_WITHOUT_PLAN', 'TARGET_UNKNOWN'],
  handle: async ({ params: { workspace, runId }, query: { targets }, accepted }, { store }) => {
    const whole = await (await openRecords(store, workspace)).plan(runId)
    if (whole === undefined) throw new AppError('RUN_WITHOUT_PLAN', { run: runId })
    const plan = narrowPlan(whole, targets)
    if (!isForm(accepted)) return { status: 200, mediaType: accepted, body: plan }
    const { renderPlan } = await import('#pages')
    return { status: 200, mediaType: accepted, body: renderPlan(plan, { format: formats[accepted] }) }
  },
})
