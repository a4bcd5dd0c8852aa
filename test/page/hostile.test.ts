import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aChange, aCommand, aPlan, object, text, updated } from '../builders/values/plans.ts'
import { openBrowser } from './browser/chromium.ts'
import { type LocalStack, startLocalStack } from './browser/local-stack.ts'
import { openScene, type SignedIn, visit } from './browser/signed-in.ts'
import { acmeScene, shownIn, views } from './scene/acme.ts'
import { anApply, anEntry, anEpisode, aRun, aWorkspace, minutesAgo } from './scene/answers.ts'
import { hostileTexts, unseen } from './scene/hostile.ts'
import type { Scene } from './scene/stand-in.ts'

const anyText = hostileTexts.join(' ')
const by = { subject: anyText, via: 'api' as const }
const seen = { at: minutesAgo(5), by, reason: anyText }

const plan = aPlan({
  changes: hostileTexts.map((hostile) =>
    aChange({
      address: hostile,
      action: 'update',
      diff: object({ [hostile]: updated(hostile, `${hostile} too`), content: text([`-${hostile}`, `+${hostile}`]) }),
      causes: [{ path: [hostile], cause: 'drift' }],
      position: { file: hostile, line: 1, column: 1 },
    }),
  ),
  unchecked: hostileTexts.map((hostile) => ({ address: `u ${hostile}`, reason: 'unauthorised', detail: hostile })),
  unmanaged: hostileTexts.map((hostile) => ({ type: hostile, provider: hostile, identity: { name: hostile } })),
  ignored: hostileTexts.map((hostile) => ({ address: hostile, path: [hostile], rule: hostile })),
  commands: hostileTexts.map((hostile) =>
    aCommand({
      address: hostile,
      description: hostile,
      request: {
        method: 'PUT',
        url: `https://acme.example/${hostile}`,
        effect: 'write',
        headers: { 'x-name': hostile },
        body: { name: hostile },
      },
    }),
  ),
})

const version = (n: number) => ({
  version: n,
  at: minutesAgo(50),
  by,
  digest: `sha256:${'a'.repeat(64)}`,
  reason: anyText,
  commit: '0123456789abcdef0123456789abcdef01234567',
})

const run = aRun({ status: 'changes', counts: plan.counts, digests: plan.digests, actor: by, trigger: 'api' } as never)
const error = { code: 'INTERNAL', message: anyText, hint: anyText }

const hostileScene = (): Scene =>
  acmeScene({
    subject: anyText,
    workspaces: [aWorkspace('acme-dns', 'changes', { paused: seen, origin: anyText, updatedBy: by } as never)],
    plan,
    run,
    runs: [run, aRun({ id: 'other', status: 'failed', error, actor: by, trigger: 'api' } as never)],
    apply: anApply({
      actor: by,
      reason: anyText,
      status: 'failed',
      error,
      outcomes: hostileTexts.map((hostile) => ({ command: `${hostile}#1`, status: 'failed', detail: hostile })),
      left: hostileTexts.map((hostile) => ({
        address: hostile,
        kind: 'differs',
        paths: [hostile],
        detail: hostile,
        touched: true,
      })),
      resources: hostileTexts.map((hostile) => ({
        address: hostile,
        commands: 1,
        result: 'applied',
        besides: [hostile],
      })),
    } as never),
    episodes: [
      anEpisode({
        acknowledged: { ...seen, severity: 'medium' },
        snoozed: { ...seen, until: minutesAgo(-100) },
        findings: hostileTexts.map((hostile) => ({
          address: hostile,
          kind: 'update',
          summary: hostile,
          digest: plan.digests.plan,
          changed: { after: minutesAgo(9), by: [{ actor: hostile, at: minutesAgo(8), action: 'x', paths: [] }] },
        })),
      } as never),
    ],
    entries: hostileTexts.map((hostile, n) =>
      anEntry(hostileTexts.length - n, { actor: { subject: hostile, via: 'api' }, reason: hostile, detail: hostile }),
    ),
    versions: [version(2), version(1)],
    difference: {
      workspace: 'acme-dns',
      from: version(1),
      to: version(2),
      resources: hostileTexts.map((hostile) => ({ address: hostile, kind: 'changed' })),
      variables: hostileTexts.map((hostile) => ({ name: hostile, kind: 'added' })),
      files: hostileTexts.map((hostile) => ({ file: hostile, kind: 'changed', diff: `-${hostile}\n+${hostile}\n` })),
    },
  })

/** Elements that only a hostile text would make, and attributes that only it would set. */
const made = `(() => {
  const elements = 'script:not([src^="assets/"]), iframe, img, style, base, form[action], math, object, embed, link:not([href^="assets/"]), meta[http-equiv], #made, [onload], [onerror], [onmouseover], [onfocus], [autofocus]'
  const links = [...document.querySelectorAll('a')].filter((each) => !/^#\\//.test(each.getAttribute('href') ?? ''))
  return [...document.querySelectorAll(elements), ...links].map((each) => each.outerHTML.slice(0, 200))
})()`

const textOf = `document.querySelector('#page').innerText`

let browser: Browser
let stack: LocalStack
let opened: SignedIn

beforeAll(async () => {
  ;[browser, stack] = await Promise.all([openBrowser(), startLocalStack()])
  opened = await openScene(browser, stack, hostileScene)
})

afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const opensAll = `for (const each of document.querySelectorAll('details:not([open]) > summary')) each.click()`

test.each(Object.keys(views) as (keyof typeof views)[])('the view %s shows hostile texts as texts', async (name) => {
  const { page } = opened
  await visit(page, views[name], name === 'fleet' ? 'li.fleet-row' : name === 'files' ? 'pre' : shownIn[name])
  // What is inside comes once its summary is open.
  for (let depth = 0; depth < 3; depth += 1) {
    await page.evaluate(opensAll)
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  }
  if (name !== 'fleet') await page.getByText('h32').first().waitFor()
  expect(await page.evaluate(made)).toEqual([])
  const shown = String(await page.evaluate(textOf))
  expect(shown.split('\n').filter((line) => unseen.test(line))).toEqual([])
  expect(shown).toContain('<script>alert(1)</script>')
  expect(opened.found()).toEqual([])
})

test('a place with a hostile name is a place that is not there', async () => {
  const { page } = opened
  await visit(page, `#/w/${encodeURIComponent(anyText.slice(0, 1_000))}`, '[role=alert]')
  expect(await page.evaluate(made)).toEqual([])
})
