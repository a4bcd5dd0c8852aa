import { MetricUnit } from '@aws-lambda-powertools/metrics'
import middy from '@middy/core'
import { type Deps, deliverLeftovers, enqueueDue } from '#core'
import { containerDeps } from './deps.ts'
import { logger, metrics } from './middleware/observe.ts'
import { aroundSchedule } from './middleware/stack.ts'

/** Every minute: queues the checks that are due, and sends alerts that a crash left. The event says nothing that is used. */
export const scheduleHandler = (compose: () => Promise<Deps>) =>
  middy<unknown, void>()
    .use(aroundSchedule())
    .handler(async () => {
      const deps = await compose()
      const due = await enqueueDue(deps)
      metrics.addMetric('ChecksEnqueued', MetricUnit.Count, due.length)
      if (due.length > 0) logger.info('checks enqueued', { workspaces: due })
      metrics.addMetric('AlertsDeliveredLate', MetricUnit.Count, await deliverLeftovers(deps))
    })

export const handler = scheduleHandler(containerDeps)
