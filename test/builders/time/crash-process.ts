import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundleOptions } from '../../../infra/bundle.ts'
import { temporaryFolder } from '../workspaces/workspace.ts'
import type { CrashInput } from './crash-worker.ts'

/** The worker of `crash-worker.ts`, bundled once: from its sources, each process loads the whole core and the clients anew. */
export const bundleCrashWorker = async () => {
  const folder = temporaryFolder()
  await build({
    ...bundleOptions,
    entryPoints: { worker: 'test/builders/time/crash-worker.ts' },
    outdir: folder.path,
    target: 'node22.13',
  })
  return {
    /** How the process ended, and what it wrote. */
    run: async (input: CrashInput) => {
      const child = spawn(process.execPath, [join(folder.path, 'worker.mjs'), JSON.stringify(input)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part))
      const [code, signal] = await once(child, 'close')
      return { code, signal, said }
    },
    remove: () => folder.remove(),
  }
}
