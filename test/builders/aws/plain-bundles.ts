import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BundleSize, bundleHandlers } from '../../../infra/bundle.ts'
import type { HandlerName } from '../../../infra/handlers.ts'
import { askRun } from '../workspaces/ask-run.ts'

/** `sizes`: by name. */
export interface PlainBundles {
  readonly folder: string
  readonly sizes: readonly (readonly [HandlerName, BundleSize])[]
}

const build = async (): Promise<PlainBundles> => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-plain-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { folder, sizes: [...(await bundleHandlers(folder))] }
}

let built: Promise<PlainBundles> | undefined

/** The functions as they are deployed without packages, bundled in this process, which removes them at its end. */
export const buildPlainBundles = (): Promise<PlainBundles> => (built ??= build())

/** The same, bundled once for the run: nobody may write there. */
export const plainBundles = async (): Promise<PlainBundles> =>
  (await askRun<PlainBundles>('functions')) ?? buildPlainBundles()
