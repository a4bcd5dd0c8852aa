import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { importJWK, type JWK, SignJWT } from 'jose'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Run } from '../../core/index.ts'
import { aChange, aCommand, aPlan, object, updated } from '../builders/values/plans.ts'
import { pageFolder } from './browser/built-page.ts'
import { openBrowser } from './browser/chromium.ts'
import { type LocalStack, startLocalStack } from './browser/local-stack.ts'
import { openScene, visit } from './browser/signed-in.ts'
import { acmeScene, shownIn, views } from './scene/acme.ts'
import { anApply, aRun, aWorkspace, lastRunOf, minutesAgo } from './scene/answers.ts'
import type { Scene } from './scene/stand-in.ts'

/* States of an API to which a local stack does not come by itself, and what they cost. */

let browser: Browser
let stack: LocalStack

beforeAll(async () => {
  ;[browser, stack] = await Promise.all([openBrowser(), startLocalStack()])
})

afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const watchLongTasks = (page: Page): Promise<unknown> =>
  page.evaluate(
    'window.long = []; new PerformanceObserver((list) => long.push(...list.getEntries().map((each) => Math.round(each.duration)))).observe({ type: "longtask" })',
  )

/** Long tasks so far, and while a wheel turns. */
const scrollThrough = async (page: Page): Promise<{ readonly opening: string; readonly scrolling: string }> => {
  const take = async () => (await page.evaluate<readonly number[]>('long.splice(0)')).join(', ') || 'no'
  const opening = await take()
  for (let n = 0; n < 40; n += 1) await page.mouse.wheel(0, 4_000)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  return { opening, scrolling: await take() }
}

/** A wheel may turn for a while after its last event. */
const toTop = (page: Page): Promise<void> =>
  expect
    .poll(async () => {
      await page.evaluate('scrollTo(0, 0)')
      return page.locator('[aria-posinset="1"]').count()
    })
    .toBe(1)

const fleetOf = (n: number): Scene =>
  acmeScene({
    workspaces: Array.from({ length: n }, (_, each) =>
      aWorkspace(`team-${each}`, each % 40 === 0 ? 'changes' : 'in_sync'),
    ),
  })

test('the first view loads at most 60 KB', () => {
  const html = readFileSync(join(pageFolder, 'index.html'), 'utf8')
  const first = [...html.matchAll(/assets\/([\w.-]+\.(?:js|css))/g)].map(([, name = '']) => name)
  const bytes = first.reduce((sum, name) => sum + gzipSync(readFileSync(join(pageFolder, name))).length, 0)
  say(`first view: ${bytes} bytes with gzip, of ${readdirSync(pageFolder).length} files it loads ${first.length}`)
  expect(first.length).toBeGreaterThan(1)
  expect(bytes).toBeLessThanOrEqual(60_000)
})

test('an apply that runs is shown command by command', async () => {
  const since = new Date().toISOString()
  const sending = (command: string, more: object = {}) => ({ command, description: command, since, ...more })
  let apply = anApply({ status: 'running', progress: { sending: [sending('pdns_zone.main#1')], waiting: 3 } })
  const scene = acmeScene()
  const { page, found, close } = await openScene(browser, stack, () => ({ ...scene, apply }))
  await visit(page, `#/w/acme-dns/applies/${apply.id}`, '.chooser li')
  const row = (id: string) => page.locator('.chooser li', { has: page.getByText(id, { exact: true }) })
  await row('pdns_zone.main#1').getByText('sending', { exact: true }).waitFor()
  await row('rabbitmq_user.jobs#1').getByText('waiting', { exact: true }).waitFor()
  await page.getByText('running: 0 commands done so far, 1 being sent, 3 waiting').waitFor()
  apply = {
    ...apply,
    outcomes: [{ command: 'pdns_zone.main#1', status: 'succeeded' }],
    progress: {
      sending: [sending('rabbitmq_user.jobs#1', { attempt: 2 }), sending('pdns_zone.old#1', { accepted: true })],
      waiting: 1,
    },
  }
  await row('pdns_zone.main#1').getByText('done', { exact: true }).waitFor()
  await row('rabbitmq_user.jobs#1').getByText('attempt 2').waitFor()
  await row('pdns_zone.old#1').getByText('the target is at work').waitFor()
  expect(found()).toEqual([])
  await close()
})

