import { execFileSync } from 'node:child_process'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAnchorKey } from '../../../functions/adapters/anchor-key.ts'
import { isLocked, takeLock } from '../../../functions/adapters/files/kernel-lock.ts'
import { ifThere } from '../../../functions/adapters/files/system-errors.ts'
import { becomeDev, readDev, writeRecord } from '../../../functions/cli/state/dev-record.ts'
import { openStore } from '../../../functions/cli/state/engine.ts'
import {
  findStateFolder,
  findWholeStateFolder,
  openStateFolder,
  readFolders,
  readSealKey,
  rememberFolder,
  type StateFolder,
} from '../../../functions/cli/state/state-folder.ts'
import { openIssuer } from '../../../functions/dev/http/issuer.ts'
import { eachOf } from '../../builders/long.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'plumbline-state-'))
})
afterEach(() => rm(root, { recursive: true }))

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777

test('the folder and its key are for their owner only, and git never includes them', async () => {
  const state = await openStateFolder(root)
  expect(state.path).toBe(join(root, '.plumbline'))
  expect([await modeOf(state.path), await modeOf(state.sealKeyFile)]).toEqual([0o700, 0o600])
  expect(await readFile(join(state.path, '.gitignore'), 'utf8')).toBe('*\n')
  expect(Buffer.from(await readFile(state.sealKeyFile, 'utf8'), 'base64')).toHaveLength(32)
})

test('the key stays the same, also when several processes open the folder at once', async () => {
  const opened = await Promise.all(Array.from({ length: 5 }, () => openStateFolder(root)))
  const keys = await Promise.all(opened.map(({ sealKeyFile }) => readFile(sealKeyFile, 'utf8')))
  expect(new Set(keys).size).toBe(1)
})

test('the nearest folder upwards is used', async () => {
  const inner = join(root, 'a', 'b')
  await mkdir(inner, { recursive: true })
  expect((await findStateFolder(inner))?.path.startsWith(root)).not.toBe(true)
  await openStateFolder(root)
  expect((await openStateFolder(inner)).path).toBe(join(root, '.plumbline'))
})

test('an empty folder is completed, and one that holds a key is left as it is', async () => {
  expect(await findWholeStateFolder(root)).toBeUndefined()
  await mkdir(join(root, '.plumbline'))
  const state = await findWholeStateFolder(root)
  const key = state && (await readSealKey(state))
  expect(key).toHaveLength(44)
  await rm(join(root, '.plumbline', '.gitignore'))
  expect(await findWholeStateFolder(root)).toEqual(state)
  expect(state && (await readSealKey(state))).toBe(key)
  await expect(stat(join(root, '.plumbline', '.gitignore'))).rejects.toThrow('ENOENT')
})

test('folders are remembered by their workspace', async () => {
  const state = await openStateFolder(root)
  await rememberFolder(state, 'one', '/a')
  await rememberFolder(state, 'two', '/b')
  await rememberFolder(state, 'one', '/c')
  expect([...(await readFolders(state))]).toEqual([
    ['one', '/c'],
    ['two', '/b'],
  ])
})

const record = {
  url: 'http://u',
  store: 'http://s',
  shared: false,
}

test.each([
  ['whole, and its lock is held', { ...record, pid: 2 ** 22 + 1 }, true, true],
  // Its number may be that of another process by now.
  ['whole, and its lock is free', { ...record, pid: process.pid }, false, false],
  ['of another shape', { pid: 'x' }, true, false],
])(
  'the record of a dev is used exactly while it is readable and its lock is held: %s',
  async (_name, written, held, found) => {
    const state = await openStateFolder(root)
    const lock = held ? await takeLock(state.devLock, 0) : undefined
    await writeFile(state.devFile, JSON.stringify(written))
    expect((await readDev(state)) !== undefined).toBe(found)
    await lock?.close()
  },
)

test.each([
  ['nothing', ''],
  ['a line end', '\n'],
  ['half of it', 'c2hvcnQ=\n'],
  ['all but its end', `${Buffer.alloc(32, 1).toString('base64').slice(0, 40)}\n`],
  ['what is no Base64', `${'?'.repeat(44)}\n`],
  ['more than a key', `${Buffer.alloc(33, 1).toString('base64')}\n`],
])('a key for digests is refused by its name where there is %s of it', async (_name, text) => {
  const state = await openStateFolder(root)
  await writeFile(state.sealKeyFile, text)
  await openStateFolder(root)
  expect(await readFile(state.sealKeyFile, 'utf8')).toBe(text)
  await expect(readSealKey(state)).rejects.toMatchObject({ code: 'KEY_INVALID', payload: { file: state.sealKeyFile } })
})

