import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type Scene, standIn } from '../scene/stand-in.ts'
import type { LocalStack } from './local-stack.ts'
import { openWatched } from './watched.ts'

/** A page whose reader has signed in on the local stack, and which reads a scene. */
export interface SignedIn {
  readonly page: Page
  /** What no page may do, and answers of the scene that the API would not give. */
  found(): readonly string[]
  close(): Promise<void>
}

export const openScene = async (
  browser: Browser,
  stack: LocalStack,
  scene: () => Scene,
  options: BrowserContextOptions = {},
): Promise<SignedIn> => {
  const { page, found, close } = await openWatched(browser, stack.url, options)
  const faults = await standIn(page, scene)
  await stack.open(page)
  return { page, found: () => [...found, ...faults], close }
}

/** Goes to a view, and waits for what it shows. */
export const visit = async (page: Page, hash: string, shown: string): Promise<void> => {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  await page.locator(shown).first().waitFor()
}
