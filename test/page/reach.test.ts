import axeCore from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from './browser/chromium.ts'
import { type LocalStack, startLocalStack } from './browser/local-stack.ts'
import { openScene, type SignedIn, visit } from './browser/signed-in.ts'
import { acmeScene, shownIn, views } from './scene/acme.ts'

/* Everybody can read every view: with a screen reader, in the dark, on a telephone and on a wide screen. */

const names = Object.keys(views) as (keyof typeof views)[]

interface AxeFinding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Serious and critical findings, in words. */
const findingsOf = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(`window.axe || (0, eval)(${JSON.stringify(axeCore.source)})`)
  const found = await page.evaluate<readonly AxeFinding[]>(`axe.run().then(({ violations }) => violations)`)
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    )
}

/** What is wider than the window, if the page scrolls sideways. */
const tooWide = `(() => {
  const width = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth <= width) return []
  return [...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > width + 1).map((each) => each.outerHTML.slice(0, 100))
})()`

let browser: Browser
let stack: LocalStack

beforeAll(async () => {
  ;[browser, stack] = await Promise.all([openBrowser(), startLocalStack()])
})

afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

describe.each(['light', 'dark'] as const)('in the %s', (colorScheme) => {
  let opened: SignedIn
  beforeAll(async () => {
    // The policy of the page lets nobody put a script into it: for the tool alone it does not hold.
    opened = await openScene(browser, stack, acmeScene, { colorScheme, bypassCSP: true })
  })
  afterAll(() => opened.close())
  test.each(names)('axe finds nothing serious in the view %s', async (name) => {
    await visit(opened.page, views[name], shownIn[name])
    expect(await findingsOf(opened.page)).toEqual([])
    expect(opened.found()).toEqual([])
  })
  test('axe finds nothing serious in commands that are not chosen', async () => {
    await visit(opened.page, views.approve, shownIn.approve)
    await opened.page.getByRole('button', { name: 'None', exact: true }).click()
    await opened.page.getByText('Nothing is chosen.').waitFor()
    expect(await findingsOf(opened.page)).toEqual([])
    await opened.page.getByRole('button', { name: 'All', exact: true }).click()
  })
  test('axe finds nothing serious in a dialog', async () => {
    await visit(opened.page, views.workspace, shownIn.workspace)
    await opened.page.getByRole('button', { name: 'Pause' }).click()
    await opened.page.getByRole('dialog').waitFor()
    expect(await findingsOf(opened.page)).toEqual([])
    await opened.page.keyboard.press('Escape')
  })
})

describe.each([360, 1920])('on a screen of %d pixels', (width) => {
  let opened: SignedIn
  beforeAll(async () => {
    opened = await openScene(browser, stack, acmeScene, { viewport: { width, height: 800 } })
  })
  afterAll(() => opened.close())
  test.each(names)('the view %s does not scroll sideways', async (name) => {
    await visit(opened.page, views[name], shownIn[name])
    expect(await opened.page.evaluate(tooWide)).toEqual([])
    expect(opened.found()).toEqual([])
  })
})
