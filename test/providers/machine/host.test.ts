import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { namedFiles } from '../../../core/engine/config/files/named-files.ts'
import type { PlannedChange, ProviderInput, ResourceType } from '../../../core/engine/provider/provider.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { host } from '../../../core/providers/machine/machine.ts'
import { describeProvider } from '../../../core/tools/conformance/index.ts'
import { createFileTransport } from '../../../functions/adapters/transport/file/file.ts'
import { anAnswer, aTransport } from '../../builders/values/transports.ts'

const inputOf = (given: JsonObject, rest: Partial<ProviderInput> = {}): ProviderInput => ({
  alias: 'host',
  with: given,
  position: { file: 'plumbline.yaml', line: 3, column: 5 },
  files: namedFiles({ files: { 'files/app.ini': 'a=1\n' } }),
  ...rest,
})

const typeIn = (root: string): ResourceType => {
  const configured = host.configure(inputOf({ root }))
  const type = configured.ok ? configured.provider.types['host_file'] : undefined
  return type ?? expect.unreachable()
}

const declarations: Record<string, readonly [JsonObject, ...JsonObject[]]> = {
  text: [
    { path: 'motd', content: 'hello\n' },
    { path: './motd', content: 'grüß "dich"\n', mode: '600' },
    { path: 'motd', mode: '0644' },
    { path: 'motd', content: null },
  ],
  'source, in folders that are missing': [{ path: 'etc/app.d/app.ini', source: './files/app.ini', mode: 640 }],
  bytes: [
    { path: 'key', contentBase64: '/wD+' },
    { path: 'key', contentBase64: '/wD/' },
    { path: 'key', content: 'text' },
  ],
  'a name that needs care': [
    { path: 'a b%2F#?ß&"', content: '' },
    { path: 'a b%2F#?ß&"', content: '$1 {after:x:/y}' },
  ],
}

for (const [name, declared] of Object.entries(declarations)) {
  describeProvider(
    `host_file, ${name}`,
    async () => {
      const root = await mkdtemp(join(tmpdir(), 'plumbline-host-'))
      return {
        type: typeIn(root),
        transport: createFileTransport({ roots: [root] }),
        declared,
        end: () => rm(root, { recursive: true }),
      }
    },
    { describe, it },
  )
}

describe('host: configure', () => {
  it.each<[JsonObject, Partial<ProviderInput>, string]>([
    [{ root: '/srv/app/' }, {}, '/srv/app'],
    [{ root: '/srv//app/./x' }, {}, '/srv/app/x'],
    [{ root: './machine' }, { folder: '/work/acme' }, '/work/acme/machine'],
    [{ root: '../a b' }, { folder: '/work/acme' }, '/work/a b'],
    [{ root: '/' }, {}, '/'],
  ])('accepts %j as the root %s', (given, rest, root) => {
    expect(host.configure(inputOf(given, rest))).toMatchObject({ ok: true, provider: { fileRoots: [root] } })
  })

  it.each<[JsonObject, string]>([
    [{}, 'provider host has no root'],
    [{ root: '' }, 'provider host has no root'],
    [{ root: { $secret: 'env:ROOT' } }, 'provider host has no root'],
    [{ root: './machine' }, 'the root of provider host is relative'],
    [{ root: '/srv', rot: '/x' }, 'unknown setting'],
  ])('refuses %j at its place', (given, message) => {
    expect(host.configure(inputOf(given))).toMatchObject({
      ok: false,
      issues: [{ file: 'plumbline.yaml', line: 3, message: expect.stringContaining(message) }],
    })
  })
})

