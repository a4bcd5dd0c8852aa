import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Running, runCommand, startCommand } from '../builders/command.ts'

const files = 150
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-interrupt-'))
  await mkdir(join(folder, 'machine'))
  const resources = Array.from({ length: files }, (_, n) => ({
    type: 'host_file',
    name: `f${n}`,
    spec: { path: `f${n}`, content: `${n}\n` },
  }))
  const configuration = {
    workspace: 'many',
    providers: { host: { source: 'host', with: { root: './machine' } } },
    resources,
  }
  await writeFile(join(folder, 'plumbline.json'), JSON.stringify(configuration))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const run = async (...args: readonly string[]) => {
  const { code, stdout } = await runCommand([...args, '--json'], { folder })
  return { code, value: JSON.parse(stdout) }
}

const written = async (): Promise<number> => (await readdir(join(folder, 'machine'))).length

const untilSome = async (running: Running): Promise<void> => {
  for (const end = Date.now() + 15_000; Date.now() < end && (await written()) < 3; ) await pause(5)
  expect(running.child.exitCode).toBeNull()
}

const approve = async (): Promise<string> => (await run('check')).value.plan.plumbline.digests.commands

const stopped = async (digest: string, signal: NodeJS.Signals) => {
  const apply = await startCommand(['apply', '--digest', digest, '--json'], { folder })
  await untilSome(apply)
  apply.child.kill(signal)
  const ended = await apply.ended
  expect(await written()).toBeLessThan(files)
  return ended
}

/** How often each command was about to be sent. */
const intents = async (): Promise<readonly number[]> => {
  const { stdout } = await runCommand(['ledger', 'export'], { folder })
  const counts = new Map<string, number>()
  for (const line of stdout.trimEnd().split('\n')) {
    const { kind, command } = JSON.parse(line)
    if (kind === 'intent') counts.set(command.id, (counts.get(command.id) ?? 0) + 1)
  }
  return [...counts.values()]
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops an apply after the command under way: 3', async (signal) => {
  const ended = await stopped(await approve(), signal)
  expect(ended.code).toBe(3)
  expect(ended.stderr).toContain('stopped before the end')
  expect(JSON.parse(ended.stdout).outcomes).toHaveLength(await written())
  expect(await run('apply', '--digest', await approve())).toMatchObject({ code: 0, value: { status: 'succeeded' } })
  expect(await written()).toBe(files)
  expect((await intents()).every((count) => count === 1)).toBe(true)
  expect((await run('ledger', 'verify')).code).toBe(0)
})

test('an apply that was killed goes on with the same command, and converges', async () => {
  const digest = await approve()
  expect((await stopped(digest, 'SIGKILL')).code).toBeNull()
  expect(await run('apply', '--digest', digest)).toMatchObject({ code: 0, value: { status: 'succeeded' } })
  expect(await written()).toBe(files)
  expect((await run('ledger', 'verify')).code).toBe(0)
  expect((await run('check')).code).toBe(0)
}, 60_000)