test('processes that remember folders at once lose none', async () => {
  const state = await openStateFolder(root)
  const names = Array.from({ length: 8 }, (_, n) => `w${n}`)
  await Promise.all(names.map((name) => rememberFolder(state, name, `/${name}`)))
  expect([...(await readFolders(state)).keys()].sort()).toEqual(names)
})

test('a file that another process has locked is written only after the lock is released', async () => {
  const state = await openStateFolder(root)
  const lock = await takeLock(state.foldersLock, 0)
  let isDone = false
  const remembered = rememberFolder(state, 'ours', '/ours').then(() => {
    isDone = true
  })
  // A second process that asks for the lock has been refused: the first one waits.
  expect(await takeLock(state.foldersLock, 0)).toBeUndefined()
  await writeFile(state.foldersFile, '{"theirs":"/theirs"}')
  expect(isDone).toBe(false)
  await lock?.close()
  await remembered
  expect([...(await readFolders(state)).keys()].sort()).toEqual(['ours', 'theirs'])
})

test('files that a crash cut off are ignored', async () => {
  const state = await openStateFolder(root)
  await writeFile(state.devFile, '{"pid": 1')
  await writeFile(state.foldersFile, '{')
  expect(await readDev(state)).toBeUndefined()
  expect((await readFolders(state)).size).toBe(0)
})

test.each([
  ['that others can read', (file: string) => chmod(file, 0o644), /others can read it \(mode 0644\)/],
  ['that its group can write', (file: string) => chmod(file, 0o620), /others can read it \(mode 0620\)/],
  [
    'that is a link',
    async (file: string) => {
      await rename(file, `${file}.elsewhere`)
      await symlink(`${file}.elsewhere`, file)
    },
    /it is a link/,
  ],
  [
    'that came with a repository',
    (file: string) => {
      execFileSync('git', ['init', '--quiet'], { cwd: root })
      execFileSync('git', ['add', '--force', file], { cwd: root })
    },
    /Git tracks it/,
  ],
])('a key %s is not believed', async (_, spoil, says) => {
  const state = await openStateFolder(root)
  await readSealKey(state)
  await spoil(state.sealKeyFile)
  await expect(readSealKey(state)).rejects.toMatchObject({ code: 'KEY_INVALID', message: expect.stringMatching(says) })
})

test.each([
  ['to a folder', true],
  ['to nothing', false],
])('a state folder that is a link %s is refused by all who look for it, and nothing is written', async (_, isThere) => {
  const [elsewhere, here] = [join(root, 'elsewhere'), join(root, 'here')]
  await mkdir(join(here, 'below'), { recursive: true })
  if (isThere) await mkdir(elsewhere)
  const path = join(here, '.plumbline')
  await symlink(elsewhere, path)
  const refused = { code: 'FILE_REFUSED', payload: { path, detail: expect.stringMatching(/it is a link.*--store/) } }
  for (const look of [findStateFolder, findWholeStateFolder, openStateFolder]) {
    await expect(look(here)).rejects.toMatchObject(refused)
    await expect(look(join(here, 'below'))).rejects.toMatchObject(refused)
    await expect(look(root, here)).rejects.toMatchObject(refused)
  }
  expect(await readdir(elsewhere).catch(() => 'none')).toEqual(isThere ? [] : 'none')
})

test('the folder that is named for the store may be a link, and so may those above it', async () => {
  await mkdir(join(root, 'volume'))
  await symlink(join(root, 'volume'), join(root, 'named'))
  const state = await openStateFolder(root, join(root, 'named'))
  expect(await realpath(state.path)).toBe(join(await realpath(root), 'volume', '.plumbline'))
})

test('a key in a repository that does not track it is believed', async () => {
  execFileSync('git', ['init', '--quiet'], { cwd: root })
  expect(await readSealKey(await openStateFolder(root))).toHaveLength(44)
})

const openHere = (state: StateFolder) => openStore({ state, variables: {} })

test.each(['', '-wal', '-shm', '-journal'])('a store that is a link is not followed: store.sqlite%s', async (end) => {
  const state = await openStateFolder(root)
  const elsewhere = join(root, 'elsewhere')
  await symlink(elsewhere, `${state.storeFile}${end}`)
  await expect(openHere(state)).rejects.toMatchObject({
    code: 'FILE_REFUSED',
    payload: { path: `${state.storeFile}${end}`, detail: 'it is a link' },
  })
  await expect(stat(elsewhere)).rejects.toThrow('ENOENT')
})

