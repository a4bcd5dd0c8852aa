import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { long } from '../../builders/long.ts'
import { type Running, runCommand, startCommand } from '../../builders/workspaces/command.ts'

let folder: string
let dev: Running
let variables: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-remote-'))
  await writeFile(join(folder, 'plumbline.yaml'), 'workspace: acme\nproviders: {}\nresources: []\n')
  dev = await startCommand(['dev', '--port', '0', '--every', '0'], { folder })
  const [, token = ''] = await dev.says(/PLUMBLINE_TOKEN=(\S+)/)
  const [, url = ''] = await dev.says(/(http:\/\/127\.0\.0\.1:\d+)/)
  variables = { PLUMBLINE_ENDPOINT: url, PLUMBLINE_TOKEN: token }
})

afterAll(async () => {
  dev.child.kill('SIGTERM')
  await dev.ended
  await rm(folder, { recursive: true, force: true })
})

const runAll = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], { folder: tmpdir(), variables })
  return { code, value: JSON.parse(stdout), stderr }
}
const run = async (...args: readonly string[]) => {
  const { code, value } = await runAll(...args)
  return { code, value }
}
const listed = async () => (await run('workspace', 'list')).value.items

test('a workspace at an endpoint is paused, resumed and removed, each with its reason in the ledger', async () => {
  const odd = 'moves & "waits"?#%2F\u00e9'
  const paused = await run('workspace', 'pause', 'acme', '--reason', odd)
  expect(paused).toMatchObject({ code: 0, value: { id: 'acme', paused: { reason: odd } } })
  expect(await listed()).toMatchObject([{ id: 'acme', paused: { reason: odd } }])
  const resumed = await run('workspace', 'resume', 'acme', '--reason', odd)
  expect(resumed).toMatchObject({ code: 0, value: { id: 'acme' } })
  expect(resumed.value).not.toHaveProperty('paused')
  expect(await runAll('workspace', 'remove', 'acme', '--reason', odd)).toEqual({
    code: 0,
    value: { workspace: 'acme' },
    stderr: expect.stringContaining('its recorded objects stay where they are') as string,
  })
  expect(await listed()).toEqual([])
  const { items } = (await run('ledger', 'list', 'acme')).value
  expect(items).toMatchObject(['removed', 'resumed', 'paused'].map((kind) => ({ kind, reason: odd })))
})

test.each(['pause', 'resume', 'remove'])('%s of an unknown workspace is refused with that reason', async (name) => {
  const { code, value } = await run('workspace', name, 'nobody', '--reason', 'why')
  expect([code, value.error.code]).toEqual([1, 'WORKSPACE_NOT_FOUND'])
})

test.each(['pause', 'resume', 'remove'])('%s is refused without a reason, or with an empty one', async (name) => {
  expect((await run('workspace', name, 'nobody')).value.error.code).toBe('USAGE')
  // The same rule as the API's, before anything is sent; letters that nobody sees are none.
  for (const none of [' ', '\u200b\u3164', 'x'.repeat(2_001)])
    expect((await run('workspace', name, 'nobody', '--reason', none)).value.error.code).toBe('USAGE')
})

test(
  'at an endpoint --all means the workspaces of these folders, and a pattern also those that only the endpoint has',
  long,
  async () => {
    const here = join(folder, 'several')
    const three = join(folder, 'elsewhere', 'three')
    for (const path of [join(here, 'one'), join(here, 'two'), three]) {
      await mkdir(path, { recursive: true })
      const text = `workspace: of-${basename(path)}\nproviders: {}\nresources: []\n`
      await writeFile(join(path, 'plumbline.yaml'), text)
    }
    const names = async (of: string, ...args: readonly string[]) => {
      const { code, stderr } = await runCommand(args, { folder: of, variables })
      expect(code).toBe(0)
      return stderr.match(/(?<=: )[\w, -]*of-[\w, -]*$/m)?.[0]
    }
    await runCommand(['workspace', 'push'], { folder: three, variables })
    expect(await names(here, 'workspace', 'push', '--all', '--yes')).toBe('of-one, of-two')
    expect(await names(here, 'check', '--all')).toBe('of-one, of-two')
    expect(await names(here, 'check', 'of-*')).toBe('of-one, of-two, of-three')
    expect(await names(here, 'ledger', 'verify', '*')).toContain('of-three')
  },
)
