import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand, tearoom } from '../../builders/workspaces/command.ts'

let room: Awaited<ReturnType<typeof tearoom>>
const run = (...args: readonly string[]) => runCommand(args, { folder: room.folder })

beforeAll(async () => {
  room = await tearoom()
  await writeFile(join(room.folder, 'machine', 'menu'), 'tea ${today}\n', { mode: 0o644 })
})
afterAll(() => room.remove())

describe('import', () => {
  test('writes what can be put into the configuration, and the plan stays empty', async () => {
    const { code, stdout, stderr } = await run('import', 'host_file', 'path=menu')
    expect(code).toBe(0)
    expect(stdout).toContain('  - type: host_file\n    name: menu\n')
    expect(stdout).toContain('tea $${today}')
    expect(stderr).toContain('1 resource of 1 type; a plan of them is empty')
    const file = join(room.folder, 'plumbline.yaml')
    const before = await readFile(file, 'utf8')
    await writeFile(
      file,
      before.replace('resources:\n', () => stdout),
    )
    const { code: checked } = await run('check')
    await writeFile(file, before)
    expect(checked).toBe(0)
  })

  test('writes a new file, and overwrites none', async () => {
    expect(await run('import', 'host_file', 'path=menu', '--out', 'more.yaml')).toMatchObject({ code: 0, stdout: '' })
    expect(await readFile(join(room.folder, 'more.yaml'), 'utf8')).toContain('name: menu')
    const again = await run('import', 'host_file', 'path=menu', '--out', 'more.yaml')
    expect([again.code, again.stdout]).toEqual([1, ''])
    expect(again.stderr).toContain('exists already')
  })

  test('names what it cannot list, and exits with 3', async () => {
    const { code, stdout, stderr } = await run('import')
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain('not listed  host_file')
    expect(stderr).toContain('import host_file path=...')
  })

  test('answers JSON', async () => {
    const { code, stdout, stderr } = await run('import', 'host_file', 'path=motd', 'path=none', '--json')
    expect([code, stderr]).toEqual([3, ''])
    expect(JSON.parse(stdout)).toMatchObject({
      resources: [],
      unread: [{ identity: { path: 'none' }, reason: 'absent' }],
    })
  })

  test.each([
    [['import', 'host_fiel'], 'host_file'],
    [['import', 'path=x'], 'follows no type'],
    [['import', 'host_file', '--where', 'x'], 'name=value'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await run(...args)
    expect(code).toBe(1)
    expect(stderr).toContain(message)
  })
})
