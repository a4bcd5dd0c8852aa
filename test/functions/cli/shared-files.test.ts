import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { previewNames } from '../../../core/engine/values/preview-names.ts'
import { check } from '../../../functions/library/index.ts'
import { long } from '../../builders/long.ts'
import { startServer } from '../../builders/servers/loopback.ts'
import { type Running, runCommand, startCommand } from '../../builders/workspaces/command.ts'

/* Workspaces of one repository that share a provider document, a module and an included file above their folders. */

const provider = `provider:
  id: shelf
  baseUrl: "{with.url}"
  with: { url: { description: Of the shelf. } }
  reads: { absent: [404] }
resources:
  shelf_item:
    operations:
      retrieve: { method: GET, path: "/items/{name}" }
      create: { method: PUT, path: "/items/{name}" }
      update: { method: PUT, path: "/items/{name}" }
      delete: { method: DELETE, path: "/items/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: object }
        attributes: { name: { required: true, in: path }, size: { required: true } }
`

const shelf = (name: string, url: string): string => `workspace: ${name}
include: ["../shared/all/*.yaml"]
providers:
  shelf: { source: rest, definition: ../shared/shelf.provider.yaml, with: { url: ${url} } }
modules:
  - { name: cups, source: ../shared/cups, with: { room: ${name} } }
`

const cups = `parameters: { room: { type: string } }
resources:
  - { type: shelf_item, name: cup, spec: { name: "\${var.room}-cup", size: small } }
`

const all = 'resources:\n  - { type: shelf_item, name: sign, spec: { name: sign, size: large } }\n'

const items = new Map<string, string>()
let target: Awaited<ReturnType<typeof startServer>>
let root: string
let dev: Running
let endpoint: Readonly<Record<string, string>>

const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}
const run = async (folder: string, words: readonly string[], variables: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await runCommand(words, { folder: join(root, folder), variables })
  return { code, stdout, stderr, value: /^[{[]/.test(stdout) ? JSON.parse(stdout) : undefined }
}

beforeAll(async () => {
  target = await startServer(({ method, url, body }, response) => {
    const name = url.split('/').at(-1) ?? ''
    if (method === 'PUT') items.set(name, JSON.parse(body).size)
    const size = items.get(name)
    response.writeHead(size === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ name, size }))
  })
  root = await realpath(await mkdtemp(join(tmpdir(), 'plumbline-shared-')))
  await mkdir(join(root, '.git'))
  for (const name of ['tea', 'milk', 'outer']) items.set(`${name}-cup`, 'small')
  items.set('sign', 'large')
  await write('shared/shelf.provider.yaml', provider)
  await write('shared/cups/module.yaml', cups)
  await write('shared/all/sign.yaml', all)
  await write('tea/plumbline.yaml', shelf('tea', target.url))
  await write('milk/plumbline.yaml', shelf('milk', target.url))
  dev = await startCommand(['dev', '--port', '0', '--every', '0', '--store', 'memory'], { folder: join(root, 'tea') })
  const [, token = ''] = await dev.says(/PLUMBLINE_TOKEN=(\S+)/)
  const [, url = ''] = await dev.says(/(http:\/\/127\.0\.0\.1:\d+)/)
  endpoint = { PLUMBLINE_ENDPOINT: url, PLUMBLINE_TOKEN: token, PLUMBLINE_ORIGIN: 'the-repository' }
})
afterAll(async () => {
  dev.child.kill('SIGTERM')
  await dev.ended
  await target[Symbol.asyncDispose]()
  await rm(root, { recursive: true, force: true })
})

const shared = ['shared/all/sign.yaml', 'shared/cups/module.yaml', 'shared/shelf.provider.yaml']

