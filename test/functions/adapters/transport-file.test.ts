import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmod,
  chown,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../../core/engine/schema/json.ts'
import type { Transport } from '../../../core/engine/transport/transport.ts'
import { newDraft } from '../../../functions/adapters/transport/file/drafts.ts'
import { createFileTransport } from '../../../functions/adapters/transport/file/file.ts'
import { inside, openFolder } from '../../../functions/adapters/transport/file/open-folder.ts'
import { replaceFile } from '../../../functions/adapters/transport/file/replace-file.ts'
import { createTransport } from '../../../functions/adapters/transport/index.ts'

let folder: string
let root: string
let outside: string
let transport: Transport

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'plumbline-file-')))
  root = join(folder, 'root')
  outside = join(folder, 'outside')
  await mkdir(root)
  await mkdir(outside)
  await writeFile(join(outside, 'secret'), 'outside')
  transport = createFileTransport({ roots: [root], maxBytes: 1000 })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const urlOf = (path: string) => pathToFileURL(join(root, path)).href
const send = (method: string, url: string, body?: Json, headers?: Record<string, string>) =>
  transport.send({
    method,
    url,
    effect: method === 'GET' ? 'read' : 'write',
    ...(body === undefined ? {} : { body }),
    ...(headers ? { headers } : {}),
  })
const get = (path: string) => send('GET', urlOf(path))
const modeOf = async (path: string) => ((await stat(join(root, path))).mode & 0o7777).toString(8)
const drafts = async () => (await readdir(root)).filter((name) => name.startsWith('.plumbline'))

describe('file transport: one file', () => {
  it('reads text and mode', async () => {
    await writeFile(join(root, 'motd'), 'grüß\n', { mode: 0o640 })
    expect(await get('motd')).toMatchObject({ status: 200, body: { content: 'grüß\n', mode: '0640' } })
  })

  it('reads bytes that are not UTF-8 as base64, and writes them back', async () => {
    await writeFile(join(root, 'blob'), Buffer.from([0xff, 0x00, 0xfe]))
    expect(await get('blob')).toMatchObject({ body: { contentBase64: '/wD+' } })
    await send('PUT', urlOf('copy'), { contentBase64: '/wD+' })
    expect([...(await readFile(join(root, 'copy')))]).toEqual([0xff, 0x00, 0xfe])
  })

  it('answers 404 for a missing file, also in a missing folder', async () => {
    expect((await get('gone')).status).toBe(404)
    expect((await get('no/such/gone')).status).toBe(404)
  })

  it('writes, replaces, changes the mode and removes', async () => {
    expect((await send('PUT', urlOf('a'), { content: 'one', mode: '0600' })).status).toBe(201)
    expect(await modeOf('a')).toBe('600')
    expect((await send('PUT', urlOf('a'), { content: 'two' })).status).toBe(204)
    expect(await get('a')).toMatchObject({ body: { content: 'two', mode: '0600' } })
    expect((await send('PATCH', urlOf('a'), { mode: '4755' })).status).toBe(204)
    expect(await modeOf('a')).toBe('4755')
    expect((await send('DELETE', urlOf('a'))).status).toBe(204)
    expect((await send('DELETE', urlOf('a'))).status).toBe(404)
    expect((await send('PATCH', urlOf('a'), { mode: '0644' })).status).toBe(404)
    expect(await readdir(root)).toEqual([])
  })

  it('gives a new file the requested mode whatever the umask is, and 0644 without a request', async () => {
    await send('PUT', urlOf('open'), { content: '', mode: '0666' })
    await send('PUT', urlOf('plain'), { content: '' })
    expect([await modeOf('open'), await modeOf('plain')]).toEqual(['666', '644'])
  })

  it('makes missing folders', async () => {
    expect((await send('PUT', urlOf('conf.d/deep/a'), { content: 'x' })).status).toBe(201)
    expect(await readFile(join(root, 'conf.d/deep/a'), 'utf8')).toBe('x')
  })

  it('takes names with any characters', async () => {
    const name = 'a b%2F#?ß;\\\'"&=+'
    await send('PUT', urlOf(name), { content: 'x' })
    expect(await readdir(root)).toEqual([name])
  })

  it('keeps the owner of the file that it replaces', async () => {
    await writeFile(join(root, 'a'), 'old')
    // Only the superuser can give a file away; for others the owner is the same before and after anyway.
    await chown(join(root, 'a'), 12, 34).catch(() => undefined)
    const before = await stat(join(root, 'a'))
    await send('PUT', urlOf('a'), { content: 'new', mode: '4711' })
    expect(await stat(join(root, 'a'))).toMatchObject({ uid: before.uid, gid: before.gid })
    expect(await modeOf('a')).toBe('4711')
  })

  it('never replaces a file that appeared in the meantime', async () => {
    await writeFile(join(root, 'a'), 'theirs')
    const folder = (await openFolder(root, root, false)) ?? expect.unreachable()
    const late = { content: Buffer.from('mine'), mode: 0o644, mustBeNew: true }
    await inside(folder, () => expect(replaceFile(folder, 'a', late)).rejects.toMatchObject({ code: 'EEXIST' }))
    expect(await readdir(root)).toEqual(['a'])
    expect(await readFile(join(root, 'a'), 'utf8')).toBe('theirs')
  })

  it('replaces the name, and not the content that other names share', async () => {
    await writeFile(join(root, 'a'), 'old')
    await link(join(root, 'a'), join(outside, 'hard'))
    await send('PUT', urlOf('a'), { content: 'new' })
    expect(await readFile(join(outside, 'hard'), 'utf8')).toBe('old')
  })

  it.each<[string, Json | undefined]>([
    ['nothing', undefined],
    ['no content', { mode: '0644' }],
    ['a text', 'content'],
    ['a mode that is none', { content: '', mode: 'rw-r--r--' }],
    ['a mode that is a number', { content: '', mode: 420 }],
  ])('refuses to write %s', async (_, body) => {
    expect((await send('PUT', urlOf('a'), body)).status).toBe(400)
    expect(await readdir(root)).toEqual([])
  })

  it('accepts GET, PUT, PATCH and DELETE only', async () => {
    await writeFile(join(root, 'a'), '')
    expect((await send('POST', urlOf('a'))).status).toBe(405)
  })

  it('stops at the size limit', async () => {
    await writeFile(join(root, 'large'), 'x'.repeat(1001))
    await expect(get('large')).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' })
    await expect(send('PUT', urlOf('large'), { content: '' })).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' })
  })

  it('sends nothing after it was cancelled', async () => {
    const cancelled = transport.send(
      { method: 'PUT', url: urlOf('a'), effect: 'write', body: { content: '' } },
      AbortSignal.abort(),
    )
    await expect(cancelled).rejects.toMatchObject({ payload: { reason: 'cancelled' } })
    expect(await readdir(root)).toEqual([])
  })
})

