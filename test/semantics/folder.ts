import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../core/engine/schema/json.ts'
import { runCommand } from '../builders/workspaces/command.ts'
import { temporaryFolder } from '../builders/workspaces/workspace.ts'

let last = 0

/** A workspace in a folder, for the command; `using` removes it. */
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
    run: (...args: readonly string[]) => runCommand(args, { folder: path, variables }),
    /** In another folder, with the store of this machine. */
    runIn: (folder: string, ...args: readonly string[]) => runCommand(args, { folder, variables }),
    [Symbol.dispose]: remove,
  }
}
