import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/* A process that runs one function, as Lambda's runtime does: the parent sends events, and gets what the handler answers. */

interface Invocation {
  readonly id: string
  readonly event: unknown
  /** In milliseconds. */
  readonly timeout: number
}

const { LAMBDA_TASK_ROOT: root = '', _HANDLER: named = '', AWS_LAMBDA_FUNCTION_NAME: name = '' } = process.env
const [file = '', member = ''] = named.split('.')
const loaded = (await import(pathToFileURL(join(root, `${file}.mjs`)).href)) as Readonly<
  Record<string, (event: unknown, context: unknown) => Promise<unknown>>
>
const handler = loaded[member]
if (handler === undefined) throw new Error(`${named} does not exist`)

const contextOf = ({ id, timeout }: Invocation) => {
  const deadline = Date.now() + timeout
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:123456789012:function:${name}`,
    memoryLimitInMB: process.env['AWS_LAMBDA_FUNCTION_MEMORY_SIZE'],
    awsRequestId: id,
    logGroupName: process.env['AWS_LAMBDA_LOG_GROUP_NAME'],
    logStreamName: process.env['AWS_LAMBDA_LOG_STREAM_NAME'],
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  }
}

process.on('message', (invocation: Invocation) => {
  handler(invocation.event, contextOf(invocation)).then(
    (answer) => process.send?.({ id: invocation.id, answer }),
    (error: unknown) => process.send?.({ id: invocation.id, error: String(error) }),
  )
})
