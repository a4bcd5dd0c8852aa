import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../../core/engine/schema/json.ts'
import { createFileTransport } from '../../../functions/adapters/transport/file/file.ts'
import { temporaryFolder } from '../../builders/workspaces/workspace.ts'

let folder: ReturnType<typeof temporaryFolder>
let root: string
beforeEach(() => {
  folder = temporaryFolder()
  root = join(folder.path, 'root')
  mkdirSync(root)
  mkdirSync(join(folder.path, 'outside'))
})
afterEach(() => folder.remove())

const at = (path: string): string => join(root, path)
const send = (method: string, path: string, body?: Json, headers: Record<string, string> = {}, mayLeave = () => true) =>
  createFileTransport({ roots: [root], maxBytes: 1_000 }).send({
    method,
    url: `file://${at(path)}`,
    effect: method === 'GET' ? 'read' : 'write',
    headers,
    ...(body === undefined ? {} : { body }),
    ...{ mayLeave },
  })
const edit = (to: string | null, rest: object = {}) => ({
  edit: { kind: 'line', of: { startsWith: 'b', exact: false }, to, ...rest },
})

describe('an edit of a file', () => {
  it('keeps the mode of the file and everything else in it', async () => {
    writeFileSync(at('a'), 'a\r\nb1\r\nc')
    chmodSync(at('a'), 0o640)
    expect((await send('PATCH', 'a', edit('b2'))).status).toBe(204)
    expect(readFileSync(at('a'), 'utf8')).toBe('a\r\nb2\r\nc')
    expect(statSync(at('a')).mode & 0o777).toBe(0o640)
  })

  it('creates a missing file with its folders and the given mode', async () => {
    expect((await send('PATCH', 'x/y/a', { ...edit('b'), mode: '0600' })).status).toBe(201)
    expect(readFileSync(at('x/y/a'), 'utf8')).toBe('b\n')
    expect(statSync(at('x/y/a')).mode & 0o777).toBe(0o600)
  })

  it('removes nothing from a missing file, and creates no folder for that', async () => {
    expect((await send('PATCH', 'x/y/a', edit(null))).status).toBe(404)
    expect((await send('PATCH', 'a', edit(null))).status).toBe(404)
    expect(readdirSync(root)).toEqual([])
  })

  it('writes nothing where the file is as desired already', async () => {
    writeFileSync(at('a'), 'b\n')
    const { ino } = statSync(at('a'))
    expect((await send('PATCH', 'a', edit('b'))).status).toBe(204)
    expect(statSync(at('a')).ino).toBe(ino)
  })

  it.each<[string, () => void, Json, number]>([
    ['is not as it was', () => writeFileSync(at('a'), 'b1\n'), edit('b2', { was: 'b0' }), 412],
    ['is not clear', () => writeFileSync(at('a'), 'b1\nb2\n'), edit('b3'), 409],
    ['is in no text', () => writeFileSync(at('a'), Buffer.from([0xff])), edit('b'), 409],
    ['is behind a link', () => symlinkSync(at('b'), at('a')), edit('b'), 409],
    ['is in a folder', () => mkdirSync(at('a')), edit('b'), 409],
    ['cannot be a line', () => writeFileSync(at('a'), 'b1\n'), edit('b\n'), 400],
    ['is of no kind', () => writeFileSync(at('a'), 'b1\n'), { edit: { kind: 'sed', of: {}, to: 'x' } }, 400],
    ['has no mode', () => {}, { ...edit('b'), mode: '9' }, 400],
  ])('that %s changes nothing', async (_, prepare, body, status) => {
    prepare()
    const before = existsSync(at('a')) && lstatSync(at('a')).isFile() ? readFileSync(at('a')) : undefined
    expect((await send('PATCH', 'a', body)).status).toBe(status)
    if (before !== undefined) expect(readFileSync(at('a'))).toEqual(before)
    expect(existsSync(at('b'))).toBe(false)
    expect(readdirSync(root).filter((name) => name.startsWith('.plumbline'))).toEqual([])
  })

  it('notices a file that another program writes right before the own write', async () => {
    writeFileSync(at('a'), 'b1\n')
    const meanwhile = () => {
      writeFileSync(at('a'), 'b1\nc\n')
      return true
    }
    expect(await send('PATCH', 'a', edit('b2'), {}, meanwhile)).toMatchObject({ status: 412 })
    expect(readFileSync(at('a'), 'utf8')).toBe('b1\nc\n')
    expect((await send('PATCH', 'a', edit('b2'))).status).toBe(204)
    expect(readFileSync(at('a'), 'utf8')).toBe('b2\nc\n')
  })

  it('writes nothing without permission', async () => {
    writeFileSync(at('a'), 'b1\n')
    const sent = send('PATCH', 'a', edit('b2'), {}, () => false)
    await expect(sent).rejects.toMatchObject({ payload: { reason: 'unsent' } })
    expect(readFileSync(at('a'), 'utf8')).toBe('b1\n')
  })
})

