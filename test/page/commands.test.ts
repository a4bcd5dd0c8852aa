import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aChange, aCommand, aPlan, object } from '../builders/values/plans.ts'
import { openBrowser } from './browser/chromium.ts'
import { type LocalStack, startLocalStack } from './browser/local-stack.ts'
import { openScene, visit } from './browser/signed-in.ts'
import { acmeScene, shownIn, views } from './scene/acme.ts'
import { anApply, aRun } from './scene/answers.ts'

/* Commands that are many, long, or not there: how they are found, and read. */

let browser: Browser
let stack: LocalStack

beforeAll(async () => {
  ;[browser, stack] = await Promise.all([openBrowser(), startLocalStack()])
})

afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const many = Array.from({ length: 5_000 }, (_, n) =>
  aCommand({
    address: `pdns_record.r${n}`,
    request: { method: 'PUT', url: `https://dns.acme.example/r${n}`, effect: 'write', body: { owner: `team-${n}` } },
  }),
)

const searchIn = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel('Search the commands').fill(text)
  await page.locator('.chooser > li').first().waitFor()
}

test.each(['approve', 'applied'] as const)(
  '5,000 commands of the view %s are searched, opened and closed',
  async (view) => {
    const outcomes = [{ command: 'pdns_record.r7#1', status: 'failed', detail: 'taken by somebody' }]
    const scene = acmeScene({ plan: aPlan({ commands: many }), apply: anApply({ outcomes } as never) })
    const { page, found, close } = await openScene(browser, stack, () => scene)
    await visit(page, views[view], shownIn[view])
    const rows = page.locator('.chooser > li')
    const open = page.locator('.chooser > li .command[open] pre')
    await page.getByRole('button', { name: 'Open all' }).click()
    await open.nth(20).waitFor()
    expect(await rows.count()).toBeLessThan(100)
    await expect
      .poll(async () => {
        await page.evaluate('scrollTo(0, 1e7)')
        return page.locator('.chooser > li[aria-posinset="5000"] .command[open]').count()
      })
      .toBe(1)
    await page.evaluate('scrollTo(0, 0)')
    await page.getByRole('button', { name: 'Close all' }).click()
    await open.first().waitFor({ state: 'detached' })
    // A part of the address, and of the body.
    for (const text of ['R4321', 'team-4321 put']) {
      await searchIn(page, text)
      await page.getByText('1 of 5000 shown').waitFor()
      expect(await rows.count()).toBe(1)
    }
    await page.reload()
    await page.getByText('1 of 5000 shown').waitFor()
    if (view === 'applied') {
      await searchIn(page, 'failed somebody')
      await rows.getByText('pdns_record.r7#1').first().waitFor()
    }
    await page.getByLabel('Search the commands').fill('nowhere')
    await page.getByText('Nothing matches the search.').waitFor()
    expect(found()).toEqual([])
    await close()
  },
)

test('all and none of a search are those that it shows', async () => {
  const { page, found, close } = await openScene(browser, stack, acmeScene)
  await visit(page, views.approve, shownIn.approve)
  await searchIn(page, 'pdns_zone.old')
  await page.getByRole('button', { name: 'None shown', exact: true }).click()
  await page.getByLabel('Search the commands').fill('')
  // The stand-in has one plan, whatever is asked for: what is not chosen comes along.
  await page.getByText('comes along: a chosen one needs it').waitFor()
  expect(await page.locator('.chooser input:disabled').count()).toBe(1)
  await searchIn(page, 'pdns_zone.old')
  await page.getByRole('button', { name: 'All shown', exact: true }).click()
  await page.getByText('comes along: a chosen one needs it').waitFor({ state: 'detached' })
  expect(found()).toEqual([])
  await close()
})

const blocked = { reason: 'prevent_destroy', detail: '' } as const
const unread = { address: 'pdns_zone.unread', reason: 'unauthorised', detail: 'HTTP 401' } as const

