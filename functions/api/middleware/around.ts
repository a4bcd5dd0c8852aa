import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware'
import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { isAppError } from '#core'
import { invocationLog, loggable, logger } from '../../middleware/observe.ts'
import { instanceOf, problemAnswer } from '../route/problem.ts'
import { writeAnswer } from './write-answer.ts'

type Middleware = MiddlewareObj<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>

/** Each log entry has the `instance` that the problem of its request has: one finds the other. */
const nameRequest: Middleware = {
  before: ({ event }) => {
    invocationLog.appendKeys({ instance: instanceOf(event.requestContext.requestId) })
  },
}

/** Turns any error into an answer; an error that the caller did not cause is an error in the log. */
const answerProblem: Middleware = {
  onError: (request) => {
    const { error, event } = request
    const level = isAppError(error) && error.fault === 'user' ? 'info' : 'error'
    logger[level]('the request failed', { error: loggable(error) })
    request.response = writeAnswer(problemAnswer(error, event.requestContext.requestId), undefined)
  },
}

/** Around the API, outermost first. API Gateway counts and times requests itself, for nothing. */
export const aroundApi = () => [injectLambdaContext(invocationLog, { resetKeys: true }), nameRequest, answerProblem]