const folderType = { accept: 'inode/directory', 'content-type': 'inode/directory' }
const linkType = { accept: 'inode/symlink', 'content-type': 'inode/symlink' }

describe('folders and links', () => {
  it('a folder is created, read, changed and removed', async () => {
    expect((await send('GET', 'd', undefined, folderType)).status).toBe(404)
    expect((await send('PUT', 'd', { mode: '1777' }, folderType)).status).toBe(201)
    expect(statSync(at('d')).mode & 0o7777).toBe(0o1777)
    expect(await send('GET', 'd', undefined, folderType)).toMatchObject({ status: 200, body: { mode: '1777' } })
    expect((await send('PUT', 'd', { mode: '0700' }, { ...folderType, 'if-none-match': '*' })).status).toBe(412)
    expect((await send('PUT', 'd', { mode: '0700' }, folderType)).status).toBe(204)
    writeFileSync(at('d/a'), '')
    expect(await send('DELETE', 'd', undefined, folderType)).toMatchObject({ status: 409 })
    expect(existsSync(at('d/a'))).toBe(true)
  })

  it('a link is created, read, changed and removed, wherever it leads', async () => {
    expect((await send('GET', 'l', undefined, linkType)).status).toBe(404)
    expect((await send('PUT', 'l', { target: '/etc/passwd' }, linkType)).status).toBe(201)
    const { headers, body } = await send('GET', 'l', undefined, linkType)
    expect(body).toEqual({ target: '/etc/passwd' })
    expect((await send('PUT', 'l', { target: 'x' }, { ...linkType, 'if-match': '"other"' })).status).toBe(412)
    expect((await send('PUT', 'l', { target: 'x' }, { ...linkType, 'if-match': headers['etag'] ?? '' })).status).toBe(
      204,
    )
    expect(readlinkSync(at('l'))).toBe('x')
    expect((await send('DELETE', 'l', undefined, linkType)).status).toBe(204)
    expect((await send('DELETE', 'l', undefined, linkType)).status).toBe(404)
    expect(readdirSync(root)).toEqual([])
  })

  it.each<[string, string, Record<string, string>]>([
    ['a regular file', 'file', folderType],
    ['a regular file', 'file', linkType],
    ['a link', 'link', folderType],
    ['a folder', 'dir', linkType],
  ])('%s (%s) is reported as another kind, and stays', async (title, name, headers) => {
    writeFileSync(at('file'), 'x')
    symlinkSync(join(folder.path, 'outside'), at('link'))
    mkdirSync(at('dir'))
    const detail = `it is ${title} where ${headers === folderType ? 'a folder' : 'a link'} was expected`
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { mode: '0700', target: 'x' }],
      ['DELETE', undefined],
    ] as const)
      expect(await send(method, name, body, headers)).toMatchObject({ status: 409, body: { detail } })
    expect(readdirSync(root)).toHaveLength(3)
  })

  it.each([
    ['PUT', { mode: 'rwx' }, folderType, 400],
    ['POST', { mode: '0700' }, folderType, 404],
    ['PUT', {}, linkType, 400],
    ['PUT', { target: 'a\0b' }, linkType, 400],
    ['PUT', { target: '' }, linkType, 404],
  ] as const)('%s %j is refused', async (method, body, headers, status) => {
    expect((await send(method, 'x', body, headers)).status).toBe(status)
    expect(readdirSync(root)).toEqual([])
  })

  it('nothing leads out of the root', async () => {
    symlinkSync(join(folder.path, 'outside'), at('out'))
    for (const headers of [folderType, linkType]) {
      expect((await send('PUT', 'out/x', { mode: '0700', target: 'x' }, headers)).status).toBe(403)
      expect((await send('PUT', '../outside/x', { mode: '0700', target: 'x' }, headers)).status).toBe(403)
    }
    expect((await send('PATCH', 'out/x', edit('b'))).status).toBe(403)
    expect(readdirSync(join(folder.path, 'outside'))).toEqual([])
  })
})
