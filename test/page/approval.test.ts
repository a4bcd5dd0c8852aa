import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser } from './browser/chromium.ts'
import { type LocalStack, startLocalStack } from './browser/local-stack.ts'
import { openWatched, type Watched } from './browser/watched.ts'

let browser: Browser
let stack: LocalStack
let watched: Watched
let page: Page

beforeAll(async () => {
  browser = await openBrowser()
})

beforeEach(async () => {
  stack = await startLocalStack()
  watched = await openWatched(browser, stack.url)
  page = watched.page
})

afterEach(async () => {
  expect(watched.found).toEqual([])
  await watched.close()
  await stack.stop()
})

afterAll(async () => {
  await browser?.close()
})

const motd = 'machine/motd'
const app = 'machine/etc/app.ini'

/** Drifts both files, checks, and opens the commands. */
const review = async (): Promise<void> => {
  await stack.edit(app, '[tea]\ntemperature = 60\n')
  await stack.edit(motd, 'Coffee only today.\n')
  await stack.open(page, '#/w/tea-room')
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByRole('link', { name: 'Review and approve 2 commands' }).click()
  await page.getByText('2 of 2 commands would be sent').waitFor()
}

const logged = async (n: string): Promise<void> => {
  await page.getByLabel('Reason, for the ledger').fill('repair by hand')
  await page.getByRole('button', { name: `1. Check mode: log ${n}, send none` }).click()
  await page.getByText('nothing was sent').waitFor()
}

test('what has changed since the approval is refused, and both versions are shown', async () => {
  await review()
  await page.getByText('The target now, and then').first().click()
  const now = page.locator('.command .rows').first()
  expect(await now.locator('del').allTextContents()).toContain('temperature = 60')
  expect(await now.locator('ins').allTextContents()).toContain('temperature = 85')
  await logged('2 commands')
  await stack.edit('files/app.ini', '[tea]\ntemperature = 90\n')
  await page.getByRole('button', { name: '2. Approve and send 2 commands' }).click()
  await page.getByText('refused, nothing was sent').waitFor()
  await page.getByText('STALE_PLAN').waitFor()
  expect(await page.getByRole('alert').textContent()).toContain('host_file.app#1')
  // The digests have no space in them, and fit a telephone all the same.
  const wide = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  if (wide !== null) await page.setViewportSize(wide)
  const differing = page.getByRole('region', { name: 'What differs from the approval' })
  const check = differing.getByRole('button', { name: 'Check now, and compare' })
  const sides = differing.locator('.sides')
  // A check of the schedule may come first.
  await check.or(sides).first().waitFor()
  if (await check.isVisible()) await check.click()
  await sides.waitFor()
  expect(await differing.getByRole('article').count()).toBe(1)
  expect(await sides.locator('> div').first().textContent()).toContain('temperature = 85')
  expect(await sides.locator('> div').last().textContent()).toContain('temperature = 90')
  expect(await stack.read(motd)).toBe('Coffee only today.\n')
  await differing.getByRole('link', { name: 'Review the new commands' }).click()
  await page.getByText('2 of 2 commands would be sent').waitFor()
})

test('a ledger without entries says so, and one with a filter that nothing matches says that', async () => {
  await stack.open(page, '#/w/tea-room/ledger')
  await page.getByText('It has no entry yet').waitFor()
  await page.getByLabel('Actor').fill('nobody')
  await page.keyboard.press('Enter')
  await page.getByText('No entry matches.').waitFor()
})

test('a part of the commands is sent, and the rest stays', async () => {
  await review()
  await page.getByRole('checkbox', { name: 'host_file.motd' }).uncheck()
  await page.getByText('1 of 2 commands would be sent').waitFor()
  await logged('1 command')
  const place = new URL(page.url()).hash
  let answer = (): void => {}
  const isHeld = new Promise<void>((done) => {
    answer = done
  })
  await page.route(/\/apply(\?|$)/, async (route) => {
    await isHeld
    await route.continue()
  })
  await page.getByRole('button', { name: '2. Approve and send 1 command' }).click()
  await page.getByText('Sending the approval of 1 command').waitFor()
  expect(await page.getByText('nothing was sent').count()).toBe(0)
  answer()
  await page.getByText('and the result matches the configuration').waitFor()
  await page.unroute(/\/apply(\?|$)/)
  expect(await stack.read(app)).toContain('temperature = 85')
  expect(await stack.read(motd)).toBe('Coffee only today.\n')
  // As after a reload while it was sent.
  await stack.open(page, place)
  await page.getByText('Commands of this check were approved before').waitFor()
})

const leaf = `
  - type: host_file
    name: leaf
    spec: { path: leaf, content: "\${resource.host_file.pot.path}" }
  - type: host_file
    name: pot
    spec: { path: pot, content: "new" }
`

test('what a chosen resource needs comes along', async () => {
  await stack.edit('plumbline.yaml', `${await stack.read('plumbline.yaml')}${leaf}`)
  await stack.open(page, '#/w/tea-room')
  await page.getByRole('link', { name: 'Review and approve 2 commands' }).click()
  await page.getByRole('button', { name: 'None', exact: true }).click()
  await page.getByText('Nothing is chosen.').waitFor()
  await page.getByRole('checkbox', { name: 'host_file.leaf' }).check()
  await page.getByText('2 of 2 commands would be sent').waitFor()
  await page.getByText('comes along: a chosen one needs it').waitFor()
})

test('checks are paused and resumed, with a reason', async () => {
  await stack.open(page, '#/w/tea-room')
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('the tea room moves')
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
  await page.getByText('the tea room moves').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('it has moved')
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('an alert is acknowledged and snoozed, with a reason', async () => {
  await stack.edit(motd, 'Coffee only today.\n')
  await stack.open(page, '#/w/tea-room')
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByRole('link', { name: 'Alerts' }).click()
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('we know')
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByText('Acknowledged by').waitFor()
  expect(await page.getByRole('article').textContent()).toContain('we know')
  await page.getByRole('button', { name: 'Snooze', exact: true }).click()
  await page.getByRole('dialog').getByLabel('For').selectOption('1 day')
  await page.getByRole('dialog').getByLabel('Reason').fill('until tomorrow')
  await page.getByRole('dialog').getByRole('button', { name: 'Snooze' }).click()
  await page.getByText('Snoozed until').waitFor()
  await page.getByRole('button', { name: 'End the snooze' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('it is tomorrow')
  await page.getByRole('dialog').getByRole('button', { name: 'End the snooze' }).click()
  await page.getByText('Snoozed until').waitFor({ state: 'detached' })
})
