import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { asStoreError } from '../../../functions/adapters/sqlite/failures.ts'
import { runCommand, tearoom } from '../../builders/workspaces/command.ts'

const isRoot = process.getuid?.() === 0
let room: Awaited<ReturnType<typeof tearoom>>
const inRoom = (...names: readonly string[]) => join(room.folder, '.plumbline', ...names)
const run = (...args: readonly string[]) => runCommand(args, { folder: room.folder })

/** Root may write everywhere but on a read-only mount. */
const lock = async (): Promise<void> => {
  if (!isRoot) {
    if (existsSync(inRoom('store.sqlite'))) await chmod(inRoom('store.sqlite'), 0o400)
    return chmod(inRoom(), 0o500)
  }
  execFileSync('mount', ['--bind', inRoom(), inRoom()])
  execFileSync('mount', ['-o', 'remount,ro,bind', inRoom()])
}
const unlock = async (): Promise<void> => {
  if (isRoot) {
    spawnSync('umount', ['--lazy', inRoom()])
    return
  }
  await chmod(inRoom(), 0o700)
  if (existsSync(inRoom('store.sqlite'))) await chmod(inRoom('store.sqlite'), 0o600)
}

/** A container may forbid its root to mount. */
const canLock = async (): Promise<boolean> => {
  if (!isRoot) return process.platform !== 'win32'
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-mount-'))
  const isMounted = spawnSync('mount', ['--bind', folder, folder]).status === 0
  if (isMounted) spawnSync('umount', [folder])
  await rm(folder, { recursive: true })
  return isMounted
}

beforeAll(async () => {
  room = await tearoom()
  await run('check')
  await run('apply', '--yes')
})
afterEach(unlock)
afterAll(() => room.remove())

describe.skipIf(!(await canLock()))('a store that can only be read', () => {
  test.each([
    [['ledger', 'verify'], /verified|entries/],
    [['runs'], /in sync|drift|succeeded/],
    [['state', 'list'], /host_file/],
    [['workspace', 'list'], /tea-room/],
  ])('is read by %j', async (args, shown) => {
    const before = await run(...args)
    await lock()
    const { code, stdout, stderr } = await run(...args)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(shown)
    expect(stdout).toBe(before.stdout)
  })

  test.each([
    [['check'], /\.plumbline(\/store\.sqlite)? cannot be used: (it|the disk) is read-only/],
    [['workspace', 'pause', 'tea-room', '--reason', 'x'], /store\.sqlite cannot be used: it is read-only here/],
  ])('is named as such by %j, which writes', async (args, words) => {
    await lock()
    const { code, stderr } = await run(...args)
    expect([code, stderr]).toEqual([1, expect.stringMatching(words)])
  })

  test('is read while another process that may write has it open', async () => {
    using open = new DatabaseSync(inRoom('store.sqlite'))
    open.exec('PRAGMA user_version = 1')
    expect(existsSync(inRoom('store.sqlite-wal'))).toBe(true)
    await lock()
    expect(await run('ledger', 'verify')).toMatchObject({ code: 0, stderr: '' })
    await unlock()
  })

  test('is not believed without what lies beside it', async () => {
    const open = new DatabaseSync(inRoom('store.sqlite'))
    open.exec('CREATE TABLE IF NOT EXISTS marks (x)')
    await copyFile(inRoom('store.sqlite-wal'), inRoom('kept'))
    open.close()
    await copyFile(inRoom('kept'), inRoom('store.sqlite-wal'))
    await chmod(inRoom('store.sqlite-wal'), 0o600)
    await lock()
    const { code, stderr } = await run('ledger', 'verify')
    expect([code, stderr]).toEqual([1, expect.stringContaining('its newest records lie in a file beside it')])
    await unlock()
    await rm(inRoom('store.sqlite-wal'))
  })

  test('cannot be made', async () => {
    await rm(inRoom('store.sqlite'))
    await rm(inRoom('folders.json'))
    await lock()
    const { code, stderr } = await run('workspace', 'list')
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/store\.sqlite cannot be used: (the disk is read-only|permission denied)/),
    ])
  })
})

test('a write that SQLite refuses is told as that', () => {
  const refused = Object.assign(new Error('attempt to write a readonly database'), { errcode: 8 })
  expect(asStoreError(refused, '/data/store.sqlite')).toMatchObject({
    code: 'FILE_REFUSED',
    message: expect.stringContaining('only commands that read can use it'),
  })
})