describe('host_file: prepare', () => {
  const prepare = (written: JsonObject) => typeIn('/srv/app').prepare?.(written)

  it.each<[JsonObject, JsonObject]>([
    [{ path: './etc//motd' }, { path: 'etc/motd' }],
    [{ path: '/srv/app/etc/motd' }, { path: 'etc/motd' }],
    [{ path: '..motd/...' }, { path: '..motd/...' }],
    [
      { path: 'a', source: './files/app.ini' },
      { path: 'a', content: 'a=1\n' },
    ],
    [
      { path: 'a', contentBase64: 'YQ==' },
      { path: 'a', content: 'a' },
    ],
    [
      { path: 'a', contentBase64: '/w' },
      { path: 'a', contentBase64: '/w==' },
    ],
    [
      { path: 'a', content: { $secret: 'env:KEY' } },
      { path: 'a', content: { $secret: 'env:KEY' } },
    ],
    ...(['644', '0644', '0o644', 644] as const).map((mode): [JsonObject, JsonObject] => [{ mode }, { mode: '0644' }]),
    [{ mode: '4755' }, { mode: '4755' }],
    [
      { path: 'a', colour: 'red' },
      { path: 'a', colour: 'red' },
    ],
  ])('spells %j as %j', (written, attributes) => {
    expect(prepare(written)).toEqual({ ok: true, attributes })
  })

  it.each<[JsonObject, string]>([
    [{ path: '../etc/passwd' }, 'path'],
    [{ path: 'a/../b' }, 'path'],
    [{ path: '/etc/passwd' }, 'path'],
    [{ path: '/srv/application/x' }, 'path'],
    [{ path: '.' }, 'path'],
    [{ path: '' }, 'path'],
    [{ path: 'folder/' }, 'path'],
    [{ path: 'a\0b' }, 'path'],
    [{ content: 'a', source: 'files/app.ini' }, 'source'],
    [{ source: 'files/gone.ini' }, 'source'],
    [{ source: '../secret' }, 'source'],
    [{ source: { $secret: 'env:X' } }, 'source'],
    [{ contentBase64: '***' }, 'contentBase64'],
    ...([420, 493, '0999', 'rw-r--r--', 7, '00644x'] as Json[]).map((mode): [JsonObject, string] => [{ mode }, 'mode']),
  ])('reports a problem of %j', (written, member) => {
    expect(prepare(written)).toMatchObject({ ok: false, problems: [{ path: [member] }] })
  })

  it('reports all problems at once', () => {
    expect(prepare({ path: '..', source: 'gone', mode: 9 })).toMatchObject({ problems: [{}, {}, {}] })
  })
})

describe('host_file: read', () => {
  const read = (attributes: JsonObject, ...answers: Parameters<typeof aTransport>) =>
    typeIn('/srv/app').read({ address: 'host_file.a', attributes }, { transport: aTransport(...answers) })
  const file = anAnswer(200, { content: 'x', mode: '0600' }, { etag: '"e"' })

  it('asks for the file by its own URL', async () => {
    const transport = aTransport(file)
    await typeIn('/srv/app').read({ address: 'a', attributes: { path: 'a b#?%/c' } }, { transport })
    expect(transport.sent).toEqual([{ method: 'GET', url: 'file:///srv/app/a%20b%23%3F%25/c', effect: 'read' }])
  })

  it.each<[string, JsonObject, Parameters<typeof aTransport>[0], object]>([
    ['a folder', { path: 'a' }, anAnswer(409, { reason: 'unsupported', detail: 'no file' }), { reason: 'unsupported' }],
    [
      'a missing root',
      { path: 'a' },
      anAnswer(409, { reason: 'no_root', detail: 'gone' }),
      { reason: 'unsupported', detail: 'gone' },
    ],
    [
      'a link that leads out',
      { path: 'a' },
      anAnswer(403, { reason: 'outside_root', detail: 'x' }),
      { reason: 'outside_root' },
    ],
    ['no permission', { path: 'a' }, anAnswer(403, { detail: 'EACCES' }), { reason: 'forbidden', detail: 'EACCES' }],
    ['a path outside', { path: '../a' }, file, { reason: 'outside_root' }],
    ['a path that is not known yet', { path: { $after: 'x.y', pointer: '/p' } }, file, { reason: 'unresolved' }],
    ['an answer without content', { path: 'a' }, anAnswer(200, { mode: '0644' }), { reason: 'bad_body' }],
  ])('reports an unknown file at %s', async (_, attributes, answer, expected) => {
    expect(await read(attributes, answer)).toMatchObject({ kind: 'unknown', ...expected })
  })

  it('ignores the content where only the mode is declared', async () => {
    expect(await read({ path: 'a', mode: '0600' }, file)).toMatchObject({ attributes: { path: 'a', mode: '0600' } })
    expect(await read({ path: 'a', mode: '0600' }, file)).not.toHaveProperty('attributes.content')
  })

  it('stores no ETag of a secret file, which would be a plain digest of the secret', async () => {
    expect(await read({ path: 'a', content: 'x' }, file)).toHaveProperty('version', '"e"')
    for (const content of [
      { $secret: 'env:K' },
      { $sealed: 'hmac-sha256:0' },
      { $concat: ['a', { $secret: 'env:K' }] },
    ]) {
      expect(await read({ path: 'a', content }, file)).not.toHaveProperty('version')
    }
  })
})

