import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyHead, endOf, headOf, ledgerLine } from '../../core/engine/ledger/chain.ts'
import { link } from '../../core/engine/ledger/link.ts'
import { openBrowser } from './browser/chromium.ts'
import { type LocalStack, startLocalStack } from './browser/local-stack.ts'
import { openWatched, type Watched } from './browser/watched.ts'

/* The whole way of a drift, on one machine: each test goes on where the one before has ended. */

let browser: Browser
let stack: LocalStack
let watched: Watched
let page: Page

beforeAll(async () => {
  ;[browser, stack] = await Promise.all([openBrowser(), startLocalStack()])
  watched = await openWatched(browser, stack.url)
  page = watched.page
})

afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

/** The ledger of another workspace, as it is exported. */
const otherExport = (workspace: string): string => {
  const actor = { subject: 'mona', via: 'api' } as const
  const entry = link(emptyHead, { workspace, at: '2026-11-28T06:00:00.000Z', kind: 'paused', actor, reason: 'why' })
  return [entry, endOf(workspace, headOf(entry))].map((part) => `${ledgerLine(part)}\n`).join('')
}

const coffee = 'Coffee only today.\n'
const motd = 'machine/motd'

test('the link of the terminal signs in, and the fleet is in sync', async () => {
  await stack.open(page)
  await page.getByRole('listitem').filter({ hasText: 'tea-room' }).locator('.badge.in_sync').waitFor()
})

test('a drift appears by itself, and the workspace shows what differs', async () => {
  await stack.edit(motd, coffee)
  await page.getByRole('listitem').filter({ hasText: 'tea-room' }).locator('.badge.drifted').waitFor()
  await page.getByRole('link', { name: 'tea-room' }).click()
  await page.locator('del', { hasText: 'Coffee only today.' }).waitFor()
  await page.locator('ins', { hasText: 'Welcome to the tea room.' }).first().waitFor()
})

test('check mode logs the commands and sends none', async () => {
  await page.getByRole('link', { name: 'Review and approve 1 command' }).click()
  const approve = page.getByRole('button', { name: '2. Approve and send 1 command' })
  await approve.waitFor()
  await page.getByText('host_file.motd', { exact: true }).first().waitFor()
  expect(await approve.isDisabled()).toBe(true)
  await page.getByLabel('Reason, for the ledger').fill('the kettle is on')
  expect(await approve.isDisabled()).toBe(true)
  await page.getByRole('button', { name: '1. Check mode: log 1 command, send none' }).click()
  await page.getByText('nothing was sent').waitFor()
  expect(await stack.read(motd)).toBe(coffee)
})

test('an approval is watched until it is done, and the workspace is in sync again', async () => {
  await page.getByRole('button', { name: '2. Approve and send 1 command' }).click()
  await page.getByText('and the result matches the configuration').waitFor()
  await page.locator('.chooser .badge.in_sync', { hasText: 'done' }).waitFor()
  expect(await stack.read(motd)).toContain('Welcome to the tea room.')
  await page.getByRole('banner').getByRole('link', { name: 'Plumbline' }).click()
  await page.getByRole('listitem').filter({ hasText: 'tea-room' }).locator('.badge.in_sync').waitFor()
})

const openLedger = async (): Promise<void> => {
  await page.getByRole('link', { name: 'tea-room' }).click()
  await page.getByRole('link', { name: 'Ledger' }).click()
}

test('the ledger has each command, with who and why', async () => {
  await openLedger()
  const entry = page.locator('.entries details').filter({ hasText: 'a command is about to be sent' })
  await entry.locator('summary').click()
  await entry.getByText('Reason: the kettle is on').waitFor()
  const logged = page.locator('.entries details').filter({ hasText: 'a command was logged' })
  expect(await logged.count()).toBe(1)
})

let head: string
const verification = () => page.getByRole('region', { name: 'Verification' })

test('this browser finds the ledger intact, also with its head', async () => {
  await page.getByRole('button', { name: 'Verify in this browser' }).click()
  await verification().locator('.note.good').waitFor()
  head = (await verification().locator('.note.good code').textContent()) ?? ''
  expect(head).toMatch(/^\d+:sha256:[0-9a-f]{64}$/)
  await verification().getByRole('textbox').fill(`noted elsewhere: ${head}`)
  await verification()
    .getByRole('button', { name: /^Verify with entry/ })
    .click()
  await verification().getByText('Whoever can write the whole ledger').waitFor({ state: 'detached' })
  await verification().locator('.note.good').waitFor()
  await verification().getByText('It has the head that was pasted, at entry').waitFor()
})

test('a verdict is gone once something else is to be verified', async () => {
  await verification().getByRole('textbox').fill('no head at all')
  await verification().getByText('This is not one head').waitFor()
  expect(await verification().locator('.note.good').count()).toBe(0)
})

test('another head than the noted one is found', async () => {
  const wrong = head.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  await verification().getByRole('textbox').fill(wrong)
  await verification()
    .getByRole('button', { name: /^Verify with entry/ })
    .click()
  await verification().getByText('Not intact').waitFor()
})

test('a saved export with one other byte is found', async () => {
  await verification().getByRole('textbox').fill('')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    verification().getByRole('button', { name: 'Save the export' }).click(),
  ])
  const saved = await readFile(await download.path(), 'utf8')
  const file = join(stack.folder, 'saved.ndjson')
  await writeFile(file, saved)
  await verification().locator('input[type=file]').setInputFiles(file)
  await verification().getByText('Intact, from saved.ndjson').waitFor()
  await writeFile(file, saved.replace('the kettle is on', 'the kettle is in'))
  await verification().locator('input[type=file]').setInputFiles([])
  await verification().locator('input[type=file]').setInputFiles(file)
  await verification().getByText('Not intact, from saved.ndjson').waitFor()
  await verification().getByRole('textbox').fill(head)
  expect(await verification().locator('.note').count()).toBe(0)
  const other = join(stack.folder, 'other.ndjson')
  await writeFile(other, otherExport('coffee-room'))
  await verification().locator('input[type=file]').setInputFiles(other)
  await verification().getByText('it is the ledger of coffee-room').waitFor()
  expect(await verification().getByText('Not intact').count()).toBe(0)
})

test('nothing on the way broke the policy of the page', () => {
  expect(watched.found).toEqual([])
})
