import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { PlannedRequest } from '../../../core/engine/schema/command.ts'
import type { Json } from '../../../core/engine/schema/json.ts'
import { toCurl } from '../../../core/engine/transport/curl/curl.ts'
import { lawRuns } from '../../builders/laws.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-curl-'))
afterAll(() => rmSync(folder, { recursive: true }))

const sh = (script: string, env: Record<string, string> = {}): string =>
  execFileSync('sh', ['-c', script], {
    encoding: 'utf8',
    stdio: 'pipe',
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })

/** The arguments that curl would get, by a shell that has a function in its place. */
const argumentsOf = (request: PlannedRequest, env: Record<string, string> = {}, stubs = ''): readonly string[] =>
  sh(`curl() { printf '%s\\0' "$@"; }\n${stubs}\n${toCurl(request)}`, env)
    .split('\0')
    .slice(0, -1)

const put = (over: Partial<PlannedRequest> = {}): PlannedRequest => ({
  method: 'PUT',
  url: 'http://h/x',
  effect: 'write',
  headers: { 'content-type': 'application/json' },
  ...over,
})

const argumentAfter = (args: readonly string[], option: string): string | undefined => args[args.indexOf(option) + 1]
const bodyOf = (body: Json, env: Record<string, string> = {}): unknown =>
  JSON.parse(argumentAfter(argumentsOf(put({ body }), env), '--data-raw') ?? '')

describe('a command line for curl', () => {
  it('sends the exact body, whatever it holds', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }).filter((value) => value.isWellFormed()),
      fc.stringMatching(/^["'\\$`!\n;&|<>(){}*?~# ]{0,12}$/),
    )
    const value = fc.oneof(text, fc.dictionary(text, fc.oneof(text, fc.integer(), fc.constant(null)), { maxKeys: 3 }))
    const bodies = fc.array(value, { minLength: 1, maxLength: 6 })
    return fc.assert(
      // JSON.parse gives `__proto__` back as a member of its own; the comparison would trip over it.
      fc.property(
        bodies.filter((all) => !JSON.stringify(all).includes('__proto__') && !/"\$\w+":/.test(JSON.stringify(all))),
        (body) => {
          expect(bodyOf(body as Json)).toEqual(JSON.parse(JSON.stringify(body)))
        },
      ),
      lawRuns(60),
    )
  })

  it('shows every character of a body, and still sends the same', () => {
    const part = fc.constantFrom(
      '\r',
      '\u001b[2J',
      '\u0085',
      '\u009b',
      '\u202e',
      '\u2066',
      '\u200b',
      '\ufeff',
      'a',
      "'",
      '"',
      '\\',
      ' ',
      '%',
      '0',
    )
    return fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
        const text = parts.join('')
        const request = put({ body: { content: text }, url: `http://h/${text.replaceAll(/\s/g, '')}` })
        expect(toCurl(request)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        const args = argumentsOf(request)
        expect(JSON.parse(argumentAfter(args, '--data-raw') ?? '')).toEqual({ content: text })
        expect(args.at(-1)).toBe(request.url)
      }),
      lawRuns(60),
    )
  })

  it.each<[string, Partial<PlannedRequest>]>([
    ['a line feed in a method', { method: 'PUT\ntouch x' }],
    ['a line feed in a header', { headers: { a: 'b\r\nc: d' } }],
    ['a file for a header', { headers: { '@/etc/passwd': 'x' } }],
    ['a NUL and a line feed', { url: 'http://h/\n\0touch x' }],
    ['an option for a mode', { method: 'PATCH', url: 'file:///a', body: { mode: '--reference=/etc/shadow' } }],
  ])('makes %s a comment of one line', (_name, over) => {
    expect(toCurl(put(over))).toMatch(/^# [\x20-\x7e]*$/)
  })

  it('has the exact URL, method and headers', () => {
    const url = "http://h/a'b/$(id)/`x`?q=[1]&r={a,b}&s=%2F"
    const args = argumentsOf(put({ url, headers: { 'x-note': `it's "$HOME" \\`, 'x-empty': '' } }))
    expect(args).toEqual([
      '-sS',
      '--fail-with-body',
      '-g',
      '-X',
      'PUT',
      '-H',
      `x-note: it's "$HOME" \\`,
      '-H',
      'x-empty;',
      url,
    ])
  })

  it('gives a body without a media type the type of JSON, and adds no type without a body', () => {
    expect(argumentsOf(put({ headers: {}, body: {} }))).toContain('content-type: application/json')
    expect(argumentsOf(put({ headers: {} }))).not.toContain('-H')
  })

  it('sends text unchanged where the media type is not JSON', () => {
    const args = argumentsOf(put({ headers: { 'Content-Type': 'text/plain' }, body: '@/etc/passwd' }))
    expect(argumentAfter(args, '--data-raw')).toBe('@/etc/passwd')
  })

  it('does not let curl shorten the path', () => {
    expect(argumentsOf(put({ url: 'http://h/a/../b' }))).toContain('--path-as-is')
  })
})