describe('files above the folder of a workspace', () => {
  it('belong to it, and a difference names them from the root of the repository', long, async () => {
    expect(await run('', ['check', '--all'])).toMatchObject({ code: 0 })
    items.set('milk-cup', 'huge')
    const { code, stdout } = await run('', ['check', '--all', '--format', 'github'])
    expect([code, stdout]).toEqual([2, expect.stringContaining('file=shared/cups/module.yaml,line=3')])
    const told = await run('milk', ['check'])
    expect(told.stdout).toContain('module.cups.shelf_item.cup')
    items.set('milk-cup', 'small')
  })

  it('are said before a push, and an endpoint checks with them', long, async () => {
    const pushed = await run('milk', ['workspace', 'push', '--yes'], endpoint)
    expect(pushed.code, pushed.stderr).toBe(0)
    for (const name of shared) expect(pushed.stderr).toContain(`  ../${name}`)
    expect((await run('milk', ['check'], endpoint)).code).toBe(0)
    items.set('milk-cup', 'huge')
    expect((await run('milk', ['check'], endpoint)).code).toBe(2)
    items.set('milk-cup', 'small')
  })

  it('give the same version wherever the repository is', async () => {
    const digestOf = async (folder: string) =>
      (await run(folder, ['workspace', 'push', '--json'])).value.configurationDigest
    const here = await digestOf('milk')
    const other = await realpath(await mkdtemp(join(tmpdir(), 'plumbline-shared-other-')))
    for (const path of ['milk/plumbline.yaml', ...shared]) {
      await mkdir(dirname(join(other, path)), { recursive: true })
      await writeFile(join(other, path), await readFile(join(root, path)))
    }
    const args = ['workspace', 'push', '--json', '--root', '..', '--store', '.']
    const pushed = await runCommand(args, { folder: join(other, 'milk') })
    expect(JSON.parse(pushed.stdout).configurationDigest, pushed.stderr).toBe(here)
    await rm(other, { recursive: true })
  })

  it('are read by `plumbline dev`, by the library, by validate and for a preview', long, async () => {
    expect((await run('tea', ['check'], endpoint)).code).toBe(0)
    expect(await check(join(root, 'milk'))).toMatchObject({ plan: { complete: true } })
    expect(await run('', ['validate', 'milk'])).toMatchObject({ code: 0 })
    await write(
      'milk/plumbline.preview.yaml',
      'rename:\n  - { address: "**", attribute: name, to: "${slug}-${value}" }\n',
    )
    const preview = await run('milk', ['preview', '--branch', 'x', '--yes', '--json'], endpoint)
    expect(preview.stderr).toContain('../shared/cups/module.yaml')
    expect(preview.value.plumbline.run.workspace).toBe(previewNames('milk', 'x').id)
    expect(preview.value.resource_changes.map(({ address }: { address: string }) => address)).toEqual(
      expect.arrayContaining(['module.cups.shelf_item.cup']),
    )
  })

  it('are left alone by accept, because other workspaces use them', long, async () => {
    items.set('milk-cup', 'huge')
    const { code, stdout } = await run('milk', ['accept', '--all', '--yes', '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout).refused).toMatchObject([
      { address: 'module.cups.shelf_item.cup', detail: expect.stringContaining('../shared/cups/module.yaml') },
    ])
    expect(await readFile(join(root, 'shared/cups/module.yaml'), 'utf8')).toBe(cups)
    items.set('milk-cup', 'small')
  })
})

describe('a file outside', () => {
  it.each([
    ['the repository', '../../beside/a.yaml', [], '../../beside/a.yaml is outside the Git repository'],
    ['the folder of --root', '../shared/all/sign.yaml', ['--root', '.'], 'is outside the folder of --root'],
    ['the repository, by a link', '../shared/link.yaml', [], 'is a link that leads out of the Git repository'],
    ['what is configuration', '../.git/config', [], 'the file ../.git/config is of what Git keeps itself'],
  ])('%s is refused at its place', async (_, path, words, says) => {
    const beside = join(dirname(root), 'beside')
    await mkdir(beside, { recursive: true })
    await writeFile(join(beside, 'a.yaml'), all)
    await symlink(join(beside, 'a.yaml'), join(root, 'shared/link.yaml')).catch(() => {})
    await write('.git/config', all)
    await write('outer/plumbline.yaml', `workspace: outer\ninclude: [${path}]\n`)
    const { code, stderr } = await run('outer', ['validate', ...words])
    expect([code, stderr]).toEqual([1, expect.stringContaining(says)])
    expect(stderr).toContain('plumbline.yaml:2:11')
    await rm(join(root, 'outer'), { recursive: true })
    await rm(beside, { recursive: true })
  })

  it('is told of an overlay too', async () => {
    const { stdout } = await run('milk', ['preview', '--branch', 'x', '--overlay', '../../p.yaml', '--json'])
    expect(stdout).toContain('../../p.yaml is outside the Git repository')
  })

  it('with a root that does not hold the workspace is a wrong call', async () => {
    const { code, stderr } = await run('milk', ['validate', '--root', '../tea'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('is not in')])
  })
})
