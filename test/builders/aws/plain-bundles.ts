import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BundleSize, bundleHandlers } from '../../../infra/bundle.ts'
import type { HandlerName } from '../../../infra/handlers.ts'

export interface PlainBundles {
  readonly folder: string
  readonly sizes: ReadonlyMap<HandlerName, BundleSize>
}

const build = async (): Promise<PlainBundles> => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-plain-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { folder, sizes: await bundleHandlers(folder) }
}

let built: Promise<PlainBundles> | undefined

/** The functions as they are deployed without packages, bundled once for each process: nobody may write there. */
export const plainBundles = (): Promise<PlainBundles> => (built ??= build())
