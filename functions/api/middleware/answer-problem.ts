import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { isAppError } from '#core'
import { loggable, logger } from '../../middleware/observe.ts'
import { problemAnswer } from '../route/problem.ts'
import { writeAnswer } from './write-answer.ts'

/** Turns whatever was thrown into an answer; what the caller can do nothing about is an error in the log. */
export const answerProblem = (): MiddlewareObj<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2> => ({
  onError: (request) => {
    const { error, event } = request
    const level = isAppError(error) && error.fault === 'user' ? 'info' : 'error'
    logger[level]('the request failed', { error: loggable(error) })
    request.response = writeAnswer(problemAnswer(error, event.requestContext.requestId), undefined)
  },
})
