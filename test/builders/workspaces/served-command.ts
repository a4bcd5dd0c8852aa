import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Ended, runCommand } from './command.ts'

interface Call {
  readonly args: readonly string[]
  readonly folder: string
  readonly variables: Readonly<Record<string, string>>
}

const client = fileURLToPath(new URL('./command-client.mjs', import.meta.url))

const failed = (error: unknown): Ended => ({ code: 70, stdout: '', stderr: String(error) })

/**
 * The command for the shells of a test: they call a small process, and the work is done in this one. `line` is what their
 * script says. Such a command has no standard input, says all at its end, and cannot be stopped.
 */
export const serveCommand = async () => {
  const server = createServer(async (request, response) => {
    const { args, ...options } = (await json(request)) as Call
    response.end(JSON.stringify(await runCommand(args, options).catch(failed)))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    line: `exec "${process.execPath}" "${client}" "${address}" "$@"`,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
