import middy from '@middy/core'
import { type Deps, deliverLeftovers, enqueueDue } from '#core'
import { containerDeps } from './deps.ts'
import { emit, logger } from './middleware/observe.ts'
import { aroundSchedule } from './middleware/stack.ts'

/** Every minute: queues the checks that are due, and sends alerts that a crash left. The event says nothing that is used. */
export const scheduleHandler = (compose: () => Promise<Deps>) =>
  middy<unknown, void>()
    .use(aroundSchedule())
    .handler(async () => {
      const deps = await compose()
      const due = await enqueueDue(deps)
      emit('ChecksEnqueued', due.length)
      if (due.length > 0) logger.info('checks enqueued', { workspaces: due })
      emit('AlertsDeliveredLate', await deliverLeftovers(deps))
    })

export const handler = scheduleHandler(containerDeps)
