import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './browser/chromium.ts'
import { type LocalStack, startLocalStack } from './browser/local-stack.ts'
import { openWatched } from './browser/watched.ts'

let browser: Browser
let stack: LocalStack

beforeAll(async () => {
  ;[browser, stack] = await Promise.all([openBrowser(), startLocalStack()])
})

afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const focused = `(() => {
  const { activeElement: at } = document
  return [at?.getAttribute('aria-label'), at?.closest('label')?.innerText, at?.innerText].filter(Boolean).join(' ')
})()`

/** Goes on by the Tab key until the element with these words has the focus. */
const tabTo = async (page: Page, words: string): Promise<void> => {
  for (let n = 0; n < 60; n += 1) {
    await page.keyboard.press('Tab')
    if (String(await page.evaluate(focused)).includes(words)) return
  }
  throw new Error(`the Tab key never comes to ${words}`)
}

test('from the search to an approval by keys alone', async () => {
  await stack.edit('machine/motd', 'Coffee only today.\n')
  const { page, found } = await openWatched(browser, stack.url)
  await stack.open(page)
  await page.locator('.badge.drifted').waitFor()
  await tabTo(page, 'Search workspaces by name')
  await page.keyboard.type('nothing')
  await page.getByText('No workspace matches.').waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('tea')
  await page.getByText('1 workspace', { exact: true }).waitFor()
  await tabTo(page, 'tea-room')
  await page.keyboard.press('Enter')
  await page.locator('.block').waitFor()
  await tabTo(page, 'host_file.motd')
  await page.keyboard.press('Enter')
  await page.locator('.block[open]').waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await page.locator('.block[open]').waitFor()
  await page.keyboard.press('Shift+Tab')
  expect(await page.evaluate(focused)).toContain('Review and approve 1 command')
  await page.keyboard.press('Enter')
  await page.locator('.send').waitFor()
  await tabTo(page, 'Reason, for the ledger')
  await page.keyboard.type('by keys alone')
  await tabTo(page, '1. Check mode')
  await page.keyboard.press('Enter')
  await page.getByText('nothing was sent').waitFor()
  await tabTo(page, '2. Approve and send')
  await page.keyboard.press('Enter')
  await page.getByText('and the result matches the configuration').waitFor()
  expect(found).toEqual([])
})

test('Escape closes a dialog, the focus comes back, and what was typed is kept', async () => {
  const { page } = await openWatched(browser, stack.url)
  await stack.open(page, '#/w/tea-room')
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await tabTo(page, 'Pause')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('half a reason')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.evaluate(focused)).toBe('Pause')
  await page.keyboard.press('Enter')
  expect(await page.getByRole('dialog').getByRole('textbox').inputValue()).toBe('half a reason')
})