describe('secrets in a command line', () => {
  const secret = "p\"w\\d $(x) `y`'z' !\n2nd line"
  const env = { TOKEN: secret, USER_NAME: 'al"ice' }

  it.each<readonly [string, PlannedRequest['auth'], string, string]>([
    [
      'header',
      { kind: 'header', name: 'authorization', template: 'Bearer {secret}', secret: { $secret: 'env:TOKEN' } },
      '-H',
      `authorization: Bearer ${secret}`,
    ],
    ['basic', { kind: 'basic', user: "o'k", password: { $secret: 'env:TOKEN' } }, '--user', `o'k:${secret}`],
    [
      'basic user',
      { kind: 'basic', user: { $secret: 'env:USER_NAME' }, password: { $secret: 'env:TOKEN' } },
      '--user',
      `al"ice:${secret}`,
    ],
    ['query', { kind: 'query', name: 'key', secret: { $secret: 'env:TOKEN' } }, '--url-query', `key=${secret}`],
  ])('are read from the environment: %s', (_, auth, option, expected) => {
    const request = put({ headers: {}, ...(auth === undefined ? {} : { auth }) })
    expect(argumentAfter(argumentsOf(request, env), option)).toBe(expected)
    expect(toCurl(request)).not.toContain('2nd line')
  })

  const token = { kind: 'login', method: 'POST', url: 'https://h/in', token: { pointer: '/t' } } as const
  it.each<readonly [string, PlannedRequest['auth'], string, string]>([
    [
      'a header',
      { ...token, send: { in: 'header', name: 'x-auth', template: 'T {token}!' } },
      '-H',
      'x-auth: T it is!',
    ],
    ['a cookie', { ...token, send: { in: 'cookie', name: 'sid', template: '{token}' } }, '-H', 'cookie: sid=it is'],
    ['the URL', { ...token, send: { in: 'query', name: 'k', template: '{token}' } }, '--url-query', 'k=it is'],
  ])('are requested for a token that a sign-in answers, and stand in %s', (_, auth, option, expected) => {
    const request = put({ headers: {}, ...(auth === undefined ? {} : { auth }) })
    expect(argumentAfter(argumentsOf(request, { token: 'it is' }), option)).toBe(expected)
    expect(() => sh(toCurl(request), {})).toThrow(/POST https:..h.in/)
  })

  it('can be of several kinds at once', () => {
    const also = [{ token: { pointer: '/c' }, send: { in: 'header', name: 'x-csrf', template: '{token}' } }] as const
    const basic = { user: 'me', password: { $secret: 'env:TOKEN' } } as const
    const send = { in: 'cookie', name: 'sid', template: '{token}' } as const
    const request = put({ headers: {}, auth: { ...token, basic, always: true, send, also } })
    const args = argumentsOf(request, { ...env, token: 'one', token_x_csrf: 'two' })
    expect(args).toEqual(expect.arrayContaining([`me:${secret}`, 'cookie: sid=one', 'x-csrf: two']))
  })

  it('of AWS let curl sign the request', () => {
    const keys = { accessKeyId: 'AKID', secretAccessKey: { $secret: 'env:TOKEN' } }
    const args = argumentsOf(
      put({
        auth: { kind: 'sigv4', region: 'r', service: 's', ...keys, sessionToken: { $secret: 'env:USER_NAME' } },
      }),
      env,
    )
    expect(argumentAfter(args, '--aws-sigv4')).toBe('aws:amz:r:s')
    expect(argumentAfter(args, '--user')).toBe(`AKID:${secret}`)
    expect(args).toContain('x-amz-security-token: al"ice')
  })

  it('are form fields where the media type says so', () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const body = { user: 'a&b', password: { $secret: 'env:TOKEN' }, tag: ['x', 1], none: null }
    const args = argumentsOf(put({ headers, body }), env)
    const fields = args.filter((_, n) => args[n - 1] === '--data-urlencode')
    expect(fields).toEqual(['user=a&b', `password=${secret}`, 'tag=x', 'tag=1', 'none='])
  })

  it('are spelled as JSON inside a body', () => {
    expect(
      bodyOf(
        { a: { $secret: 'env:TOKEN', digest: 'hmac-sha256:1' }, b: { $concat: ['x"', { $secret: 'env:TOKEN' }] } },
        env,
      ),
    ).toEqual({
      a: secret,
      b: `x"${secret}`,
    })
  })

  it('never show their digest', () => {
    expect(
      toCurl(put({ body: { a: { $secret: 'env:T', digest: 'hmac-sha256:abc' }, b: { $sealed: 'hmac-sha256:abc' } } })),
    ).not.toContain('abc')
  })

  it('are read from files', () => {
    const file = join(folder, "se'cret")
    writeFileSync(file, 'from file')
    expect(bodyOf({ a: { $secret: `file:${file}` } })).toEqual({ a: 'from file' })
  })

  it('are read with the command of AWS', () => {
    const stubs = `aws() { printf '%s,' "$@"; }`
    const body = [{ $secret: 'ssm:/a b' }, { $secret: 'secretsmanager:id' }]
    expect(JSON.parse(argumentAfter(argumentsOf(put({ body }), {}, stubs), '--data-raw') ?? '')).toEqual([
      'ssm,get-parameter,--with-decryption,--name,/a b,--query,Parameter.Value,--output,text,',
      'secretsmanager,get-secret-value,--secret-id,id,--query,SecretString,--output,text,',
    ])
  })

  it('can be a member of a JSON secret', () => {
    const stubs = `jq() { printf '%s,' "$@"; }`
    const args = argumentsOf(put({ body: { $secret: "env:TOKEN#o'k" } }), env, stubs)
    expect(argumentAfter(args, '--data-raw')).toBe('"-r,--arg,key,o\'k,.[$key],"')
  })
})