test.each([1, 0])('beside %d commands it is said what is not among them, and why', async (n) => {
  const plan = aPlan({
    changes: [aChange({ address: 'pdns_zone.kept', action: 'delete', diff: object({}), blocked })],
    unchecked: [unread],
    commands: many.slice(0, n),
  })
  const { page, found, close } = await openScene(browser, stack, () => acmeScene({ plan }))
  await visit(page, views.approve, 'details.note')
  await page
    .getByText('Not among these commands: 1 resource (blocked, not sent), 1 resource (could not be checked)')
    .click()
  const region = (name: string) => page.getByRole('region', { name })
  await region('Blocked, not sent').getByText('preventDestroy is set').waitFor()
  await region('Could not be checked').getByText('pdns_zone.unread').waitFor()
  await page.getByRole('link', { name: 'The whole plan' }).click()
  await page.locator(shownIn.workspace).waitFor()
  expect(found()).toEqual([])
  await close()
})

test('a text of several lines is read as lines, and copied as it is sent', async () => {
  const command = aCommand({
    address: 'host_file.motd',
    request: {
      method: 'PUT',
      url: 'https://a.example/motd',
      effect: 'write',
      body: { text: 'Tea\nat four\n', path: 'c:\\new' },
    },
  })
  const { page, close } = await openScene(browser, stack, () => acmeScene({ plan: aPlan({ commands: [command] }) }))
  await visit(page, views.approve, '.command pre')
  const pre = page.locator('.command pre').first()
  const one = await page.evaluate<number>(
    `parseFloat(getComputedStyle(document.querySelector('.command pre')).lineHeight)`,
  )
  // Request, an empty line, and the body, which has one line end inside of it.
  expect(Math.round((((await pre.boundingBox())?.height ?? 0) - 18) / one)).toBe(4)
  const selected = await page.evaluate(
    `(() => { const all = getSelection(); all.selectAllChildren(document.querySelector('.command pre')); return all.toString() })()`,
  )
  expect(selected).toBe('PUT https://a.example/motd\n\n{"text":"Tea\\nat four\\n","path":"c:\\\\new"}')
  await close()
})

const answer = '{"message":"the name is taken","code":4711}'

test('of an answer of a target the sentence comes first, and the answer as it came is folded', async () => {
  const error = { code: 'COMMAND_FAILED', message: `jobs#1 failed: HTTP 409: ${answer}`, hint: 'look' }
  const apply = anApply({
    status: 'failed',
    error,
    outcomes: [{ command: 'rabbitmq_user.jobs#1', status: 'failed', httpStatus: 409, detail: answer }],
  } as never)
  const { page, found, close } = await openScene(browser, stack, () => acmeScene({ apply }))
  await visit(page, views.applied, shownIn.applied)
  await page.getByText('jobs#1 failed: HTTP 409: the name is taken', { exact: true }).waitFor()
  const row = page.locator('.chooser > li', { hasText: 'rabbitmq_user.jobs#1' }).first()
  await row.getByText('the name is taken').first().waitFor()
  expect(await row.locator('.raw pre').isVisible()).toBe(false)
  await row.getByText('The answer as it came').click()
  expect(await row.locator('.raw pre').innerText()).toBe(answer)
  expect(found()).toEqual([])
  await close()
})

test('a name in a table of a telephone breaks where its parts end', async () => {
  const scene = acmeScene()
  const by = { subject: 'local:root', via: 'api' }
  const versions = (scene.versions ?? []).map((version) => ({ ...(version as object), by }))
  const options = { viewport: { width: 360, height: 720 } }
  const { page, found, close } = await openScene(browser, stack, () => ({ ...scene, versions }), options)
  await visit(page, views.files, shownIn.files)
  const heights = await page.evaluate<readonly number[]>(
    `[...document.querySelectorAll('td b span')].map((each) => each.getClientRects().length)`,
  )
  expect(heights.length).toBe(4)
  expect(new Set(heights)).toEqual(new Set([1]))
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  expect(found()).toEqual([])
  await close()
})

test('a row of the checks names the first resources that differed, and counts the others', async () => {
  const differing = { count: 1_003, first: ['pdns_zone.old', 'pdns_zone.main', 'rabbitmq_user.jobs'] }
  const run = aRun({ status: 'changes', differing })
  const { page, found, close } = await openScene(browser, stack, () => acmeScene({ run, runs: [run] }))
  await visit(page, views.history, shownIn.history)
  const words = 'drifted pdns_zone.old, pdns_zone.main, rabbitmq_user.jobs and 1,000 more'
  await page.getByRole('cell', { name: words }).waitFor()
  expect(found()).toEqual([])
  await close()
})
