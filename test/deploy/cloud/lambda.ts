import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { credentials, type DeployedFunction } from './cloud.ts'

export interface RunningFunction {
  /** Rejects with what the handler threw. */
  invoke(event: unknown): Promise<unknown>
  /** What it wrote to its log. */
  readonly log: () => string
  /** Ends the process at once, as Lambda does with one that needs too much memory; the next event gets a new one. */
  kill(): Promise<void>
  stop(): Promise<void>
}

interface Outcome {
  readonly id: string
  readonly answer?: unknown
  readonly error?: string
}

/** By which the endpoint knows who asks. DynamoDB Local takes letters and digits only. */
export const accessKeyOf = ({ FunctionName }: DeployedFunction): string => FunctionName.replaceAll(/[^A-Za-z0-9]/g, '')

/**
 * A deployed function in a process of its own, with exactly the variables of the template and those that Lambda sets:
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html. `code`: the folder of its bundle.
 */
export const runFunction = (deployed: DeployedFunction, code: string, endpoint: string): RunningFunction => {
  const { FunctionName, Environment, MemorySize, Timeout, Handler } = deployed
  const start = (): ChildProcess =>
    fork(join(import.meta.dirname, 'lambda-runtime.ts'), [], {
      execArgv: [`--max-old-space-size=${MemorySize}`],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...Environment.Variables,
        ...credentials(endpoint, accessKeyOf(deployed)),
        _HANDLER: Handler,
        AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
        AWS_LAMBDA_FUNCTION_NAME: FunctionName,
        AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
        AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
        AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${FunctionName}`,
        AWS_LAMBDA_LOG_STREAM_NAME: '2026/11/23/[$LATEST]0',
        AWS_SESSION_TOKEN: 'not-a-session',
        LAMBDA_TASK_ROOT: code,
        LANG: 'en_US.UTF-8',
        PATH: '/usr/bin:/bin',
        TZ: ':UTC',
      },
    })
  let log = ''
  const waiting = new Map<string, (outcome: Outcome) => void>()
  const watched = (started: ChildProcess): ChildProcess => {
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', (text: Buffer) => {
        log += text.toString()
      })
    started.on('message', (outcome: Outcome) => waiting.get(outcome.id)?.(outcome))
    started.on('exit', () => {
      for (const [id, end] of waiting) end({ id, error: `${FunctionName} ended:\n${log}` })
    })
    return started
  }
  let child = watched(start())
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return {
    invoke: async (event) => {
      const id = randomUUID()
      const outcome = new Promise<Outcome>((resolve) => waiting.set(id, resolve))
      child.send({ id, event, timeout: Timeout * 1_000 })
      const { answer, error } = await outcome
      waiting.delete(id)
      if (error !== undefined) throw new Error(`${FunctionName}: ${error}`)
      return answer
    },
    log: () => log,
    kill: async () => {
      await end()
      child = watched(start())
    },
    stop: end,
  }
}
