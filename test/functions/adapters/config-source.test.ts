import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../../core/engine/errors/errors.ts'
import { loadWorkspaceLater } from '../../../core/engine/workflows/session/load/load-later.ts'
import { folderSource, readFolder } from '../../../functions/adapters/files/config-source.ts'
import { lawRuns } from '../../builders/laws.ts'
import { wings } from '../../builders/workspaces/wings.ts'

let folder: string
const write = (path: string, content: string | Uint8Array): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), content)
}

/** A workspace of files, one for each source. */
const naming = (...sources: readonly string[]): string =>
  JSON.stringify({
    workspace: 'acme',
    providers: { host: { source: 'host', with: { root: '/srv/none' } } },
    resources: sources.map((source, n) => ({ type: 'host_file', name: `f${n}`, spec: { path: `f${n}`, source } })),
  })

const namesOf = async (): Promise<readonly string[]> => Object.keys((await readFolder(folder)).files).sort()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the bundle is the entry and the files that it names, at any depth, and nothing else', async () => {
  write('plumbline.json', naming('files/motd', './b.txt', 'x/../c.txt'))
  write('files/motd', 'hällo\n')
  for (const path of ['b.txt', 'c.txt', 'id_rsa', 'README.md', '.env', 'files/other', 'sub/plumbline.yaml'])
    write(path, 'canary')
  expect(await namesOf()).toEqual(['b.txt', 'c.txt', 'files/motd', 'plumbline.json'])
})

test('documents of providers and the certificates that they name are included; a key beside them is not', async () => {
  const document = `
provider: { id: shop, baseUrl: "https://127.0.0.1:1", tls: { ca: ca.pem } }
resources:
  shop_item:
    operations:
      retrieve: { method: GET, path: "/items/{name}" }
      create: { method: POST, path: /items }
      delete: { method: DELETE, path: "/items/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { onImmutable: replace }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true } } }]
`
  write(
    'plumbline.yaml',
    'workspace: acme\nproviders: { shop: { source: rest, definition: ./d/shop.provider.yaml } }\n',
  )
  write('d/shop.provider.yaml', document)
  write('ca.pem', '-----BEGIN CERTIFICATE-----\n')
  write('key.pem', '-----BEGIN PRIVATE KEY-----\ncanary')
  expect(await namesOf()).toEqual(['ca.pem', 'd/shop.provider.yaml', 'plumbline.yaml'])
})

