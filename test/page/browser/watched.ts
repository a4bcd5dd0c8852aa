import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

/** What no page may do, whatever it is given to show: `clean` is compared with it at the end of a test. */
export interface Watched {
  readonly page: Page
  /** Dialogs, requests to other servers, violations of the policy, and errors of scripts, in words. */
  readonly found: readonly string[]
  close(): Promise<void>
}

/** So long a test waits for what it wants to see. No test expects a speed. */
const patienceMs = 20_000

const isOwn = (address: string, origin: string): boolean => {
  const { protocol, origin: theirs } = new URL(address)
  return theirs === origin || protocol === 'data:' || protocol === 'blob:'
}

/** A page of a browser of its own, with its own cookies, which is watched from the first request. */
export const openWatched = async (
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Watched> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  const found: string[] = []
  page.setDefaultTimeout(patienceMs)
  page.on('dialog', (dialog) => {
    found.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (!isOwn(request.url(), origin)) found.push(`request: ${request.url()}`)
  })
  page.on('pageerror', (error) => found.push(`error: ${error.message}`))
  await page.exposeFunction('violated', (what: string) => found.push(`policy: ${what}`))
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => violated(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))`,
  )
  return { page, found, close: () => context.close() }
}
