import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, runCommand, startCommand, tearoom } from '../builders/workspaces/command.ts'

/* Each command in its local and its remote form: they answer the same. */

let room: Awaited<ReturnType<typeof tearoom>>
let dev: Running
let variables: Record<string, string>

beforeAll(async () => {
  room = await tearoom()
  await writeFile(join(room.folder, 'machine', 'motd'), 'Coffee only today.\n')
  const applied = await runCommand(['apply', '--yes', '--reason', 'tidy', '--json'], { folder: room.folder })
  expect(applied.code).toBe(0)
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

describe('what is recorded', () => {
  test('is listed, all of it or what matches', async () => {
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

  test('is exported, and pulled, as the same bytes', async () => {
    const exported = await both('export')
    expect(await both('pull')).toEqual(exported)
    expect(await both('pull', 'tea-room', '--json')).toEqual(exported)
    expect(JSON.parse(exported.stdout)).toMatchObject({ formatVersion: '2', workspace: 'tea-room' })
  })

  test.each([['list'], ['export']])('%s of a workspace that is not there says so', async (verb) => {
    const name = verb === 'list' ? ['list', '-w', 'nobody'] : ['export', 'nobody']
    const { code, stdout } = await both(...name, '--json')
    expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'WORKSPACE_NOT_FOUND'])
  })
})
