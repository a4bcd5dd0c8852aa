import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware'
import { answerProblem } from '../api/middleware/answer-problem.ts'
import { nameRequest } from '../api/middleware/name-request.ts'
import { invocationLog, writeMetrics } from './observe.ts'

/*
 * What stands around each kind of handler, outermost first: an answer and an error pass them from the last to the first.
 */

const observed = () => [
  injectLambdaContext(invocationLog, { resetKeys: true }),
  { after: writeMetrics, onError: writeMetrics },
]

export const aroundSchedule = () => observed()
export const aroundQueue = () => observed()
/** API Gateway counts and times requests itself, for nothing. */
export const aroundApi = () => [injectLambdaContext(invocationLog, { resetKeys: true }), nameRequest(), answerProblem()]
