import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { invocationLog } from '../../middleware/observe.ts'
import { instanceOf } from '../route/problem.ts'

/** Every line of the log says which request it is about, as the `instance` of its problem does: one finds the other. */
export const nameRequest = (): MiddlewareObj<APIGatewayProxyEventV2> => ({
  before: ({ event }) => {
    invocationLog.appendKeys({ instance: instanceOf(event.requestContext.requestId) })
  },
})