test('law: whatever is in a folder, the bundle is the entry and the named files', async () => {
  const name = fc.stringMatching(/^[a-z_.-]{1,12}$/).filter((text) => !/^\.+$/.test(text))
  const files = fc.uniqueArray(name, { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(files, fc.integer(), async (names, seed) => {
      const mine = names.filter((each) => !each.startsWith('plumbline.') && each !== '.plumbline')
      const named = mine.filter((_, n) => (seed >> n) & 1)
      for (const each of mine) write(each, `text of ${each}`)
      write('plumbline.json', naming(...named))
      expect(await namesOf()).toEqual(['plumbline.json', ...named].sort())
    }),
    lawRuns(30),
  )
})

test.each<[string, string, () => void, RegExp]>([
  ['missing', 'gone', () => {}, /there is no file gone; add it/],
  ['too large', 'a', () => write('a', 'x'.repeat(16_000_001)), /the file a has 16000001 bytes, more than 16000000/],
  ['no UTF-8', 'a', () => write('a', new Uint8Array([0x89, 0xff])), /the file a is not UTF-8 text/],
  ['a folder', 'a', () => write('a/b', ''), /the file a is no regular file/],
  ['a pipe', 'a', () => void execFileSync('mkfifo', [join(folder, 'a')]), /the file a is no regular file/],
  ['a link out of the folder', 'a', () => symlinkSync('/etc/hostname', join(folder, 'a')), /leads out of the folder/],
  ['a link in a circle', 'a', () => symlinkSync('a', join(folder, 'a')), /leads in a circle/],
  ['a broken link', 'a', () => symlinkSync('nowhere', join(folder, 'a')), /there is no file a/],
  ['outside', '../a', () => {}, /\.\.\/a is outside the folder of the workspace/],
  ['absolute', '/etc/hostname', () => {}, /\/etc\/hostname is outside the folder of the workspace/],
  ['a key of ours', '.plumbline/seal.key', () => write('.plumbline/seal.key', 'x'), /what plumbline keeps itself/],
])('a named file that is %s is reported with its reason', async (_name, source, make, reason) => {
  make()
  write('plumbline.json', naming(source))
  const bundle = await readFolder(folder)
  expect(Object.keys(bundle.files)).toEqual(['plumbline.json'])
  const refused = await loadWorkspaceLater(bundle, wings).catch((error: Error) => error.message)
  expect(refused).toMatch(reason)
})

test('an entry that cannot be read is reported with the reason', async () => {
  write('plumbline.yaml', new Uint8Array([0xff]))
  const refused = loadWorkspaceLater(await readFolder(folder), wings)
  await expect(refused).rejects.toThrow(/plumbline\.yaml:1:1: the file plumbline\.yaml is not UTF-8 text/)
})

test('a link within the folder is followed, as the volumes of a cluster consist of links', async () => {
  write('real/plumbline.json', naming('files/a'))
  write('..data/a', 'hello')
  symlinkSync('real/plumbline.json', join(folder, 'plumbline.json'))
  symlinkSync('..data', join(folder, 'files'))
  expect((await readFolder(folder)).files['files/a']).toBe('hello')
})

test.each([
  [['plumbline.jsonc', 'plumbline.json', 'plumbline.yaml'], 'plumbline.yaml'],
  [['plumbline.jsonc', 'plumbline.json', 'plumbline.yml'], 'plumbline.yml'],
  [['plumbline.jsonc', 'plumbline.json'], 'plumbline.json'],
  [['plumbline.jsonc'], 'plumbline.jsonc'],
])('the entry of %j is %s', async (present, entry) => {
  for (const name of present) write(name, '{}')
  expect((await readFolder(folder)).entry).toBe(entry)
})

test('a folder without an entry, and a missing folder, are reported', async () => {
  const missing = expect.objectContaining({ code: 'CONFIG_NOT_FOUND' })
  await expect(readFolder(folder)).rejects.toEqual(missing)
  await expect(readFolder(join(folder, 'nowhere'))).rejects.toEqual(missing)
  write('file', 'x')
  await expect(readFolder(join(folder, 'file'))).rejects.toEqual(missing)
})

test('workspaces with a folder are read from there, and others from elsewhere', async () => {
  write('plumbline.yaml', 'workspace: acme')
  const stored = { entry: 'plumbline.json', files: { 'plumbline.json': '{}' } }
  const source = folderSource(
    { folders: new Map([['acme', folder]]), variables: { PLUMBLINE_ORIGIN: 'here' } },
    { load: async () => stored },
  )
  expect(await source.load('acme')).toMatchObject({ files: { 'plumbline.yaml': 'workspace: acme' }, origin: 'here' })
  expect(await source.load('other')).toEqual(stored)
})

test('the stored values of a workspace are used with the files of its folder if the files still declare them', async () => {
  write('plumbline.yaml', 'workspace: acme\nvariables: { ttl: { type: number } }\n')
  const stored = { entry: 'plumbline.yaml', files: {}, variables: { ttl: 60, former: 'x' } }
  const source = folderSource({ folders: new Map([['acme', folder]]), variables: {} }, { load: async () => stored })
  const { configuration, bundle } = await loadWorkspaceLater(await source.load('acme'), wings)
  expect(configuration.given).toEqual({ ttl: 60 })
  expect(bundle.variables).toEqual({ ttl: 60 })
})

test('a workspace without stored values, or one that is not stored yet, can be read', async () => {
  write('plumbline.yaml', 'workspace: acme')
  const folders = new Map([['acme', folder]])
  const missing = async () => {
    throw new AppError('WORKSPACE_NOT_FOUND', { workspace: 'acme' })
  }
  expect((await folderSource({ folders, variables: {} }, { load: missing }).load('acme')).given).toEqual([])
  const broken = async () => {
    throw new AppError('STORE_CORRUPT', { what: 'configuration', detail: 'lost' })
  }
  await expect(folderSource({ folders, variables: {} }, { load: broken }).load('acme')).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
  })
})