test.each([200, 1_000])('a fleet of %d workspaces is shown as a whole, and filtered', async (n) => {
  const { page, found, close } = await openScene(browser, stack, () => fleetOf(n))
  await page.reload()
  await page.locator('li.fleet-row').first().waitFor()
  say(`${n} workspaces: ${await page.evaluate('Math.round(performance.now())')} ms from the start to the first row`)
  const row = page.locator('li.fleet-row')
  expect(await row.first().getAttribute('aria-setsize')).toBe(String(n))
  expect(await row.count()).toBeLessThan(100)
  await watchLongTasks(page)
  const { scrolling } = await scrollThrough(page)
  await page.locator(`li.fleet-row[aria-posinset="${n}"]`).waitFor()
  await toTop(page)
  const search = page.getByLabel('Search workspaces by name')
  await search.pressSequentially('team-7')
  await page.getByText(` of ${n} workspaces`).waitFor()
  await search.fill('')
  for (const name of [/^in sync/, /^all/]) await page.getByRole('button', { name }).click()
  await page.locator(`[aria-setsize="${n}"]`).first().waitFor()
  const { opening: filtering } = await scrollThrough(page)
  say(`${n} workspaces: long tasks of ${scrolling} ms while they scroll, of ${filtering} ms while they are filtered`)
  await toTop(page)
  const head = page.locator('.fleet-row.head')
  expect(await head.isVisible()).toBe(true)
  await page.setViewportSize({ width: 390, height: 720 })
  expect(await head.isVisible()).toBe(false)
  await page.getByLabel('Search workspaces by name').fill('team-7')
  await page.getByText(` of ${n} workspaces`).waitFor()
  await page.getByRole('button', { name: /^drifted/ }).click()
  expect(found()).toEqual([])
  await close()
})

test('what differs and has not drifted is called changes, in the fleet, its filter and the history', async () => {
  const scene = acmeScene()
  const counts = { ...aRun().counts, create: 2, commands: 2 } as NonNullable<Run['counts']>
  const run = aRun({ status: 'changes', counts })
  const workspaces = [aWorkspace('acme-dns', 'changes', { lastRun: lastRunOf(run) }), ...scene.workspaces.slice(1)]
  const { page, found, close } = await openScene(browser, stack, () => ({ ...scene, workspaces, run, runs: [run] }))
  await page.getByRole('button', { name: /^changes 1/ }).click()
  await page.getByText('1 of 7 workspaces').waitFor()
  expect(await page.locator('li.fleet-row').innerText()).not.toContain('drifted')
  await visit(page, views.history, shownIn.history)
  await page.locator('td .badge.changes').waitFor()
  expect(await page.locator('main').innerText()).not.toContain('drifted')
  expect(found()).toEqual([])
  await close()
})

