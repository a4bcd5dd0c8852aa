import * as z from 'zod'
import { AppError, driftOnly, optional, partOf } from '#core'
import { formatNames, formatOf, planFormats, renderPlan } from '#render'
import { answerPage } from '../route/cursor.ts'
import { exampleRun } from '../route/examples.ts'
import { recordsRoute } from '../route/records-route.ts'
import { ok } from '../route/route.ts'
import { instant, json, ofRun, page, paging, selectionQuery, shapes } from '../route/shapes.ts'

export const listRunsRoute = recordsRoute({
  id: 'listRuns',
  path: '/runs',
  summary: 'List the checks of a workspace, newest first',
  query: z.strictObject({
    ...paging,
    scheduledFor: optional(instant, 'Only the run that was scheduled or requested for this time.'),
  }),
  answers: { 200: page('RunList', shapes.Run, exampleRun) },
  read: (records, { params: { workspace }, query: { scheduledFor, ...query } }) =>
    answerPage(['runs', workspace, scheduledFor ?? null], query, async (paging) => {
      if (scheduledFor === undefined) return records.runs(paging)
      const run = await records.scheduledRun(scheduledFor)
      return { items: run === undefined ? [] : [run] }
    }),
})

export const getRunRoute = recordsRoute({
  id: 'getRun',
  path: '/runs/{runId}',
  summary: 'Get a check',
  params: ofRun,
  answers: { 200: json('The run.', shapes.Run, { example: exampleRun }) },
  errors: ['RUN_NOT_FOUND'],
  read: async (records, { params: { runId } }) => ok(await records.run(runId)),
})

/** The stored plan, for programs that render it themselves. */
const storedForm = 'application/vnd.plumbline.plan+json'
/** JSON is first: it is the answer to a request without a preference. */
const formats = [planFormats.json, ...formatNames.filter((name) => name !== 'json').map((name) => planFormats[name])]
const documentOf = (description: string) => z.record(z.string(), z.json()).meta({ description })

export const getPlanRoute = recordsRoute({
  id: 'getPlan',
  path: '/runs/{runId}/plan',
  summary: 'Get the plan of a check: the changes and the exact commands',
  description: 'In the format that Accept prefers. Large plans need `Accept-Encoding: gzip`.',
  params: ofRun,
  query: z.strictObject({
    ...selectionQuery,
    view: optional(
      z.literal('drift'),
      'Only what changed outside: recorded to observed, without changes and commands.',
    ),
  }),
  offers: [...formats.map(({ mediaType }) => mediaType), storedForm],
  answers: {
    200: {
      description: 'The plan.',
      content: {
        ...Object.fromEntries(formats.map(({ mediaType, purpose }) => [mediaType, purpose])),
        [planFormats.json.mediaType]: documentOf(planFormats.json.purpose),
        [storedForm]: documentOf('The plan as it is stored.'),
      },
    },
  },
  errors: ['RUN_NOT_FOUND', 'RUN_WITHOUT_PLAN', 'TARGET_UNKNOWN', 'TARGET_EXCLUDED'],
  read: async (records, { params: { runId }, query, accepted }) => {
    const whole = await records.plan(runId)
    if (whole === undefined) throw new AppError('RUN_WITHOUT_PLAN', { run: runId })
    const plan = query.view === 'drift' ? driftOnly(whole) : await partOf(whole, query)
    const format = formatOf(accepted)
    return { status: 200, mediaType: accepted, body: format === undefined ? plan : await renderPlan(plan, { format }) }
  },
})