describe('file transport: preconditions', () => {
  const etagOf = async (path: string) => (await get(path)).headers['etag'] ?? ''

  it('has an ETag that changes with content and mode, and with nothing else', async () => {
    await send('PUT', urlOf('a'), { content: 'one', mode: '0644' })
    const first = await etagOf('a')
    await send('PUT', urlOf('a'), { content: 'one', mode: '0644' })
    expect(await etagOf('a')).toBe(first)
    await chmod(join(root, 'a'), 0o600)
    const second = await etagOf('a')
    await writeFile(join(root, 'a'), 'two')
    expect(new Set([first, second, await etagOf('a')]).size).toBe(3)
  })

  it.each([
    ['PUT', { content: 'mine' }],
    ['PATCH', { mode: '0600' }],
    ['DELETE', undefined],
  ] as const)('changes nothing by %s with an old If-Match', async (method, body) => {
    await writeFile(join(root, 'a'), 'seen', { mode: 0o644 })
    const seen = await etagOf('a')
    await writeFile(join(root, 'a'), 'changed since')
    expect((await send(method, urlOf('a'), body, { 'If-Match': seen })).status).toBe(412)
    expect(await get('a')).toMatchObject({ body: { content: 'changed since', mode: '0644' } })
    expect((await send(method, urlOf('a'), body, { 'if-match': await etagOf('a') })).status).toBe(204)
  })

  it('does not create a missing file with If-Match, nor replace a new one with If-None-Match', async () => {
    expect((await send('PUT', urlOf('a'), { content: '' }, { 'if-match': '"x"' })).status).toBe(412)
    await writeFile(join(root, 'b'), 'theirs')
    expect((await send('PUT', urlOf('b'), { content: 'mine' }, { 'if-none-match': '*' })).status).toBe(412)
    expect((await send('PUT', urlOf('c'), { content: 'mine' }, { 'if-none-match': '*' })).status).toBe(201)
    expect(await readFile(join(root, 'b'), 'utf8')).toBe('theirs')
    expect(await drafts()).toEqual([])
  })
})

