import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../core/schema/json.ts'
import { runCommand } from '../builders/workspaces/command.ts'
import { temporaryFolder } from '../builders/workspaces/workspace.ts'

/** A workspace in a folder, for the command as a process; `using` removes it. */
export const aFolder = (
  server: { readonly url: string },
  document: string,
  resources: readonly JsonObject[],
  variables: Readonly<Record<string, string>> = {},
) => {
  const { path, remove } = temporaryFolder()
  const want = (wanted: readonly JsonObject[]): void => {
    const providers = { api: { source: 'rest', definition: './api.provider.yaml', with: { baseUrl: server.url } } }
    writeFileSync(join(path, 'plumbline.yaml'), JSON.stringify({ workspace: 'things', providers, resources: wanted }))
  }
  writeFileSync(join(path, 'api.provider.yaml'), document)
  want(resources)
  return {
    path,
    want,
    run: (...args: readonly string[]) => runCommand(args, { folder: path, variables }),
    [Symbol.dispose]: remove,
  }
}
