import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isLawRun } from '../../builders/laws.ts'
import { eachOf } from '../../builders/long.ts'
import { aHeldServer } from '../../builders/servers/held-server.ts'
import { runCommand, startCommand } from '../../builders/workspaces/command.ts'

const count = 6
const interruptedAt = 3
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-interrupt-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const run = async (...args: readonly string[]) => {
  const { code, stdout } = await runCommand([...args, '--json'], { folder })
  return { code, value: JSON.parse(stdout) }
}

const prepare = async () => {
  const server = await aHeldServer(interruptedAt)
  for (const [name, text] of Object.entries(server.configuration(count))) await writeFile(join(folder, name), text)
  return server
}

const approve = async (): Promise<string> => (await run('check')).value.plumbline.digests.commands

/** An apply whose third command is under way. */
const heldApply = async (digest: string, held: Promise<void>) => {
  const apply = await startCommand(['apply', '--digest', digest, '--json'], { folder })
  await Promise.race([held, apply.ended])
  return apply
}

const everyOnce = (writes: readonly string[]): void => {
  expect(writes.toSorted()).toEqual(Array.from({ length: count }, (_, n) => `t${n}`))
}

eachOf(test, 1)(['SIGINT', 'SIGTERM'] as const)(
  '%s stops an apply after the commands under way, with exit code 3',
  async (signal) => {
    await using server = await prepare()
    const apply = await heldApply(await approve(), server.held)
    apply.child.kill(signal)
    await apply.notes(/stopping after the commands under way/)
    server.letGo()
    const ended = await apply.ended
    expect(ended.code).toBe(3)
    expect(ended.stderr).toContain('stopped before the end')
    expect(server.writes).toHaveLength(interruptedAt)
    expect(JSON.parse(ended.stdout).outcomes).toHaveLength(interruptedAt)
    expect(await run('apply', '--digest', await approve())).toMatchObject({ code: 0, value: { status: 'succeeded' } })
    everyOnce(server.writes)
    expect((await run('ledger', 'verify')).code).toBe(0)
  },
)

// Its lock is held until the lease ends: a wait that is real. `npm test` kills a worker in crash/worker.test.ts.
test.runIf(isLawRun)('an apply that was killed continues with the same command, and converges', async () => {
  await using server = await prepare()
  const digest = await approve()
  const apply = await heldApply(digest, server.held)
  apply.child.kill('SIGKILL')
  expect((await apply.ended).code).toBeNull()
  server.letGo()
  expect(await run('apply', '--digest', digest)).toMatchObject({ code: 0, value: { status: 'succeeded' } })
  // The write whose answer nobody heard is not sent a second time.
  everyOnce(server.writes)
  expect((await run('ledger', 'verify')).code).toBe(0)
  expect((await run('check')).code).toBe(0)
})