describe('host_file: the commands', () => {
  const change = (rest: Partial<PlannedChange>): PlannedChange => ({
    address: 'host_file.a',
    action: 'update',
    desired: { path: 'a', content: 'new' },
    before: { path: 'a', content: 'old', mode: '0600' },
    after: { path: 'a', content: 'new', mode: '0600' },
    diff: { kind: 'value', action: 'update' },
    changed: [['content']],
    ...rest,
  })
  const sealed = { path: 'a', content: { $sealed: 'hmac-sha256:0' }, mode: '0600' }
  const secret = { path: 'a', content: { $secret: 'env:K' } }

  it.each<[string, Partial<PlannedChange>, object]>([
    [
      'a create',
      { action: 'create', before: null },
      {
        request: { method: 'PUT', body: { content: 'new', mode: '0644' }, headers: { 'if-none-match': '*' } },
        grade: 'reversible',
        inverse: { method: 'DELETE' },
      },
    ],
    [
      'a create of a mode only',
      { action: 'create', before: null, desired: { path: 'a', mode: '0600' } },
      { request: { body: { content: '', mode: '0600' } } },
    ],
    [
      'an update keeps the mode',
      { version: '"e"' },
      {
        request: { method: 'PUT', body: { content: 'new', mode: '0600' } },
        grade: 'reversible',
        inverse: { method: 'PUT', body: { content: 'old', mode: '0600' } },
        precondition: { kind: 'etag', etag: '"e"' },
      },
    ],
    [
      'a change of the mode',
      { desired: { path: 'a', mode: '0644' }, changed: [['mode']] },
      {
        request: { method: 'PATCH', body: { mode: '0644' } },
        inverse: { method: 'PATCH', body: { mode: '0600' } },
        grade: 'reversible',
      },
    ],
    ['a secret content', { desired: secret }, { request: { body: { content: { $secret: 'env:K' }, mode: '0600' } } }],
    [
      'a delete',
      { action: 'delete', after: null },
      {
        request: { method: 'DELETE' },
        success: [204, 404],
        grade: 'reversible',
        inverse: { method: 'PUT', body: { content: 'old', mode: '0600' } },
      },
    ],
  ])('are the requests that the change needs: %s', (_, rest, expected) => {
    expect(typeIn('/srv').commands(change(rest))).toMatchObject([expected])
  })

  it.each<[string, Partial<PlannedChange>, string]>([
    ['an update of', { before: sealed, desired: secret }, 'lossy'],
    ['a delete of', { action: 'delete', before: sealed, after: null }, 'irreversible'],
  ])('cannot be undone for a secret: %s', (_, rest, grade) => {
    const [draft] = typeIn('/srv').commands(change(rest))
    expect(draft).toMatchObject({ grade })
    expect(draft).not.toHaveProperty('inverse')
    expect(JSON.stringify(draft)).not.toContain('$sealed')
  })
})