describe('values that are not known yet', () => {
  const later = put({
    url: ['http://h/', { $after: 'a_b.c', pointer: '/id' }, '/x'],
    body: { v: { $after: 'a_b.c', pointer: '/n' }, l: { $secret: 'live:a_b.c#/hash' } },
  })

  it('stop the command line until somebody sets them', () => {
    expect(() => sh(toCurl(later), {})).toThrow(/a_b\.c/)
  })

  it('are read from variables', () => {
    const args = argumentsOf(later, { after_a_b_c_id: '42', after_a_b_c_n: '7', live_a_b_c_hash: '{"h":1}' })
    expect(args.at(-1)).toBe('http://h/42/x')
    expect(JSON.parse(argumentAfter(args, '--data-raw') ?? '')).toEqual({ v: 7, l: { h: 1 } })
  })
})

it.each([
  [{ '/address': '192.0.2.1' }, [], ' /address = "192.0.2.1"'],
  [
    { '/a': { b: [1, null, true] }, '/c': { $number: '12345678901234567890' } },
    ['/id', '/at'],
    ' /a = {"b": [1, null, true]}, /c = 12345678901234567890, and without /id, /at',
  ],
  [{ '/key': { $secret: 'env:TOKEN' } }, [], ' /key = (the secret env:TOKEN)'],
  [
    { '/t': 'a}b" $HOME `id` $(id) \\ ! é\n' },
    [],
    String.raw` /t = "a}b\" \u0024HOME \u0060id\u0060 \u0024(id) \\ \u0021 \u00e9\n"`,
  ],
] as const)('the request for a whole object says what is laid into it: %j', (laid, without, said) => {
  const body = { $live: 'a_b.c#main', except: [], without: [...without], with: laid } as Json
  for (const shell of ['sh', 'bash']) {
    const { stderr } = spawnSync(shell, ['-c', toCurl(put({ body }))], { encoding: 'utf8' })
    expect(stderr.trim()).toMatch(/live_a_b_c_main: set it to the JSON of a_b.c#main as it is, with new values:/)
    expect(stderr.trim().endsWith(said)).toBe(true)
  }
})

it('an object that is written back is read whole first', () => {
  const body = { $live: 'a_b.c#main', except: [], without: [], with: { '/n': 1 } }
  expect(() => sh(toCurl(put({ body })), {})).toThrow(/with new values: \/n = 1/)
  const args = argumentsOf(put({ body }), { live_a_b_c_main: '{"n":1,"m":2}' })
  expect(JSON.parse(argumentAfter(args, '--data-raw') ?? '')).toEqual({ n: 1, m: 2 })
})

describe('file operations', () => {
  const path = join(folder, "it's a file")
  const file = (method: string, body?: Json, headers?: Record<string, string>): PlannedRequest => ({
    method,
    url: `file://${encodeURI(path)}`,
    effect: 'write',
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  })

  it('write content and mode, change them, and remove the file', () => {
    const content = 'a\n\'b\' "$c" %s \\n\n'
    sh(toCurl(file('PUT', { content, mode: '0600' }, { 'if-none-match': '*' })))
    expect(readFileSync(path, 'utf8')).toBe(content)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(() => sh(toCurl(file('PUT', { content: 'x', mode: '0600' }, { 'if-none-match': '*' })))).toThrow()
    sh(toCurl(file('PATCH', { mode: '0644' })))
    expect(statSync(path).mode & 0o777).toBe(0o644)
    sh(toCurl(file('PUT', { contentBase64: 'AP8=' })))
    expect(readFileSync(path)).toEqual(Buffer.from([0, 255]))
    expect(sh(toCurl(file('PUT', { content: { $secret: 'env:S' } })), { S: 'top' })).toBe('')
    expect(sh(toCurl(file('GET')))).toBe('top')
    sh(toCurl(file('DELETE')))
    expect(() => statSync(path)).toThrow()
  })

  it.each([
    ['an unknown method', file('POST', {})],
    ['no content', file('PUT', {})],
    ['a NUL', file('PUT', { content: 'a\0b' })],
    ['no URL', { ...file('GET'), url: 'file:///%zz' }],
    ['a NUL in a header', put({ headers: { a: '\0' } })],
  ])('are only a comment for %s', (_, request) => {
    expect(toCurl(request)).toMatch(/^# .*$/)
    expect(sh(toCurl(request))).toBe('')
  })
})
