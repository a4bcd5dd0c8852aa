import { randomUUID } from 'node:crypto'
import type { Context } from 'aws-lambda'

const left = (deadline: number) => (): number => Math.max(0, deadline - Date.now())
const unused = (): void => {}

/** What Lambda hands to an invocation that may take `timeoutMs`. */
export const lambdaContext = (name: string, timeoutMs: number): Context => ({
  callbackWaitsForEmptyEventLoop: false,
  functionName: name,
  functionVersion: '$LATEST',
  invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${name}`,
  memoryLimitInMB: '1024',
  awsRequestId: randomUUID(),
  logGroupName: `/local/${name}`,
  logStreamName: String(process.pid),
  getRemainingTimeInMillis: left(Date.now() + timeoutMs),
  done: unused,
  fail: unused,
  succeed: unused,
})
