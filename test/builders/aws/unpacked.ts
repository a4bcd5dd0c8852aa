import { execFile } from 'node:child_process'
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { App } from 'aws-cdk-lib'
import { lambdaContext } from './api-event.ts'

const run = promisify(execFile)

/** The folder of a function's code as it is uploaded, copied to a place without any package beside it. */
export const unpack = (app: App, handler: string, to: string): string => {
  const { directory } = app.synth()
  const found = readdirSync(directory).find(
    (name) => name.startsWith('asset.') && readdirSync(join(directory, name)).includes(`${handler}.mjs`),
  )
  if (found === undefined) throw new Error(`no asset contains ${handler}.mjs`)
  const folder = join(to, handler)
  cpSync(join(directory, found), folder, { recursive: true })
  return folder
}

/** What Lambda does, without what it lends: one invocation of the file's handler in a Node process of its own. */
const program = (file: string): string => `
  const { handler } = await import(${JSON.stringify(file)})
  const chunks = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  const { event, context } = JSON.parse(Buffer.concat(chunks).toString())
  const deadline = Date.now() + context.remainingMs
  const result = await handler(event, { ...context, getRemainingTimeInMillis: () => deadline - Date.now() })
  process.stdout.write('\\n' + JSON.stringify(result ?? null))
  process.exit(0)`

const remainingMs = 280_000

export interface Invocation {
  readonly handler: string
  readonly event: unknown
  /** All that the process has, but for where its code is kept once compiled: nothing of the test's own. */
  readonly variables: Readonly<Record<string, string>>
}

/** The handler's answer. Rejects with what it wrote if it fails. */
export const invokeUnpacked = async (
  folder: string,
  { handler, event, variables }: Invocation,
): Promise<{ readonly answer: unknown; readonly log: string }> => {
  const started = run(process.execPath, ['--input-type=module', '-e', program(join(folder, `${handler}.mjs`))], {
    cwd: folder,
    env: {
      LAMBDA_TASK_ROOT: folder,
      AWS_LAMBDA_FUNCTION_NAME: handler,
      NODE_COMPILE_CACHE: `${folder}.compiled`,
      ...variables,
    },
    maxBuffer: 50_000_000,
  })
  started.child.stdin?.end(JSON.stringify({ event, context: { ...lambdaContext(), remainingMs } }))
  const { stdout } = await started
  const last = stdout.lastIndexOf('\n')
  return { answer: JSON.parse(stdout.slice(last + 1)), log: stdout.slice(0, last) }
}
