import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Plan, Run } from '../../core/index.ts'
import { setup } from './browser/built-page.ts'
import { openBrowser } from './browser/chromium.ts'
import { type LocalStack, startLocalStack } from './browser/local-stack.ts'
import { openScene, visit } from './browser/signed-in.ts'
import { openWatched } from './browser/watched.ts'
import { acmeScene, shownIn, views } from './scene/acme.ts'

/* `npm run page:pictures`: each view of the page, light and dark, on a desk and on a telephone, into docs/pictures. */

const folder = join(import.meta.dirname, '..', '..', 'docs', 'pictures')
const mostBytes = 100_000
const looks = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const

const shoot = async (page: Page, name: string): Promise<void> => {
  const picture = await page.screenshot({ animations: 'disabled' })
  if (picture.length > mostBytes) throw new Error(`${name} has ${picture.length} bytes, more than ${mostBytes}`)
  await writeFile(join(folder, `${name}.png`), picture)
}

/** A drift that was repaired, so that there is a ledger to verify. */
const repair = async (stack: LocalStack): Promise<void> => {
  const call = async <Value>(path: string, accept: string, body?: unknown): Promise<Value> => {
    const answer = await fetch(`${stack.url}/v1/workspaces/tea-room/${path}`, {
      method: path.endsWith('plan') ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${stack.token}`, 'content-type': 'application/json', accept },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as Value
  }
  await stack.edit('machine/motd', 'Coffee only today.\n')
  const { id } = await call<Run>('check?wait=25s', 'application/json')
  const { digests } = await call<Plan>(`runs/${id}/plan`, 'application/vnd.plumbline.plan+json')
  const body = { mode: 'execute', digest: digests.commands, reason: 'the kettle is on' }
  await call('apply?wait=25s', 'application/json', body)
}

await setup()
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const [browser, stack] = await Promise.all([openBrowser(), startLocalStack()])
try {
  await repair(stack)
  for (const [colorScheme, width] of looks) {
    const options = { colorScheme, viewport: { width, height: width === 390 ? 720 : 540 } }
    const scene = await openScene(browser, stack, acmeScene, options)
    for (const name of ['fleet', 'workspace', 'approve', 'applied', 'history', 'alerts'] as const) {
      await visit(scene.page, views[name], shownIn[name])
      await shoot(scene.page, `${name}-${colorScheme}-${width}`)
    }
    await scene.close()
    const local = await openWatched(browser, stack.url, options)
    await stack.open(local.page, '#/w/tea-room/ledger')
    await local.page.getByRole('button', { name: 'Verify in this browser' }).click()
    await local.page.locator('.verification .note.good').waitFor()
    await shoot(local.page, `ledger-${colorScheme}-${width}`)
    await local.close()
  }
} finally {
  await browser.close()
  await stack.stop()
}
