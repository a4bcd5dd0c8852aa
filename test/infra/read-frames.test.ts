import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { readFrames } from '../../infra/read-frames.ts'
import { plainBundles } from '../builders/aws/plain-bundles.ts'
import { long } from '../builders/long.ts'

const run = promisify(execFile)

it('the frames of a bundle lead to the lines of its sources', long, async () => {
  const { folder } = await plainBundles()
  const file = join(folder, 'schedule', 'schedule.mjs')
  // A part of the tick throws what its code threw: a foreign error, of which the log keeps only the frames.
  const script = `import(${JSON.stringify(file)}).then(({ scheduleHandler, handler }) => handler({}, { getRemainingTimeInMillis: () => 9_000 })).catch((error) => process.stdout.write(error.stack))`
  const { stdout } = await run(process.execPath, ['-e', script], { env: { PATH: process.env['PATH'] } })
  expect(stdout).toContain('TABLE_NAME is not set')
  expect(stdout).toMatch(/schedule\.mjs:\d+:\d+|chunks\/[\w-]+\.mjs:\d+:\d+/)
  const readable = await readFrames(stdout, folder)
  expect(readable).toMatch(/functions\/env\.ts:\d+:\d+/)
})

it('a place that is in no map stays as it is', long, async () => {
  const { folder } = await plainBundles()
  const log = 'at run (node:internal/x:1:2) at y (/var/task/other.mjs:3:4)'
  expect(await readFrames(log, folder)).toBe(log)
})

it('no function has a map', async () => {
  const { folder } = await plainBundles()
  for (const name of ['schedule', 'check', 'apply', 'api', 'watch']) {
    expect(existsSync(join(folder, 'maps', name, `${name}.mjs.map`))).toBe(true)
    expect(
      readdirSync(join(folder, name), { recursive: true }).filter((each) => String(each).endsWith('.map')),
    ).toEqual([])
  }
})
