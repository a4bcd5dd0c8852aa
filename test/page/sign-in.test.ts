import type { Browser } from 'playwright-core'
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

test('without a session the page says where the link is', async () => {
  const { page, close } = await openWatched(browser, stack.url)
  await page.goto(stack.url)
  await page.getByText('open the link that `plumbline dev` shows in its terminal').waitFor()
  expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0)
  await close()
})

test('a used link signs in nobody else, and the one that the terminal shows then does', async () => {
  const [one, other] = await Promise.all([openWatched(browser, stack.url), openWatched(browser, stack.url)])
  const link = stack.link()
  await stack.open(one.page)
  expect(one.page.url()).not.toContain('sign-in')
  const refused = await other.page.goto(link)
  expect(refused?.status()).toBe(403)
  expect(await other.page.textContent('body')).toContain('This link does not work any more')
  expect(stack.link()).not.toBe(link)
  await stack.open(other.page)
  await Promise.all([one.close(), other.close()])
})

test('a reload keeps the session and the place, and neither the address nor the browser keeps a token', async () => {
  const { page, found, close } = await openWatched(browser, stack.url)
  await stack.open(page, '#/w/tea-room/history')
  await page.reload()
  await page.getByRole('heading', { name: /^Checks/ }).waitFor()
  expect(page.url()).toBe(`${stack.url}/#/w/tea-room/history`)
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')
  expect(kept).not.toMatch(/eyJ/)
  expect(found).toEqual([])
  await close()
})

test('who signs out sees nothing any more in any tab, and needs the next link of the terminal', async () => {
  const { page, close } = await openWatched(browser, stack.url)
  await stack.open(page)
  const other = await page.context().newPage()
  await other.goto(`${stack.url}/#/w/tea-room`)
  await other.getByRole('button', { name: 'Check now' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('open the link').waitFor()
  expect(await page.getByText('tea-room').count()).toBe(0)
  await other.getByText('open the link').waitFor()
  expect(await other.getByRole('button', { name: 'Check now' }).count()).toBe(0)
  await page.reload()
  await page.getByText('open the link').waitFor()
  await stack.open(page)
  await page.getByRole('link', { name: 'tea-room' }).waitFor()
  await close()
})
