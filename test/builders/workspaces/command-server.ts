import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { bundleCommand } from '../../../infra/bundle.ts'
import { buildPacked } from '../aws/packed.ts'
import { buildPlainBundles } from '../aws/plain-bundles.ts'
import { builtVariable } from './ask-run.ts'

const root = new URL('../../..', import.meta.url).pathname

/** As it is published, beside the repository's packages. `end` removes it. */
export const commandFolder = () => {
  const folder = join(root, 'node_modules', '.cache', `plumbline-${process.pid}`)
  let built: Promise<string> | undefined
  const build = (): Promise<string> => (built ??= bundleCommand(folder).then(() => folder))
  return { build, end: () => rmSync(folder, { recursive: true, force: true }) }
}

/**
 * Of vitest, once for a run: the first test process that needs the command, the functions or the installed package has them made,
 * and all use the same files. A run without such tests bundles nothing.
 */
export const setup = async (): Promise<() => Promise<void>> => {
  const command = commandFolder()
  const pack = async () =>
    buildPacked({ command: await command.build(), functions: (await buildPlainBundles()).folder })
  let packed: ReturnType<typeof pack> | undefined
  const builds: Readonly<Record<string, () => Promise<unknown>>> = {
    '/command': command.build,
    '/functions': buildPlainBundles,
    '/package': () => (packed ??= pack()),
  }
  const server = createServer((request, response) => {
    const build = builds[request.url ?? ''] ?? (() => Promise.reject(new Error(`nothing is built as ${request.url}`)))
    build().then(
      (said) => response.end(JSON.stringify(said)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  process.env[builtVariable] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    command.end()
  }
}
