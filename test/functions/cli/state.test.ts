import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, runCommand, startCommand, tearoom } from '../../builders/workspaces/command.ts'

/* Each command in its local and its remote form: they answer the same. */

let room: Awaited<ReturnType<typeof tearoom>>
let dev: Running
let variables: Record<string, string>

beforeAll(async () => {
  room = await tearoom()
  await writeFile(join(room.folder, 'machine', 'motd'), 'Coffee only today.\n')
  const applied = await runCommand(['apply', '--yes', '--reason', 'tidy', '--json'], { folder: room.folder })
  expect(applied.code).toBe(0)
  // Only these tests change the records: a check of the server would take a record back that one of them moved away.
  const paused = await runCommand(['workspace', 'pause', 'tea-room', '--reason', 'tests'], { folder: room.folder })
  expect(paused.code).toBe(0)
  dev = await startCommand(['dev', '--port', '0', '--every', '0'], { folder: room.folder })
  const [, token = ''] = await dev.says(/PLUMBLINE_TOKEN=(\S+)/)
  const [, url = ''] = await dev.says(/(http:\/\/127\.0\.0\.1:\d+)/)
  variables = { PLUMBLINE_ENDPOINT: url, PLUMBLINE_TOKEN: token }
})

afterAll(async () => {
  dev.child.kill('SIGTERM')
  await dev.ended
  await room.remove()
})

const here = (...args: readonly string[]) => runCommand(['state', ...args], { folder: room.folder })
const there = (...args: readonly string[]) => runCommand(['state', ...args], { folder: room.folder, variables })
const both = async (...args: readonly string[]) => {
  const [local, remote] = [await here(...args), await there(...args)]
  expect(remote).toEqual(local)
  return local
}

describe('a record of a resource', () => {
  test('is listed, with all others or by a pattern', async () => {
    const { code, stdout } = await both('list')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^host_file\.motd +by keys +applied .* by local:\S+ via cli$/m)
    expect(stdout).toMatch(/^\d+ recorded resources of tea-room, serial \d+, lineage \S+$/m)
    const { resources } = JSON.parse((await both('list', 'host_file.mot*', '--json')).stdout)
    expect(resources).toMatchObject([{ address: 'host_file.motd', lastApplied: { actor: { via: 'cli' } } }])
  })

  test('is shown by address', async () => {
    const { code, stdout } = await both('show', 'host_file.motd')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^host_file\.motd\n/)
    expect(stdout).toContain('"path": "motd"')
    const unknown = await both('show', 'host_file["a"].b', '--json')
    expect([unknown.code, JSON.parse(unknown.stdout).error.code]).toEqual([1, 'RECORD_NOT_FOUND'])
  })

  test('is exported and pulled as the same bytes', async () => {
    const exported = await both('export')
    expect(await both('pull')).toEqual(exported)
    expect(await both('pull', 'tea-room', '--json')).toEqual(exported)
    expect(JSON.parse(exported.stdout)).toMatchObject({ formatVersion: '2', workspace: 'tea-room' })
  })

  test.each([['list'], ['export']])('is not found by %s of an unknown workspace, which is reported', async (verb) => {
    const name = verb === 'list' ? ['list', '-w', 'nobody'] : ['export', 'nobody']
    const { code, stdout } = await both(...name, '--json')
    expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'WORKSPACE_NOT_FOUND'])
  })
})