test('included files and modules belong to the workspace, as far as patterns and names reach', async () => {
  write('plumbline.yaml', 'workspace: acme\ninclude: ["zones/*.yaml", "more/*/r.yaml"]\n')
  write('zones/a.yaml', 'modules: [{ name: m, source: ../modules/m }]\n')
  write('zones/b.yaml', 'resources: []\n')
  write('more/x/r.yaml', 'resources: []\n')
  write('modules/m/module.yaml', 'modules: [{ name: n, source: ../n }]\n')
  write('modules/n/module.yaml', 'resources: []\n')
  for (const path of ['zones/.c.yaml', 'zones/d.txt', 'zones/e/f.yaml', 'modules/o/module.yaml', 'more/r.yaml'])
    write(path, 'canary')
  const { bundle } = await loadWorkspaceLater(await readFolder(folder), wings)
  const names = ['modules/m/module.yaml', 'modules/n/module.yaml', 'more/x/r.yaml', 'plumbline.yaml']
  expect(Object.keys(bundle.files).sort()).toEqual([...names, 'zones/a.yaml', 'zones/b.yaml'])
  // What was stored loads without the folder, and is the same configuration.
  const { digest: again } = await loadWorkspaceLater({ ...bundle }, wings)
  expect(again).toBe((await loadWorkspaceLater(await readFolder(folder), wings)).digest)
})

test('files above the folder have stored names that lead nowhere, and mean the same without the folder', async () => {
  mkdirSync(join(folder, '.git'))
  write('acme/dns/plumbline.yaml', 'workspace: acme\ninclude: ["../../zones/*.yaml"]\n')
  write('zones/a.yaml', 'modules: [{ name: m, source: ../modules/m }]\n')
  write('modules/m/module.yaml', 'resources: []\n')
  write('acme/a.yaml', 'canary')
  const { bundle, digest } = await loadWorkspaceLater(await readFolder(join(folder, 'acme/dns')), wings)
  expect(Object.keys(bundle.files).sort()).toEqual(['^/^/modules/m/module.yaml', '^/^/zones/a.yaml', 'plumbline.yaml'])
  expect((await loadWorkspaceLater({ ...bundle }, wings)).digest).toBe(digest)
})

test('a managed file above the folder is left out of what is stored', async () => {
  mkdirSync(join(folder, '.git'))
  const files = 'providers: { host: { source: host, with: { root: ../machine } } }\nresources:\n'
  const motd = '  - { type: host_file, name: a, spec: { path: a, source: ../machine/a } }\n'
  write('acme/plumbline.yaml', `workspace: acme\n${files}${motd}`)
  write('machine/a', 'canary')
  const { bundle } = await loadWorkspaceLater(await readFolder(join(folder, 'acme')), wings)
  expect(Object.keys(bundle.files)).toEqual(['plumbline.yaml'])
})

test('a link out of the folder is neither an included file nor a folder of a module', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'plumbline-outside-'))
  writeFileSync(join(outside, 'a.yaml'), 'canary: 1')
  writeFileSync(join(outside, 'module.yaml'), 'resources: []')
  write(
    'plumbline.yaml',
    'workspace: acme\ninclude: ["zones/*.yaml", "out*/a.yaml", "out/*.yaml"]\nmodules: [{ name: m, source: ./out }]\n',
  )
  write('zones/b.yaml', 'resources: []\n')
  symlinkSync(join(outside, 'a.yaml'), join(folder, 'zones/a.yaml'))
  symlinkSync(outside, join(folder, 'out'))
  const bundle = await readFolder(folder)
  rmSync(outside, { recursive: true })
  expect(JSON.stringify(bundle.files)).not.toContain('canary')
  const refused = loadWorkspaceLater(bundle, wings)
  await expect(refused).rejects.toMatchObject({
    payload: {
      issues: [
        expect.objectContaining({
          message: 'the file zones/a.yaml is a link that leads out of the folder of the workspace',
        }),
        expect.objectContaining({
          message: 'the file out/a.yaml is a link that leads out of the folder of the workspace',
        }),
        expect.objectContaining({
          message: 'the file out/module.yaml is a link that leads out of the folder of the workspace',
          line: 2,
        }),
        expect.objectContaining({
          message: 'the file out/module.yaml is a link that leads out of the folder of the workspace',
          line: 3,
        }),
      ],
    },
  })
})