test('a choice of nothing is counted, and neither its buttons nor the panel move away', async () => {
  const { page, found, close } = await openScene(browser, stack, acmeScene)
  await visit(page, views.approve, shownIn.approve)
  const none = page.getByRole('button', { name: 'None', exact: true })
  const before = await none.boundingBox()
  await none.click()
  await page.getByText('0 of 3 commands would be sent').waitFor()
  await page.getByText('Nothing is chosen.').waitFor()
  expect(await none.boundingBox()).toEqual(before)
  await page.getByLabel('Reason, for the ledger').fill('none of them')
  expect(await page.getByRole('button', { name: '1. Check mode: log 0 commands, send none' }).isDisabled()).toBe(true)
  const slow = Promise.withResolvers<void>()
  await page.route('**/v1/**/plan?*', async (route) => {
    await slow.promise
    await route.fallback()
  })
  await page.getByRole('checkbox', { name: 'pdns_zone.old' }).check()
  await page.getByText('… of 3 commands would be sent').waitFor()
  expect((await none.boundingBox())?.x).toBe(before?.x)
  expect(await page.locator(shownIn.approve).count()).toBe(1)
  slow.resolve()
  // The stand-in has one plan, whatever is asked for.
  await page.getByText('3 of 3 commands would be sent').waitFor()
  expect(await page.getByRole('button', { name: /^1. Check mode/ }).isDisabled()).toBe(false)
  expect(found()).toEqual([])
  await close()
})

test('5,000 changes are all there, and the page stays quick', async () => {
  const plan = aPlan({
    changes: Array.from({ length: 5_000 }, (_, n) =>
      aChange({
        address: `pdns_record.r${n}`,
        action: 'update',
        diff: object({ ttl: updated(n, n + 1) }),
        causes: [{ path: ['ttl'], cause: 'drift' }],
      }),
    ),
  })
  const { page, found, close } = await openScene(browser, stack, () => acmeScene({ plan }))
  await watchLongTasks(page)
  await visit(page, views.workspace, shownIn.workspace)
  expect(await page.locator('.block').count()).toBeLessThan(100)
  const { opening, scrolling } = await scrollThrough(page)
  say(`5,000 changes: long tasks of ${opening} ms until they are there, of ${scrolling} ms while they scroll`)
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await page.locator('.blocks > li[aria-posinset="5000"] .block').waitFor()
  await page.getByLabel('Search the changes').fill('r4999')
  await page.getByText('1 of 5000').waitFor()
  expect(found()).toEqual([])
  await close()
})

test('5,000 commands are all there to approve, and only what is open is drawn', async () => {
  const commands = Array.from({ length: 5_000 }, (_, n) =>
    aCommand({
      address: `pdns_record.r${n}`,
      request: { method: 'PUT', url: `https://dns.acme.example/r${n}`, effect: 'write', body: { ttl: n } },
    }),
  )
  const { page, found, close } = await openScene(browser, stack, () => acmeScene({ plan: aPlan({ commands }) }))
  await watchLongTasks(page)
  await visit(page, views.approve, shownIn.approve)
  expect(await page.locator('.chooser > li').count()).toBeLessThan(100)
  const { opening, scrolling } = await scrollThrough(page)
  say(`5,000 commands: long tasks of ${opening} ms until they are there, of ${scrolling} ms while they scroll`)
  expect(await page.locator('.chooser pre').count()).toBe(0)
  const group = (n: number) => page.locator(`.chooser > li[data-row="pdns_record.r${n}"]`)
  await page.evaluate('scrollTo(0, document.body.scrollHeight / 2)')
  await page.locator('.chooser > li').nth(20).locator('.command summary').click()
  await page.locator('.chooser pre').waitFor()
  await page.evaluate('scrollTo(0, 1e7)')
  for (const n of [4_998, 4_999]) await group(n).locator('input').uncheck()
  expect(await page.locator('.chooser > li').count()).toBeLessThan(100)
  // The stand-in has one plan, whatever is asked for.
  await page.getByText('comes along: a chosen one needs it').nth(1).waitFor({ state: 'attached' })
  expect(await page.locator('.chooser input:checked:disabled').count()).toBe(2)
  expect(found()).toEqual([])
  await close()
})

