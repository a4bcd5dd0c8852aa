import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware'
import { answerProblem } from './answer-problem.ts'
import { nameRequest } from './name-request.ts'
import { logger, writeMetrics } from './observe.ts'

/*
 * What stands around each kind of handler, outermost first: an answer and an error pass them from the last to the first.
 */

const observed = () => [
  injectLambdaContext(logger, { resetKeys: true }),
  { after: writeMetrics, onError: writeMetrics },
]

export const aroundSchedule = () => observed()
export const aroundQueue = () => observed()
/** API Gateway counts and times requests itself, for nothing. */
export const aroundApi = () => [injectLambdaContext(logger, { resetKeys: true }), nameRequest(), answerProblem()]