describe('file transport: objects that are not regular files', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['a folder', () => mkdir(join(root, 'x'))],
    [
      'a link to a file inside',
      async () => {
        await writeFile(join(root, 'target'), 'kept')
        await symlink('target', join(root, 'x'))
      },
    ],
    ['a link to a file outside', () => symlink(join(outside, 'secret'), join(root, 'x'))],
    ['a link to nothing', () => symlink('nowhere', join(root, 'x'))],
    ['a pipe', async () => execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'x')])],
  ])('%s is answered with 409 for every method, which says what it is, and stays', async (title, make) => {
    await make()
    const before = await readdir(root)
    for (const [method, body] of [
      ['GET'],
      ['PUT', { content: 'x' }],
      ['PATCH', { mode: '0600' }],
      ['DELETE'],
    ] as const) {
      const detail = `it is ${title.replace(/ to .*/, '')} where a regular file was expected`
      expect(await send(method, urlOf('x'), body)).toMatchObject({ status: 409, body: { detail } })
    }
    expect(await readdir(root)).toEqual(before)
    expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('outside')
  })

  it('a file where a folder should be is answered with 409, and not as absent', async () => {
    await writeFile(join(root, 'x'), '')
    expect((await get('x/y')).status).toBe(409)
    expect((await send('PUT', urlOf('x/y'), { content: '' })).status).toBe(409)
  })
})