describe('a record can be forgotten', () => {
  const both = [here, there] as const
  const reason = 'moves & "waits"?#%2F\u00e9'

  test.each([
    ['here', 0],
    ['at the endpoint', 1],
  ] as const)('by %s, with a backup and an entry in the ledger', async (_, n) => {
    const run = both[n] ?? here
    const before = JSON.parse((await run('export')).stdout)
    const text = n === 0 ? await run('rm', 'host_file.motd', '--reason', reason) : undefined
    if (text !== undefined) {
      expect(text.stdout).toMatch(/^forgotten; its object in the target was not touched: host_file\.motd\n/)
      expect(text.stdout).toMatch(/`plumbline state import --backup \S+` restores it/)
      await runCommand(['check'], { folder: room.folder })
    }
    const { code, stdout } = await run('rm', 'host_file.motd', '--reason', reason, '--json')
    const changed = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(changed).toMatchObject({ change: 'forgotten', addresses: ['host_file.motd'], after: changed.before + 1 })
    expect(JSON.parse((await run('export', '--backup', changed.backup.id)).stdout)).toMatchObject({
      lineage: before.lineage,
      serial: changed.before,
    })
    expect((await run('backups')).stdout).toContain(changed.backup.id)
    const ledger = await runCommand(['ledger', 'list', '--order', 'oldest', '--json'], { folder: room.folder })
    expect(JSON.parse(ledger.stdout).items.at(-1)).toMatchObject({
      kind: 'forgotten',
      reason,
      actor: { via: n === 0 ? 'cli' : 'api' },
      state: { before: changed.before, after: changed.after },
    })
    const tainted = await run('taint', 'host_file.app', '--reason', reason)
    expect([tainted.code, tainted.stdout]).toEqual([
      0,
      expect.stringMatching(/^marked to be replaced by the next apply/),
    ])
    expect((await run('untaint', 'host_file.app', '--reason', reason)).code).toBe(0)
    const again = JSON.parse((await run('rm', 'host_file.motd', '--reason', reason, '--json')).stdout)
    expect(again.error.code).toBe('RECORD_NOT_FOUND')
    await runCommand(['check'], { folder: room.folder })
  })

  test.each([
    ['here', 0],
    ['at the endpoint', 1],
  ] as const)('and imported again %s, from a file or from its backup', async (_, n) => {
    const run = both[n] ?? here
    const file = join(room.folder, 'state.json')
    const { stdout } = await run('export')
    await writeFile(file, stdout)
    const exported = JSON.parse(stdout)
    const imported = await run('import', 'state.json', '--reason', reason, '--json')
    expect(imported.code).toBe(0)
    expect(JSON.parse(imported.stdout)).toMatchObject({ change: 'imported', after: exported.serial + 1 })
    const old = await run('import', 'state.json', '--reason', reason, '--json')
    expect([old.code, JSON.parse(old.stdout).error.code]).toEqual([1, 'STATE_OUTDATED'])
    const { backup } = JSON.parse((await run('rm', 'host_file.motd', '--reason', reason, '--json')).stdout)
    expect((await run('import', '--backup', backup.id, '--reason', reason)).stdout).toMatch(
      /^imported; nothing .*: tea-room\n/,
    )
    expect(JSON.parse((await run('export')).stdout).resources).toEqual(exported.resources)
    const twice = stdout.replace('{', '{"formatVersion":"9",')
    for (const text of [stdout.replace('"motd"', '"other"'), twice, 'no JSON', '']) {
      await writeFile(file, text)
      expect(JSON.parse((await run('import', 'state.json', '--reason', reason, '--json')).stdout).error.code).toBe(
        'STATE_INVALID',
      )
    }
    for (const args of [[], ['state.json', '--backup', backup.id]])
      expect(JSON.parse((await run('import', ...args, '--reason', 'x', '--json')).stdout).error.code).toBe('USAGE')
    const missing = await run('import', '--backup', 'nothing', '--reason', reason, '--json')
    expect(JSON.parse(missing.stdout).error.code).toBe('BACKUP_NOT_FOUND')
  })

  test.each([
    ['here', 0],
    ['at the endpoint', 1],
  ] as const)('and moved %s, and back', async (_, n) => {
    const run = both[n] ?? here
    const there = 'module.prod["e/u%"].host_file.motd["a b"]'
    const { resources } = JSON.parse((await run('export')).stdout)
    expect((await run('mv', 'host_file.motd', there, '--reason', reason)).stdout).toMatch(
      /^moved; nothing in the target was touched: host_file\.motd to module\.prod\["e\/u%"\]\.host_file\.motd\["a b"\]\n/,
    )
    expect(JSON.parse((await run('show', there, '--json')).stdout).resource).toMatchObject({ address: there })
    const taken = await run('mv', there, 'host_file.motd["x', '--reason', reason, '--json')
    expect([taken.code, JSON.parse(taken.stdout).error.code]).toEqual([1, 'MOVE_REFUSED'])
    expect((await run('mv', there, 'host_file.motd', '--reason', reason)).code).toBe(0)
    expect(JSON.parse((await run('export')).stdout).resources).toEqual(resources)
  })

  test('but not without a reason, or without an address', async () => {
    for (const args of [
      ['rm', 'host_file.motd'],
      ['rm', '--reason', 'x'],
    ])
      expect(JSON.parse((await here(...args, '--json')).stdout).error.code).toBe('USAGE')
  })
})
