import { join } from 'node:path'
import { bundlePage } from '../../../infra/page.ts'
import { chromiumFile } from './chromium.ts'

const root = new URL('../../..', import.meta.url).pathname

/** Where `plumbline dev` reads the page from. */
export const pageFolder = join(root, 'dist', 'page')

/** Of vitest, once for a run: the page as it is in this folder now. Rejects where there is no browser, before any test. */
export const setup = async (): Promise<void> => {
  chromiumFile()
  await bundlePage(root, pageFolder)
}
