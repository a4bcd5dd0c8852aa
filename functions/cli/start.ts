import { systemClock } from '../adapters/clock.ts'
import { readVariables } from './process/environment.ts'
import type { Host } from './process/host.ts'
import { readVersion } from './process/package-root.ts'
import { userName } from './process/user-name.ts'
import { runProgram } from './program.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** One Ctrl-C can arrive twice: from the terminal, and from npm, which passes it on. */
const echoMs = 500

/** Calls the listener at the first signal; a second one ends the process at once. */
const onInterrupt = (listener: () => void): (() => void) => {
  let first: number | undefined
  const heard = (): void => {
    const now = Date.now()
    if (first !== undefined && now - first > echoMs) process.exit(130)
    if (first !== undefined) return
    first = now
    listener()
  }
  for (const signal of signals) process.on(signal, heard)
  return () => {
    for (const signal of signals) process.off(signal, heard)
  }
}

/** The reader of the output may close it early, as `head` does. */
const endQuietly = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
}

export const start = async (): Promise<void> => {
  process.stdout.on('error', endQuietly)
  process.stderr.on('error', endQuietly)
  const variables = readVariables()
  const host: Host = {
    argv: process.argv.slice(2),
    variables,
    folder: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    user: userName(),
    version: readVersion(),
    invocation: variables['npm_config_user_agent'] === undefined ? 'plumbline' : 'npx plumbline',
    onInterrupt,
    clock: systemClock,
  }
  process.exitCode = await runProgram(host)
}