test.each<[string, ...((state: StateFolder) => Promise<unknown>)[]]>([
  ['.gitignore', () => openStateFolder(root)],
  ['seal.key', () => openStateFolder(root), readSealKey],
  ['anchor.key', (state) => openAnchorKey(state.anchorKeyFile)],
  ['issuer.json', (state) => openIssuer(state.issuerFile, 'http://127.0.0.1:1')],
  ['dev.json', readDev, openHere, becomeDev, (state) => writeRecord(state, { ...record, pid: process.pid })],
  ['folders.json', readFolders, openHere, (state) => rememberFolder(state, 'one', '/a')],
  ...['', '-wal', '-shm', '-journal'].flatMap((end): [string, ...((state: StateFolder) => Promise<unknown>)[]][] => [
    [`folders.lock${end}`, (state) => rememberFolder(state, 'one', '/a')],
    [`dev.lock${end}`, becomeDev, ({ devLock }) => (end === '' ? isLocked(devLock) : takeLock(devLock, 0))],
  ]),
])('what plumbline keeps is never read or written through a link: %s', async (name, ...doors) => {
  const state = await openStateFolder(root)
  const [path, elsewhere] = [join(state.path, name), join(root, 'elsewhere')]
  await rm(path, { force: true })
  await symlink(elsewhere, path)
  for (const text of [undefined, '{}']) {
    if (text !== undefined) await writeFile(elsewhere, text, { mode: 0o600 })
    for (const door of doors) {
      await expect(door(state)).rejects.toMatchObject({
        code: expect.stringMatching(/^(FILE_REFUSED|KEY_INVALID)$/),
        message: expect.stringContaining('it is a link'),
      })
    }
    expect(await readFile(elsewhere, 'utf8').catch(() => undefined)).toBe(text)
    expect(await readlink(path)).toBe(elsewhere)
  }
})

test.each([
  ['', 0o666],
  ['', 0o620],
  ['', 0o602],
  ['-wal', 0o622],
])('a store that others can write is not believed: store.sqlite%s, case %#', async (end, mode) => {
  const state = await openStateFolder(root)
  await (await openHere(state)).stop()
  expect(await modeOf(state.storeFile)).toBe(0o600)
  const path = `${state.storeFile}${end}`
  await writeFile(path, '', { flag: 'a' })
  await chmod(path, mode)
  await expect(openHere(state)).rejects.toMatchObject({
    code: 'FILE_REFUSED',
    payload: { path, detail: expect.stringMatching(`others can write it \\(mode 0${mode.toString(8)}\\).*chmod 600`) },
  })
  await chmod(path, 0o644)
  await (await openHere(state)).stop()
})

test.each([
  ['empty', (file: string) => writeFile(file, '', { mode: 0o600 })],
  ['missing', (file: string) => rm(file)],
])('a store that is %s is a new one only where no workspace is known', async (lost, lose) => {
  const state = await openStateFolder(root)
  if (lost === 'empty') await lose(state.storeFile)
  await (await openHere(state)).stop()
  await lose(state.storeFile)
  await (await openHere(state)).stop()
  await rememberFolder(state, 'one', '/a')
  await (await openHere(state)).stop()
  const copy = await readFile(state.storeFile)
  await lose(state.storeFile)
  await expect(openHere(state)).rejects.toMatchObject({
    code: 'FILE_REFUSED',
    payload: { path: state.storeFile },
    message: expect.stringMatching(`it is ${lost}, and .*had the workspaces one; put the file back, or remove folders`),
  })
  expect((await ifThere(stat(state.storeFile)))?.size ?? 0).toBe(0)
  await writeFile(state.storeFile, copy, { mode: 0o600 })
  await (await openHere(state)).stop()
  await lose(state.storeFile)
  await rm(state.foldersFile)
  await (await openHere(state)).stop()
})

eachOf(test, 1)(['', '-wal', '-journal'])(
  'a store that came with a repository is not believed: store.sqlite%s',
  async (end) => {
    const state = await openStateFolder(root)
    await (await openHere(state)).stop()
    execFileSync('git', ['init', '--quiet'], { cwd: root })
    await (await openHere(state)).stop()
    const tracked = `${state.storeFile}${end}`
    await writeFile(tracked, '', { flag: 'a' })
    execFileSync('git', ['add', '--force', tracked], { cwd: root })
    const before = await readFile(state.storeFile)
    await expect(openHere(state)).rejects.toMatchObject({
      code: 'FILE_REFUSED',
      message: expect.stringContaining('Git tracks it'),
    })
    expect((await readFile(state.storeFile)).equals(before)).toBe(true)
    execFileSync('git', ['rm', '--cached', '--quiet', tracked], { cwd: root })
    await (await openHere(state)).stop()
  },
)
