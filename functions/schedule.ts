import { MetricUnit } from '@aws-lambda-powertools/metrics'
import middy from '@middy/core'
import { type Deps, enqueueDue } from '#core'
import { containerDeps } from './deps.ts'
import { logger, metrics } from './middleware/observe.ts'
import { aroundSchedule } from './middleware/stack.ts'

/** Every minute: hands each workspace whose check is due to the queue. The event says nothing that is used. */
export const scheduleHandler = (compose: () => Promise<Deps>) =>
  middy<unknown, void>()
    .use(aroundSchedule())
    .handler(async () => {
      const due = await enqueueDue(await compose())
      metrics.addMetric('ChecksEnqueued', MetricUnit.Count, due.length)
      if (due.length > 0) logger.info('checks enqueued', { workspaces: due })
    })

export const handler = scheduleHandler(containerDeps)
