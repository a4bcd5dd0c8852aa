import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ended, type Running, runCommand, startCommand, tearoom } from '../../builders/workspaces/command.ts'

/* Versions of a configuration and its source, each command in its local and its remote form. */

let room: Awaited<ReturnType<typeof tearoom>>
let dev: Running
let variables: Record<string, string>

const here = (...args: readonly string[]) => runCommand(args, { folder: room.folder })
const there = (...args: readonly string[]) => runCommand(args, { folder: room.folder, variables })
/** Cursors are opaque, and those of the endpoint are another's. */
const withoutCursor = ({ code, stdout, stderr }: Ended): Ended => ({
  code,
  stdout: stdout.replace(/,\s*"next": "[^"]*"/, ''),
  stderr: stderr.replace(/--after \S+/, '--after'),
})
const both = async (...args: readonly string[]) => {
  const [local, remote] = [withoutCursor(await here(...args)), withoutCursor(await there(...args))]
  expect(remote).toEqual(local)
  return local
}
const codeOf = async (...args: readonly string[]) => {
  const { code, stdout } = await both(...args, '--json')
  return [code, JSON.parse(stdout).error?.code]
}

beforeAll(async () => {
  room = await tearoom()
  const file = join(room.folder, 'plumbline.yaml')
  // What is stored at an endpoint has no folder, so its paths cannot be relative to one.
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('root: ./machine', `root: ${join(room.folder, 'machine')}`))
  expect((await here('workspace', 'push')).code).toBe(0)
  await writeFile(file, `${await readFile(file, 'utf8')}\n# reviewed\n`)
  expect((await here('workspace', 'push')).code).toBe(0)
  // Only these tests store versions: the server checks nothing by itself.
  expect((await here('workspace', 'pause', 'tea-room', '--reason', 'tests')).code).toBe(0)
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

describe('versions of a configuration', () => {
  test('are listed, the latest first', async () => {
    const { code, stdout } = await both('workspace', 'history')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^2 {2}.* by local:\S+ via cli .*files: 1 changed\n1 {2}.*resources: \d+ added; files: \d+ added$/m,
    )
    const versions = JSON.parse((await both('workspace', 'history', 'tea-room', '--limit', '1', '--json')).stdout)
    expect(versions.items).toMatchObject([{ version: 2, by: { via: 'cli' } }])
  })

  test('are compared', async () => {
    const { code, stdout } = await both('workspace', 'diff', '1', '2')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^tea-room: version 1 to 2\n/)
    expect(stdout).toContain('\n+# reviewed\n')
    expect((await both('workspace', 'diff', '2', '2')).stdout).not.toContain('@@')
  })

  test.each([
    ['one that is not there', ['workspace', 'diff', '1', '7'], 'VERSION_NOT_FOUND'],
    ['what is no number', ['workspace', 'diff', '1', 'latest'], 'USAGE'],
    ['a rollback to one that is not there', ['workspace', 'rollback', '7', '--reason', 'x'], 'VERSION_NOT_FOUND'],
    [
      'a rollback that expects another one',
      ['workspace', 'rollback', '1', '--expected', '1', '--reason', 'x'],
      'VERSION_CONFLICT',
    ],
    ['a rollback without a reason', ['workspace', 'rollback', '1'], 'USAGE'],
    ['of a workspace that is not there', ['workspace', 'history', 'nobody'], 'WORKSPACE_NOT_FOUND'],
  ])('are refused: %s', async (_, args, code) => expect(await codeOf(...args)).toEqual([1, code]))
})

describe('the source of a configuration', () => {
  const secret = 'env:PLUMBLINE_GITHUB_TOKEN'

  test.each([
    ['here', 0],
    ['at the endpoint', 1],
  ] as const)('is set %s, shown, and removed', async (_, n) => {
    const run = [here, there][n] ?? here
    const set = ['source', 'set', 'tea-room', '--repository', 'acme/config', '--path', 'tea', '--token-secret', secret]
    expect((await run(...set)).code).toBe(0)
    const shown = JSON.parse((await both('source', 'show', 'tea-room', '--json')).stdout)
    expect(shown).toMatchObject({ github: { repository: 'acme/config', ref: 'main', path: 'tea', token: { secret } } })
    expect(await codeOf('workspace', 'rollback', '1', '--reason', 'x')).toEqual([1, 'WORKSPACE_SOURCED'])
    expect((await run('source', 'remove', 'tea-room')).code).toBe(0)
    expect(await codeOf('source', 'show', 'tea-room')).toEqual([1, 'SOURCE_NOT_FOUND'])
  })

  test('needs an address that can be a repository', async () =>
    expect(await codeOf('source', 'set', 'tea-room', '--repository', 'no repository')).toEqual([1, 'USAGE']))
})

describe('an earlier version', () => {
  test.each([
    ['here', 0, '1'],
    ['at the endpoint', 1, '2'],
  ] as const)('is stored again %s', async (_, n, version) => {
    const run = [here, there][n] ?? here
    const { code, stdout } = await run('workspace', 'rollback', version, '--reason', 'as agreed')
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^stored {2}tea-room {2}version ${n + 3}, content of ${version}$`, 'm'))
    expect((await both('workspace', 'diff', version, String(n + 3))).stdout).not.toContain('@@')
    expect((await both('workspace', 'history', '--limit', '1')).stdout).toMatch(/content of \d: as agreed$/m)
  })
})
