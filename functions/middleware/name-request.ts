import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { instanceOf } from '../api/routes/problem.ts'
import { invocationLog } from './observe.ts'

/** Every line of the log says which request it is about, as the `instance` of its problem does: one finds the other. */
export const nameRequest = (): MiddlewareObj<APIGatewayProxyEventV2> => ({
  before: ({ event }) => {
    invocationLog.appendKeys({ instance: instanceOf(event.requestContext.requestId) })
  },
})
