import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll } from 'vitest'
import type { JsonObject } from '../../core/schema/json.ts'
import type { Host } from '../../functions/cli/process/host.ts'
import { runProgram } from '../../functions/cli/program.ts'
import { type DynamodbEngine, startDynamodb } from '../builders/time/dynamodb-engine.ts'
import { type Ended, runCommand } from '../builders/workspaces/command.ts'
import { temporaryFolder } from '../builders/workspaces/workspace.ts'

/** One engine for all commands of a test file, because starting it takes longer than most commands. */
let engine: Promise<DynamodbEngine> | undefined
const shared = async () => {
  engine ??= startDynamodb()
  return { AWS_ENDPOINT_URL_DYNAMODB: (await engine).endpoint }
}
afterAll(async () => (await engine)?.stop())

/** The command in this process, without a terminal: the start of a process takes longer than most commands. */
const runHere = async (argv: readonly string[], folder: string, variables: Host['variables']): Promise<Ended> => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  stdin.end()
  const read = [text(stdout), text(stderr)]
  const streams = { stdin, stdout, stderr } as unknown as Pick<Host, 'stdin' | 'stdout' | 'stderr'>
  const about = { user: 'test', version: '0.1.0', invocation: 'plumbline', onInterrupt: () => () => {} }
  const code = await runProgram({ argv, variables, folder, ...streams, ...about })
  stdout.end()
  stderr.end()
  const [out = '', err = ''] = await Promise.all(read)
  return { code, stdout: out, stderr: err }
}

let last = 0

/** A workspace in a folder, for the command as a process; `using` removes it. */
export const aFolder = (
  server: { readonly url: string },
  document: string,
  resources: readonly JsonObject[],
  variables: Readonly<Record<string, string>> = {},
) => {
  const { path, remove } = temporaryFolder()
  last += 1
  const workspace = `things-${last}`
  const write = (name: string, text: string): void => writeFileSync(join(path, name), text)
  const want = (wanted: readonly JsonObject[], more: JsonObject = {}): void => {
    const providers = { api: { source: 'rest', definition: './api.provider.yaml', with: { baseUrl: server.url } } }
    write('plumbline.yaml', JSON.stringify({ workspace, ...more, providers, resources: wanted }))
  }
  write('api.provider.yaml', document)
  want(resources)
  return {
    path,
    want,
    write,
    read: (name: string): string => readFileSync(join(path, name), 'utf8'),
    run: async (...args: readonly string[]) => runHere(args, path, { ...variables, ...(await shared()) }),
    /** As a process in another folder, with the store of this machine. */
    runIn: (folder: string, ...args: readonly string[]) => runCommand(args, { folder, variables }),
    [Symbol.dispose]: remove,
  }
}
