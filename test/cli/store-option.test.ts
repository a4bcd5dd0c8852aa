import { cp, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCommand } from '../builders/workspaces/command.ts'

let root: string
let folder: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'plumbline-store-option-')))
  folder = join(root, 'repository')
  await cp('examples/host', folder, { recursive: true })
  await mkdir(join(root, 'kept'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const run = (args: readonly string[], variables: Record<string, string> = {}) =>
  runCommand(args, { folder, variables: { ...variables, TMPDIR: root } })
const kept = async (where: string): Promise<boolean> => (await readdir(join(root, where))).includes('.plumbline')

test('memory keeps nothing, here or in the folder of temporary files', async () => {
  const { code, stdout } = await run(['check', '--store', 'memory'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('in sync')])
  expect(await kept('repository')).toBe(false)
  expect((await readdir(root)).toSorted()).toEqual(['kept', 'repository'])
})

test.each([
  ['the option', ['--store', '../kept'], {}],
  ['the variable', [], { PLUMBLINE_STORE: '../kept' }],
])('a folder named by %s keeps everything, for the commands that name it', async (_, words, variables) => {
  await writeFile(join(folder, 'files', 'planted'), '')
  expect(await run(['check', ...words], variables)).toMatchObject({ code: 0 })
  expect([await kept('repository'), await kept('kept')]).toEqual([false, true])
  expect((await run(['workspace', 'list', ...words], variables)).stdout).toContain('tea-room')
  expect((await run(['workspace', 'list'])).stderr).toContain('CONFIG_NOT_FOUND')
})

test('what is printed to be pasted names the folder, too', async () => {
  const [file] = await readdir(join(folder, 'machine', 'etc'))
  await writeFile(join(folder, 'machine', 'etc', file ?? ''), 'changed')
  const { stdout } = await run(['check', '--store', '../kept'])
  const [, words = ''] = /^ {2}plumbline (.* --digest .*)$/m.exec(stdout) ?? []
  expect((await run([...words.split(' '), '--reason', 'test'])).code).toBe(0)
  expect((await run(['check', '--store', '../kept'])).stdout).toContain('in sync')
})

test.each([
  [['check', '--store', 'nowhere'], 'there is no such folder'],
  [['check', '--store', 'memory', '--endpoint', 'https://plumbline.example'], 'remove one'],
])('%j is refused', async (args, says) => {
  const { code, stderr } = await run(args)
  expect([code, stderr]).toEqual([1, expect.stringContaining(says)])
})
