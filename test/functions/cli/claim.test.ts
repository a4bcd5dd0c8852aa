import { cp, mkdir, mkdtemp, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eachOf, long } from '../../builders/long.ts'
import { startDynamodb } from '../../builders/time/dynamodb-engine.ts'
import { runCommand, startCommand } from '../../builders/workspaces/command.ts'

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'plumbline-claim-')))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const configuration = (files: readonly string[], workspace = 'acme'): string =>
  JSON.stringify({
    workspace,
    providers: { host: { source: 'host', with: { root: join(root, 'machine') } } },
    resources: files.map((name) => ({ type: 'host_file', name, spec: { path: name, content: name } })),
  })

const write = async (folder: string, files: readonly string[], workspace?: string): Promise<void> => {
  await mkdir(join(root, folder), { recursive: true })
  await mkdir(join(root, 'machine'), { recursive: true })
  await writeFile(join(root, folder, 'plumbline.json'), configuration(files, workspace))
}

const run = async (folder: string, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], { folder: join(root, folder), variables })
  return { code, value: JSON.parse(stdout), stderr }
}
let variables: Record<string, string>
beforeEach(() => {
  variables = {}
})

/** `a` has the workspace with two files applied; `b` is a copy of it that lost one. */
const copied = async (): Promise<void> => {
  await mkdir(join(root, '.plumbline'))
  await write('a', ['one', 'two'])
  expect((await run('a', 'apply', '--yes')).code).toBe(0)
  await cp(join(root, 'a'), join(root, 'b'), { recursive: true })
  await write('b', ['one'])
}
const machine = async (): Promise<readonly string[]> => (await readdir(join(root, 'machine'))).sort()

const refused = { code: 'WORKSPACE_CLAIMED' }

describe('a folder that was copied without another name for its workspace', () => {
  eachOf(
    test,
    1,
  )([
    ['check', ['check']],
    ['apply', ['apply', '--yes']],
    ['import', ['import']],
    ['push', ['workspace', 'push']],
  ])('%s is refused, with both folders and what to do', async (_name, args) => {
    await copied()
    const { code, value } = await run('b', ...args)
    expect([code, value.error]).toEqual([1, expect.objectContaining(refused)])
    for (const folder of ['a', 'b']) expect(value.error.message).toContain(join(root, folder))
    expect(value.error.hint).toMatch(/rename `workspace:`.*--claim/)
    expect(await machine()).toEqual(['one', 'two'])
    expect((await run('a', 'check')).code).toBe(0)
  })

  test('does not even start dev', long, async () => {
    await copied()
    const { code, stderr } = await runCommand(['dev', '--port', '0'], { folder: join(root, 'b') })
    expect(code).toBe(1)
    expect(stderr).toContain('WORKSPACE_CLAIMED')
    expect((await run('a', 'check')).code).toBe(0)
  })

  test('is refused also where its own store was copied along', async () => {
    await write('a', ['one', 'two'])
    expect((await run('a', 'apply', '--yes')).code).toBe(0)
    await cp(join(root, 'a'), join(root, 'b'), { recursive: true })
    await write('b', ['one'])
    expect((await run('b', 'check')).value.error).toMatchObject(refused)
  })

  test('needs nothing but another name for its workspace', long, async () => {
    await copied()
    await write('b', ['one'], 'acme-copy')
    expect((await run('b', 'check')).value.plumbline.run).toMatchObject({ workspace: 'acme-copy', status: 'in_sync' })
  })

  test('has the workspace once it is handed over, and the other folder has not', long, async () => {
    await copied()
    const { code, stderr } = await run('b', 'workspace', 'push', '--claim')
    expect(code).toBe(0)
    expect(stderr).toContain(`taken over from`)
    expect(stderr).toContain(join(root, 'a'))
    expect((await run('b', 'check')).code).toBe(2)
    expect((await run('a', 'check')).value.error).toMatchObject(refused)
  })
})

test('a folder that was moved continues, and says so', long, async () => {
  await copied()
  await rename(join(root, 'a'), join(root, 'c'))
  const { code, stderr } = await run('c', 'check')
  expect(code).toBe(0)
  expect(stderr).toContain(`acme is taken over from`)
  expect((await run('c', 'check')).stderr).not.toContain('taken over')
})

test('a name is refused where its folder holds another workspace by now, and no claim changes', async () => {
  await copied()
  await write('a', [], 'other')
  const { code, value } = await run('.', 'check', 'acme')
  expect([code, value.error.code]).toEqual([1, 'WORKSPACE_MISMATCH'])
  expect(await machine()).toEqual(['one', 'two'])
})

test('exactly one of several folders that claim a workspace at once gets it', long, async () => {
  const engine = await startDynamodb()
  variables = { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint }
  const folders = ['p', 'q', 'r', 's']
  for (const folder of folders) {
    await write(folder, ['one'])
    await mkdir(join(root, folder, '.plumbline'))
  }
  const all = await Promise.all(folders.map((folder) => run(folder, 'check')))
  await engine.stop()
  expect(all.filter(({ code }) => code === 2)).toHaveLength(1)
  expect(all.filter(({ value }) => value.error?.code === 'WORKSPACE_CLAIMED')).toHaveLength(3)
})

describe('a push to an endpoint', () => {
  test('shows what is sent, names who stored it last, and is refused from a second place', long, async () => {
    await write('a', ['one'])
    await writeFile(join(root, 'a', 'id_rsa'), 'canary')
    await write('b', ['two'])
    await write('z', [], 'own')
    const dev = await startCommand(['dev', '--port', '0', '--every', '0', join(root, 'z')], { folder: root })
    const started = await dev.says(/PLUMBLINE_TOKEN=(\S+)/)
    const [, url = ''] = await dev.says(/(http:\/\/127\.0\.0\.1:\d+)/)
    variables = { PLUMBLINE_ENDPOINT: url, PLUMBLINE_TOKEN: started[1] ?? '' }
    const first = await run('a', 'workspace', 'push')
    expect(first.code).toBe(0)
    expect(first.stderr).toMatch(/plumbline\.json +\d+ bytes/)
    expect(first.stderr).not.toContain('id_rsa')
    expect(first.value.origin).toContain(join(root, 'a'))
    const second = await run('b', 'workspace', 'push')
    expect(second.value.error).toMatchObject(refused)
    expect(second.stderr).toMatch(/acme was stored \S+ by local:\S+, from .*\/a/)
    expect((await run('b', 'workspace', 'push', '--claim')).code).toBe(0)
    expect((await run('a', 'workspace', 'push')).value.error).toMatchObject(refused)
    dev.child.kill('SIGTERM')
    await dev.ended
  })
})
