import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { folderSource, readFolder } from '../../../functions/adapters/config-source.ts'

let folder: string
const write = (path: string, content: string | Uint8Array): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), content)
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('texts, by path from the folder', async () => {
  write('plumbline.yaml', 'workspace: acme\n')
  write('files/motd', 'hällo\n')
  expect(await readFolder(folder)).toEqual({
    entry: 'plumbline.yaml',
    files: { 'plumbline.yaml': 'workspace: acme\n', 'files/motd': 'hällo\n' },
  })
})

test('hidden files, dependencies, bytes that are no text and large files are no part of it', async () => {
  write('plumbline.json', '{}')
  for (const path of ['.env', '.git/config', 'node_modules/a/b.js', 'sub/node_modules/c']) write(path, 'x')
  write('picture.png', new Uint8Array([0x89, 0x50, 0xff]))
  write('large.txt', 'x'.repeat(1_000_001))
  expect(Object.keys((await readFolder(folder)).files)).toEqual(['plumbline.json'])
})

test('a link within the folder is followed, as volumes of a cluster are made of them; one out of it is not', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'plumbline-outside-'))
  writeFileSync(join(outside, 'secret'), 'canary')
  write('real/plumbline.yaml', 'workspace: acme')
  symlinkSync('real/plumbline.yaml', join(folder, 'plumbline.yaml'))
  symlinkSync(join(outside, 'secret'), join(folder, 'secret'))
  symlinkSync(outside, join(folder, 'linked'))
  symlinkSync('nowhere', join(folder, 'broken'))
  const { files } = await readFolder(folder)
  expect(Object.keys(files).sort()).toEqual(['plumbline.yaml', 'real/plumbline.yaml'])
  rmSync(outside, { recursive: true })
})

test.each([
  [['plumbline.jsonc', 'plumbline.json', 'plumbline.yaml'], 'plumbline.yaml'],
  [['plumbline.jsonc', 'plumbline.json'], 'plumbline.json'],
  [['plumbline.jsonc'], 'plumbline.jsonc'],
])('of %j the entry is %s', async (present, entry) => {
  for (const name of present) write(name, '{}')
  expect((await readFolder(folder)).entry).toBe(entry)
})

test('a folder without an entry, and no folder at all', async () => {
  const missing = expect.objectContaining({ code: 'CONFIG_NOT_FOUND' })
  await expect(readFolder(folder)).rejects.toEqual(missing)
  await expect(readFolder(join(folder, 'nowhere'))).rejects.toEqual(missing)
  write('file', 'x')
  await expect(readFolder(join(folder, 'file'))).rejects.toEqual(missing)
})

test('a folder that is plainly no workspace is refused before everything is read', async () => {
  write('plumbline.yaml', '{}')
  for (let n = 0; n < 5; n += 1) write(`text${n}`, 'x'.repeat(900_000))
  await expect(readFolder(folder)).rejects.toEqual(expect.objectContaining({ code: 'USAGE' }))
})

test('workspaces with a folder come from there, others from elsewhere', async () => {
  write('plumbline.yaml', 'workspace: acme')
  const stored = { entry: 'plumbline.json', files: { 'plumbline.json': '{}' } }
  const source = folderSource(new Map([['acme', folder]]), { load: async () => stored })
  expect((await source.load('acme')).files).toEqual({ 'plumbline.yaml': 'workspace: acme' })
  expect(await source.load('other')).toEqual(stored)
})