test('what is seen stays where it is while a fleet is read anew, and what has the focus stays', async () => {
  const names = Array.from({ length: 600 }, (_, n) => `team-${String(n + 100)}`)
  let more: readonly string[] = []
  const scene = () => acmeScene({ workspaces: [...more, ...names].map((name) => aWorkspace(name, 'in_sync')) })
  const { page, found, close } = await openScene(browser, stack, scene)
  await page.locator('li.fleet-row').first().waitFor()
  await page.evaluate('scrollTo(0, 9_000)')
  await page.locator('li.fleet-row[aria-posinset="1"]').waitFor({ state: 'detached' })
  const name = await page.evaluate<string>('document.elementFromPoint(400, 400).closest("li").dataset.row')
  const row = page.getByRole('link', { name, exact: true })
  await row.focus()
  const before = await row.boundingBox()
  more = ['aaa-1', 'aaa-2', 'aaa-3']
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
  await page.locator('[aria-setsize="603"]').first().waitFor({ timeout: 40_000 })
  expect(Math.abs(((await row.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThanOrEqual(1)
  await page.evaluate('scrollTo(0, 0)')
  await page.getByRole('link', { name: 'aaa-1', exact: true }).waitFor()
  expect(await page.evaluate('document.activeElement.textContent')).toBe(name)
  for (const step of [1, 2, 3]) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe(`team-${Number(name.slice(5)) + step}`)
  }
  expect(found()).toEqual([])
  await close()
})

test('a check that runs, whoever started it, is awaited: the button says since when, and then what it found', async () => {
  const at = new Date().toISOString()
  const idle = aWorkspace('acme-dns', 'in_sync')
  const busy = { ...idle, pendingCheck: { scheduledFor: at, at } }
  const run = aRun({ id: '01M8RUN0000000000000000009', status: 'changes', scheduledFor: at })
  let now: 'busy' | 'idle' = 'busy'
  const { page, found, close } = await openScene(browser, stack, () =>
    acmeScene({
      workspaces: [now === 'busy' ? busy : idle],
      run,
      runs: now === 'busy' ? [] : [run],
    }),
  )
  await page.evaluate("location.hash = '#/w/acme-dns'")
  const button = page.getByRole('button', { name: /^Check/ })
  await page.getByRole('button', { name: /^Checking since \d/ }).waitFor()
  expect(await button.isDisabled()).toBe(true)
  now = 'idle'
  await page.getByText(/has ended: drifted, 2 to change/).waitFor()
  await page.getByRole('button', { name: 'Check now' }).waitFor()
  expect(await button.isDisabled()).toBe(false)
  expect(found()).toEqual([])
  await close()
})

test('a click that meets a pending check says so', async () => {
  const at = new Date().toISOString()
  const { page, found, close } = await openScene(browser, stack, () =>
    acmeScene({
      runs: [],
      instead: (call) =>
        call.startsWith('POST')
          ? { status: 202, body: { workspace: 'acme-dns', requestedAt: at, queued: false } }
          : undefined,
    }),
  )
  await page.evaluate("location.hash = '#/w/acme-dns'")
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('A check was pending already, since').waitFor()
  expect(await page.getByRole('button', { name: /^Checking since/ }).isDisabled()).toBe(true)
  expect(found()).toEqual([])
  await close()
})

test('a reader without the right apply sees commands and no button, and the API refuses such a token', async () => {
  const { page, found, close } = await openScene(browser, stack, () => acmeScene({ rights: ['read'] }))
  await visit(page, views.workspace, shownIn.workspace)
  await page.getByRole('link', { name: 'Show 3 commands' }).click()
  await page.getByText('To approve them needs the right apply.').waitFor()
  for (const name of [/^Check now/, /^Pause/, /Approve and send/])
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  await visit(page, views.alerts, shownIn.alerts)
  expect(await page.getByRole('button', { name: /^(Snooze|Acknowledge)/ }).count()).toBe(0)
  expect(found()).toEqual([])
  await close()
  const key = JSON.parse(await stack.read('.plumbline/issuer.json')) as JWK
  const token = await new SignJWT({ scope: 'read' })
    .setProtectedHeader({ alg: key.alg ?? '', kid: key.kid ?? '', typ: 'JWT' })
    .setIssuer(stack.url)
    .setAudience('plumbline')
    .setSubject('reader')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(await importJWK(key))
  const call = (path: string, method: string) =>
    fetch(`${stack.url}/v1${path}`, { method, headers: { authorization: `Bearer ${token}` } })
  expect((await call('/workspaces', 'GET')).status).toBe(200)
  for (const verb of ['check', 'pause', 'apply'])
    expect((await call(`/workspaces/tea-room/${verb}`, 'POST')).status).toBe(403)
})

test('a session that ends in the middle of an approval loses neither the reason nor the choice', async () => {
  let hasEnded = false
  const { page, found, close } = await openScene(browser, stack, () =>
    acmeScene({ instead: () => (hasEnded ? { status: 401 } : undefined) }),
  )
  await visit(page, views.approve, shownIn.approve)
  await page.getByRole('button', { name: 'None', exact: true }).click()
  await page.getByLabel('Reason, for the ledger').fill('half of a reason')
  await page.getByRole('checkbox', { name: 'pdns_zone.old' }).check()
  await page.getByText('along with the chosen ones').waitFor()
  hasEnded = true
  await page.getByRole('button', { name: /^1\. Check mode/ }).click()
  await page.getByText('Your session has ended. What you have typed is kept.').waitFor()
  hasEnded = false
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await page.getByText('Your session has ended. What').waitFor({ state: 'detached' })
  await page.locator(shownIn.approve).waitFor()
  expect(await page.getByLabel('Reason, for the ledger').inputValue()).toBe('half of a reason')
  // The stand-in has one plan, whatever is asked for: what is not chosen comes along.
  const box = (name: string) => page.getByRole('checkbox', { name })
  expect(await box('pdns_zone.old').isEnabled()).toBe(true)
  await page.getByText('What you chose and wrote here before is back.').waitFor()
  const others = page.locator('.chooser input:disabled')
  expect(await others.count()).toBe((await page.locator('.chooser input').count()) - 1)
  await page.getByRole('button', { name: 'Start anew' }).click()
  expect(await page.getByLabel('Reason, for the ledger').inputValue()).toBe('')
  expect(await others.count()).toBe(0)
  expect(found()).toEqual([])
  await close()
})

test('of a workspace that was removed in the meantime, what was read stays, and nothing is offered', async () => {
  let isRemoved = false
  const body = { code: 'WORKSPACE_NOT_FOUND', detail: 'there is no workspace "acme-dns"', hint: '' }
  const { page, found, close } = await openScene(browser, stack, () =>
    acmeScene({
      instead: (call) => (isRemoved && call.endsWith('/workspaces/acme-dns') ? { status: 404, body } : undefined),
    }),
  )
  await visit(page, views.workspace, shownIn.workspace)
  await page.getByRole('button', { name: 'Check now' }).waitFor()
  isRemoved = true
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
  await page.getByText('there is no workspace').waitFor()
  for (const name of ['Check now', 'Pause']) expect(await page.getByRole('button', { name }).count()).toBe(0)
  expect(await page.getByText('next check').count()).toBe(0)
  expect(await page.locator(shownIn.workspace).count()).toBeGreaterThan(0)
  expect(found()).toEqual([])
  await close()
})

test('a failure says what to quote, keeps what was shown, and ends by itself', async () => {
  let isDown = false
  const { page, close } = await openScene(browser, stack, () =>
    acmeScene({ instead: (call) => (isDown && call.endsWith('/episodes') ? { status: 500 } : undefined) }),
  )
  isDown = true
  await page.evaluate(`location.hash = ${JSON.stringify(views.alerts)}`)
  await page.getByText('urn:plumbline:request:').waitFor()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator(shownIn.alerts).first().waitFor()
  isDown = true
  await page.getByText(/^Shown as it was/).waitFor()
  expect(await page.locator(shownIn.alerts).count()).toBe(2)
  isDown = false
  await page.getByText(/^Shown as it was/).waitFor({ state: 'detached' })
  await close()
})

test('an undo is called one: its plan, its approval, its result and its row', async () => {
  const undoes = '01M8APPLY0000000000000000X'
  const scene = acmeScene()
  const run = { ...aRun(scene.run), undoes }
  const apply = anApply({ undoes, outcomes: [], results: { applied: 1, failed: 0, skipped: 0, remaining: 0 } })
  const { page, found, close } = await openScene(browser, stack, () => ({ ...scene, run, apply, applies: [apply] }))
  for (const [place, shown] of [
    [`#/w/acme-dns/runs/${run.id}`, shownIn.workspace],
    [views.approve, shownIn.approve],
    [views.applied, shownIn.applied],
  ] as const) {
    await visit(page, place, shown)
    await page.getByRole('heading', { name: /Undo of apply …0000000X/ }).waitFor()
  }
  await visit(page, views.history, shownIn.history)
  await page.getByRole('cell', { name: 'execute, undo' }).waitFor()
  await page.getByRole('figure', { name: /changed by applies: 0; undone: 1/ }).waitFor()
  expect(found()).toEqual([])
  await close()
})

test('what has the focus is not under the panel of an approval', async () => {
  const { page, close } = await openScene(browser, stack, acmeScene, { viewport: { width: 1280, height: 900 } })
  await visit(page, views.approve, shownIn.approve)
  const hidden = `(() => {
    const { activeElement: at } = document
    const panel = document.querySelector('.send')
    const isUnder = at.getBoundingClientRect().bottom > panel.getBoundingClientRect().top
    return at !== document.body && !panel.contains(at) && isUnder ? at.innerText : ''
  })()`
  await page.locator('main').focus()
  for (let n = 0; n < 40; n += 1) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(hidden)).toBe('')
  }
  await close()
})

test('a long tag beside an attribute fits a telephone', async () => {
  const changed = {
    actor: 'carol@acme.example',
    at: minutesAgo(9),
    action: 'repository.access',
    via: 'token 4711 of the pipeline',
    paths: ['ttl'],
  }
  const address = 'pdns_zone.main'
  const change = aChange({ address, action: 'update', diff: object({ ttl: updated(1, 2) }) })
  const plan = { ...aPlan({ changes: [change] }), attributed: [{ address, after: minutesAgo(60), by: [changed] }] }
  const scene = { ...acmeScene(), plan }
  const { page, close } = await openScene(browser, stack, () => scene, { viewport: { width: 360, height: 720 } })
  await visit(page, views.workspace, '.tag')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  await close()
})

test('a slow answer is awaited in the open', async () => {
  const { page, close } = await openScene(browser, stack, acmeScene)
  const slow = Promise.withResolvers<void>()
  await page.route('**/v1/**/plan', async (route) => {
    await slow.promise
    await route.fallback()
  })
  await page.evaluate(`location.hash = ${JSON.stringify(views.workspace)}`)
  await page.getByText('Reading the plan …').waitFor()
  slow.resolve()
  await page.locator(shownIn.workspace).first().waitFor()
  await close()
})

test('an apply says what changed in more than the plan shows, what cannot be read back, and what still runs', async () => {
  const { page, found, close } = await openScene(browser, stack, acmeScene)
  await visit(page, views.applied, shownIn.applied)
  const toLookAt = page.getByRole('region', { name: 'To look at' })
  expect(await toLookAt.getByRole('definition').allTextContents()).toEqual([
    'changed besides, and not by the plan: api_rectify',
    'password cannot be read back',
  ])
  expect(await page.locator('.chooser .badge').allTextContents()).toEqual([
    'done',
    'FAILED',
    'skipped',
    'STILL RUNNING',
  ])
  expect(found()).toEqual([])
  await close()
})