describe('file transport: confinement', () => {
  const attempts: readonly [string, () => string][] = [
    ['another path', () => pathToFileURL(join(outside, 'secret')).href],
    ['another path that is missing', () => pathToFileURL(join(outside, 'gone')).href],
    ['a missing folder elsewhere', () => pathToFileURL(join(outside, 'no/such/gone')).href],
    ['dots', () => `${pathToFileURL(root).href}/../outside/secret`],
    ['encoded dots', () => `${pathToFileURL(root).href}/%2e%2E/outside/secret`],
    ['a name that starts like the root', () => `${pathToFileURL(root).href}-b/secret`],
    ['a folder that is a link', () => urlOf('way-out/secret')],
    ['a link in the middle', () => urlOf('deep/way-out/secret')],
    ['a new folder behind a link', () => urlOf('way-out/new/secret')],
    ['a link up', () => urlOf('up/outside/secret')],
    ['the root itself', () => pathToFileURL(root).href],
  ]

  beforeEach(async () => {
    await mkdir(`${root}-b`)
    await writeFile(join(`${root}-b`, 'secret'), 'outside')
    await mkdir(join(root, 'deep'))
    await symlink(outside, join(root, 'way-out'))
    await symlink('../../outside', join(root, 'deep/way-out'))
    await symlink('..', join(root, 'up'))
  })

  it.each(attempts)('does not lead out of the root by %s', async (_, url) => {
    const before = execFileSync('find', [folder, '-newermt', '1970-01-01', '-printf', '%p %s %m %T@\n']).toString()
    for (const [method, body] of [
      ['GET'],
      ['PUT', { content: 'x' }],
      ['PATCH', { mode: '0600' }],
      ['DELETE'],
    ] as const) {
      expect(await send(method, url(), body)).toMatchObject({ status: 403, body: { reason: 'outside_root' } })
    }
    expect(execFileSync('find', [folder, '-newermt', '1970-01-01', '-printf', '%p %s %m %T@\n']).toString()).toBe(
      before,
    )
  })

  it.each(['%2F..%2F..%2Foutside%2Fsecret', 'a%00b', '..%2foutside'])('refuses the address %s', async (name) => {
    expect((await send('GET', `${pathToFileURL(root).href}/${name}`)).status).toBe(400)
    expect((await send('PUT', `${pathToFileURL(root).href}/${name}`, { content: 'x' })).status).toBe(400)
  })

  it('refuses another host, and all files where there is no root', async () => {
    expect((await send('GET', 'file://server.test/etc/passwd')).status).toBe(400)
    const request = { method: 'GET', url: 'file:///etc/passwd', effect: 'read' } as const
    expect((await createTransport({ files: false })({ fileRoots: ['/etc'] }).send(request)).status).toBe(403)
    expect((await createTransport()({ fileRoots: ['/etc'] }).send(request)).status).toBe(200)
  })

  it('follows a link that stays inside', async () => {
    await symlink('deep', join(root, 'inside'))
    expect((await send('PUT', urlOf('inside/a'), { content: 'x' })).status).toBe(201)
    expect(await readFile(join(root, 'deep/a'), 'utf8')).toBe('x')
  })

  it('accepts several roots, and uses the one that contains the path', async () => {
    const both = createFileTransport({ roots: [join(root, 'deep'), outside] })
    const status = async (url: string) => (await both.send({ method: 'GET', url, effect: 'read' })).status
    expect(await status(pathToFileURL(join(outside, 'secret')).href)).toBe(200)
    expect(await status(urlOf('deep/gone'))).toBe(404)
    expect(await status(urlOf('gone'))).toBe(403)
    // From one root into the other by a link is still out of the root that it was asked in.
    expect(await status(urlOf('deep/way-out/secret'))).toBe(403)
  })

  it('accepts a root that is itself a link', async () => {
    await symlink(root, join(folder, 'alias'))
    const aliased = createFileTransport({ roots: [join(folder, 'alias')] })
    const url = pathToFileURL(join(folder, 'alias/a')).href
    expect((await aliased.send({ method: 'PUT', url, effect: 'write', body: { content: 'x' } })).status).toBe(201)
    expect(await readFile(join(root, 'a'), 'utf8')).toBe('x')
  })

  it('does not report files as absent because their root is missing', async () => {
    await rename(root, `${root}-gone`)
    expect(await get('a')).toMatchObject({ status: 409, body: { reason: 'no_root' } })
  })

  it('holds while somebody replaces a folder by a link', async () => {
    await mkdir(join(root, 'busy'))
    const openFiles = async () => (await readdir('/proc/self/fd')).length
    const before = await openFiles()
    let done = false
    const busy = join(root, 'busy')
    const swapping = (async () => {
      // Each of these may meet a write that is under way.
      while (!done) {
        await rm(busy, { recursive: true, force: true }).catch(() => undefined)
        await symlink(outside, busy).catch(() => undefined)
        await rm(busy, { recursive: true, force: true }).catch(() => undefined)
        await mkdir(busy).catch(() => undefined)
      }
    })()
    for (let round = 0; round < 150; round += 1)
      await send('PUT', urlOf('busy/planted'), { content: 'x' }).catch(() => undefined)
    done = true
    await swapping
    expect(await readdir(outside)).toEqual(['secret'])
    expect(await openFiles()).toBeLessThan(before + 5)
  })
})

describe('a file that a killed writer left behind', () => {
  const names = async (at: string): Promise<readonly string[]> => (await readdir(at)).sort()
  const put = (name: string) =>
    transport.send({
      method: 'PUT',
      url: pathToFileURL(join(root, name)).href,
      effect: 'write',
      body: { content: 'a' },
    })

  it('is removed by the next write to the folder, and nothing else is removed', async () => {
    const mine = newDraft()
    const dead = mine.replace(`-${process.pid}-`, `-${spawnSync('true').pid}-`)
    const elsewhere = dead.replace(/[0-9a-f]{8}/, '00000000')
    const kept = [mine, elsewhere, '.plumbline-notes', dead.slice(0, -1)]
    for (const name of [dead, ...kept]) await writeFile(join(root, name), 'half')
    await put('f')
    expect(await names(root)).toEqual([...kept, 'f'].sort())
  })

  it('is looked for once in each folder', async () => {
    await put('a/f')
    const left = newDraft().replace(`-${process.pid}-`, `-${spawnSync('true').pid}-`)
    for (const at of ['a', 'b']) {
      await mkdir(join(root, at), { recursive: true })
      await writeFile(join(root, at, left), 'half')
      await put(`${at}/g`)
    }
    expect(await names(join(root, 'a'))).toEqual([left, 'f', 'g'].sort())
    expect(await names(join(root, 'b'))).toEqual(['g'])
  })
})
