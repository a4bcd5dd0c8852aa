import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claimOf, originOf } from '../../../functions/adapters/files/origin.ts'

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'plumbline-origin-')))
  for (const name of ['a', 'b']) await mkdir(join(root, name))
  await writeFile(join(root, 'b', 'plumbline.yaml'), 'workspace: acme\n')
})
afterEach(() => rm(root, { recursive: true, force: true }))

test('the origin of a workspace is the machine and the folder without links, or what the machine is told to say', async () => {
  await symlink(join(root, 'a'), join(root, 'link'))
  expect(await originOf(join(root, 'link'), {})).toBe(`${hostname()}:${join(root, 'a')}`)
  expect(await originOf(join(root, 'a'), { PLUMBLINE_ORIGIN: 'ci' })).toBe('ci')
})

const mayTake = async (from: string, more: { readonly shared?: boolean; readonly takeOver?: boolean } = {}) => {
  const told: string[] = []
  const wish = { workspace: 'acme', folder: join(root, 'b'), variables: {}, shared: false, takeOver: false, ...more }
  const may = await (await claimOf({ ...wish, moved: (each) => told.push(each) })).mayTake(from)
  expect(told).toEqual(may ? [from] : [])
  return may
}
const a = () => join(root, 'a')

describe('a workspace is taken from another place only where that place does not hold it any more', () => {
  test.each<[string, boolean, () => Promise<unknown>]>([
    ['that still holds it', false, () => writeFile(join(a(), 'plumbline.yaml'), 'workspace: acme\n')],
    ['that holds it in JSON', false, () => writeFile(join(a(), 'plumbline.json'), '{"workspace": "acme"}')],
    ['with mistakes that do not tell the name', false, () => writeFile(join(a(), 'plumbline.yaml'), '}{')],
    ['whose entry is no file', false, () => mkdir(join(a(), 'plumbline.yaml'))],
    ['that holds another workspace', true, () => writeFile(join(a(), 'plumbline.yaml'), 'workspace: other\n')],
    ['without a configuration', true, async () => {}],
    ['that was moved away', true, () => rename(a(), join(root, 'c'))],
  ])('a folder %s may lose its workspace: %s', async (_name, may, make) => {
    await make()
    expect(await mayTake(`${hostname()}:${a()}`)).toBe(may)
  })

  test.each([
    ['of another machine, in a store of many', 'elsewhere:/srv/gone', { shared: true }, false],
    ['of another name of this machine, in a store of its own', 'renamed:/srv/gone', {}, true],
    ['that no machine names', 'https://git.example/acme', {}, false],
    ['that is a word', 'ci', {}, false],
    ['of another machine that hands it over', 'elsewhere:/srv/acme', { shared: true, takeOver: true }, true],
  ])('a place %s is believed or not to have given it up', async (_name, from, more, may) => {
    expect(await mayTake(from, more)).toBe(may)
  })

  test('the same folder under another name of the machine is recognised by its own store', async () => {
    expect(await mayTake(`renamed:${join(root, 'b')}`)).toBe(true)
    expect(await mayTake(`renamed:${join(root, 'b')}`, { shared: true })).toBe(false)
  })
})
