import { execFile } from 'node:child_process'
import type { RequestListener } from 'node:http'
import { inspect, promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../core/engine/errors/errors.ts'
import type { Request } from '../../../core/engine/schema/command.ts'
import type { Json } from '../../../core/engine/schema/json.ts'
import { createRedactor, redacted } from '../../../core/engine/transport/redaction/redact.ts'
import type { WireRequest } from '../../../core/engine/transport/transport.ts'
import type { HttpOptions } from '../../../functions/adapters/transport/http/http.ts'
import { createHttpTransport } from '../../../functions/adapters/transport/http/http.ts'
import { long } from '../../builders/long.ts'
import { aLoopback } from '../../builders/servers/loopback.ts'
import { aGet, aWrite } from '../../builders/values/transports.ts'

const ask = async (listener: RequestListener, request: Partial<WireRequest> = {}, options: HttpOptions = {}) => {
  await using server = await aLoopback(listener)
  const answer = await createHttpTransport(options)
    .send({ ...aGet(`${server.url}/things`), ...request })
    .catch((error: AppError) => error)
  return { answer, seen: server.seen }
}
const json =
  (body: string, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'X-Mixed': 'Case' }).end(body)

const drip: RequestListener = (_, response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write('.'), 20)
  response.on('close', () => clearInterval(timer))
}
const flood: RequestListener = (_, response) => {
  const more = () => response.destroyed || response.write('x'.repeat(200), () => setImmediate(more))
  more()
}

describe('createHttpTransport: answers', () => {
  it.each<[string, RequestListener, unknown]>([
    ['JSON', json('{"a":[1,null]}'), { a: [1, null] }],
    ['JSON of a vendor', (_, r) => r.writeHead(200, { 'content-type': 'application/problem+json' }).end('{}'), {}],
    ['JSON with a byte order mark', json('\uFEFF1'), 1],
    ['text', (_, r) => r.writeHead(200, { 'content-type': 'text/plain' }).end('{"a":1}'), '{"a":1}'],
    ['no media type', (_, r) => r.writeHead(200).end('x'), 'x'],
    ['an empty body', json(''), null],
    ['no content', (_, r) => r.writeHead(204).end(), null],
    [
      'gzip',
      (_, r) =>
        r.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync('[7]')),
      [7],
    ],
    [
      'exact numbers',
      json('[9007199254740993,9007199254740992,-12345678901234567890,1e400,0.1234567890123456,9007199254740991]'),
      ['9007199254740993', '9007199254740992', '-12345678901234567890', '1e400', 0.1234567890123456, 9007199254740991],
    ],
  ])('decodes %s', async (_, listener, body) => {
    expect((await ask(listener)).answer).toMatchObject({ body })
  })

  it('keeps the spelling of a number that JavaScript would spell in another way', async () => {
    const text = '{"id":9007199254740993,"exact":9007199254740992,"list":[1,1.50,{"a/b":1e3}],"same":1.5,"text":"1.0,"}'
    expect((await ask(json(text))).answer).toMatchObject({
      body: { id: '9007199254740993', exact: '9007199254740992', list: [1, 1.5, { 'a/b': 1000 }], same: 1.5 },
      numbers: { '/id': '9007199254740993', '/exact': '9007199254740992', '/list/1': '1.50', '/list/2/a~1b': '1e3' },
    })
    expect((await ask(json('{"a":1.5}'))).answer).not.toHaveProperty('numbers')
  })

  it('gives the fields after a body to the right request', async () => {
    await using server = await aLoopback((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', trailer: 'ETag' })
      response.write('[1]')
      response.addTrailers({ ETag: `"${request.url}"` })
      response.end()
    })
    const transport = createHttpTransport()
    const paths = ['/a', '/b', '/c', '/d']
    const answers = await Promise.all(
      paths.map((path) => transport.send({ method: 'GET', effect: 'read', url: `${server.url}${path}` })),
    )
    expect(answers.map(({ trailers }) => trailers)).toEqual(paths.map((path) => ({ etag: `"${path}"` })))
  })

  it.each([200, 201, 304, 401, 403, 404, 409, 412, 429, 500, 503, 599, 600, 700, 999])(
    'returns status %i unchanged, with header names in lower case',
    async (status) => {
      expect((await ask(json(status === 304 ? '' : '1', status))).answer).toMatchObject({
        status,
        headers: { 'x-mixed': 'Case' },
      })
    },
  )

  it.each<[string, RequestListener, HttpOptions, object]>([
    ['JSON that is cut off', json('{"a":['), {}, { code: 'RESPONSE_INVALID' }],
    ['a login page that claims to be JSON', json('<html>secret-token</html>'), {}, { code: 'RESPONSE_INVALID' }],
    [
      'a member twice',
      json('{"a":1,"a":2}'),
      {},
      { code: 'RESPONSE_INVALID', payload: { detail: expect.stringContaining('one member twice') } },
    ],
    ['a member twice, far inside', json('{"a":[{"x":{"b":1,"c":":","b":1}}]}'), {}, { code: 'RESPONSE_INVALID' }],
    [
      'bytes that are no UTF-8',
      (_, r) => r.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from([0x22, 0xff, 0x22])),
      {},
      { code: 'RESPONSE_INVALID' },
    ],
    [
      'less than was announced',
      (_, r) => r.writeHead(200, { 'content-length': '100' }).write('abc', () => r.destroy()),
      {},
      { code: 'REQUEST_FAILED', payload: { reason: 'network' } },
    ],
    [
      'a reset in the middle of the body',
      (_, r) => r.writeHead(200, { 'content-type': 'application/json' }).write('[1', () => r.socket?.resetAndDestroy()),
      {},
      { code: 'REQUEST_FAILED', payload: { reason: 'network' } },
    ],
    [
      'a reset before an answer',
      (q) => q.socket.resetAndDestroy(),
      {},
      { code: 'REQUEST_FAILED', payload: { reason: 'network' } },
    ],
    ['no answer', () => undefined, { timeoutMs: 60 }, { code: 'REQUEST_FAILED', payload: { reason: 'timeout' } }],
    ['a slow drip', drip, { timeoutMs: 120 }, { code: 'REQUEST_FAILED', payload: { reason: 'timeout' } }],
    ['a body without end', flood, { maxBodyBytes: 1000 }, { code: 'RESPONSE_TOO_LARGE', payload: { limit: 1000 } }],
    [
      'a small body that unpacks to a large one',
      (_, r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(2_000_000))),
      { maxBodyBytes: 100_000 },
      { code: 'RESPONSE_TOO_LARGE' },
    ],
  ])('rejects %s', async (_, listener, options, expected) => {
    const { answer } = await ask(listener, {}, options)
    expect(answer).toMatchObject(expected)
    expect((answer as AppError).message).not.toContain('secret-token')
  })

  it('keeps all cookies apart', async () => {
    const cookies = ['a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT', 'b=2']
    const { answer } = await ask((_, r) => r.writeHead(204, { 'set-cookie': cookies }).end())
    expect(answer).toMatchObject({ headers: { 'set-cookie': cookies.join('\n') } })
  })

  it.each<[Json, string]>([
    [{ a: { b: 1 } }, 'a'],
    [{ a: [[1]] }, 'a'],
    [['a'], 'the body'],
  ])('sends no form that contains %j', async (body, name) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { answer, seen } = await ask(json('1'), { method: 'POST', effect: 'write', body, headers })
    expect(answer).toMatchObject({ code: 'RESPONSE_INVALID', payload: { detail: expect.stringContaining(name) } })
    expect(seen).toEqual([])
  })

  it('accepts a body of exactly the limit', async () => {
    expect((await ask((_, r) => r.end('x'.repeat(1000)), {}, { maxBodyBytes: 1000 })).answer).toMatchObject({
      status: 200,
    })
  })

  it('names the reason why nobody answers, and says when it was cancelled', async () => {
    const transport = createHttpTransport()
    await expect(transport.send(aGet('http://127.0.0.1:1/'))).rejects.toThrow(/ECONNREFUSED|Error/)
    const cancel = new AbortController()
    await using server = await aLoopback(() => cancel.abort())
    const cancelled = transport.send(aGet(server.url), cancel.signal)
    await expect(cancelled).rejects.toMatchObject({ payload: { reason: 'cancelled' } })
  })

  it.each(['ftp://target.test/', 'nonsense', 'file:///etc/passwd'])('refuses %s', async (url) => {
    await expect(createHttpTransport().send(aGet(url))).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
  })

  it.each(['/a/../b', '/a/%2e%2E/b', '/./a', '/a/..', '/a/.?x=1', '/a/.%2e#x'])(
    'refuses %s, which a URL would lose',
    async (path) => {
      await using server = await aLoopback(json('1'))
      await expect(createHttpTransport().send(aGet(`${server.url}${path}`))).rejects.toMatchObject({
        code: 'RESPONSE_INVALID',
        payload: { detail: expect.stringContaining('segment') },
      })
      expect(server.seen).toEqual([])
    },
  )

  it.each(['/a/...', '/a/..b', '/a/%252e%252e/b', '/a//b', '/a;b:c+d', '/a?x=/../y'])(
    'sends %s unchanged',
    async (path) => {
      await using server = await aLoopback(json('1'))
      await createHttpTransport().send(aGet(`${server.url}${path}`))
      expect(server.seen[0]?.url).toBe(path)
    },
  )

  it('refuses credentials in the URL, and does not repeat them', async () => {
    const error = await createHttpTransport()
      .send(aGet('http://me:hunter2@target.test/'))
      .catch((thrown: AppError) => thrown)
    expect(error).toMatchObject({ code: 'RESPONSE_INVALID' })
    expect(JSON.stringify(error) + String(error)).not.toContain('hunter2')
  })

  it('names a header that cannot be sent without its value', async () => {
    const error = await createHttpTransport()
      .send(aGet('http://127.0.0.1:1/', { headers: { 'x-key': 'hunter2\nx' } }))
      .catch((thrown: AppError) => thrown)
    expect(error).toMatchObject({ code: 'RESPONSE_INVALID', message: expect.stringContaining('x-key') })
    expect(String((error as AppError).stack)).not.toContain('hunter2')
  })
})

describe('createHttpTransport: requests', () => {
  it.each<[string, Partial<Request>, string, string | undefined]>([
    ['JSON', { body: { a: 'ß' } }, '{"a":"ß"}', 'application/json'],
    ['a JSON text', { body: 'x' }, '"x"', 'application/json'],
    ['null', { body: null }, 'null', 'application/json'],
    [
      'text of a named type',
      { body: 'a=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      'a=1',
      'application/x-www-form-urlencoded',
    ],
    ['nothing', {}, '', undefined],
    [
      'a form',
      {
        body: { 'a b': 'x&y=ß', n: 1, yes: true, none: null, list: ['p', 2] },
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      },
      'a+b=x%26y%3D%C3%9F&n=1&yes=true&none=&list=p&list=2',
      'application/x-www-form-urlencoded; charset=utf-8',
    ],
  ])('sends %s', async (_, request, body, type) => {
    await using server = await aLoopback(json('1'))
    await createHttpTransport().send({ ...aWrite('PUT', request), url: `${server.url}/a%2Fb?c=%20` })
    expect(server.seen[0]).toMatchObject({ method: 'PUT', url: '/a%2Fb?c=%20', body })
    expect(server.seen[0]?.headers['content-type']).toBe(type)
  })
})

describe('createHttpTransport: bodies', () => {
  it.each(['GET', 'DELETE', 'POST', 'PUT', 'PATCH'])('arrive whole with the method %s', async (method) => {
    await using server = await aLoopback(json('1'))
    const transport = createHttpTransport()
    const request = { method, effect: 'write', url: server.url, body: { a: 'ß' } } as const
    for (const _ of [1, 2]) expect(await transport.send(request)).toMatchObject({ status: 200 })
    const whole = { method, body: '{"a":"ß"}', headers: { 'content-length': '10' } }
    expect(server.seen).toMatchObject([whole, whole])
  })
})

describe('createHttpTransport: characters beyond ASCII', () => {
  const body = { ä: 'ß 😀 \u2028' }
  const escapes = '{"\\u00e4":"\\u00df \\ud83d\\ude00 \\u2028"}'
  it.each([
    ['of which nothing is known', [], JSON.stringify(body)],
    ['that answers with escapes', ['"\\u00c3\\u00bc"'], escapes],
    ['that escapes what HTML reads', ['"\\u003c"'], JSON.stringify(body)],
    ['that answers with characters', ['"ü"'], JSON.stringify(body)],
    ['that does both', ['"ü"', '"\\u00fc"', '"ü"'], JSON.stringify(body)],
  ])('are sent to a server %s as it spells them', async (_, answers, sent) => {
    let turn = 0
    await using server = await aLoopback((request, response) => json(answers[turn++] ?? '{}')(request, response))
    const transport = createHttpTransport()
    for (const __ of answers) await transport.send({ method: 'GET', effect: 'read', url: server.url })
    await transport.send({ method: 'PUT', effect: 'write', url: server.url, body })
    expect(server.seen.at(-1)?.body).toBe(sent)
  })
})

describe('createHttpTransport: the end', () => {
  it('does not keep the process alive', long, async () => {
    await using server = await aLoopback(json('1'))
    const program = `
      import { createHttpTransport } from ${JSON.stringify(new URL('../../../functions/adapters/transport/http/http.ts', import.meta.url).pathname)}
      await createHttpTransport().send({ method: 'GET', effect: 'read', url: ${JSON.stringify(server.url)} })
      // Resources that hold the process; a pipe is its standard output.
      await new Promise((resolve) => setImmediate(resolve))
      console.log(process.getActiveResourcesInfo().filter((each) => each !== 'PipeWrap').join())`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
    expect(stdout.trim()).toBe('')
    expect(server.seen).toHaveLength(1)
  })
})

describe('createHttpTransport: redirects', () => {
  const to =
    (location: string, status = 302): RequestListener =>
    (_, response) =>
      response.writeHead(status, { location }).end()

  it.each([301, 302, 303, 307, 308])('follow %i for a read within the origin, with its headers', async (status) => {
    const { answer, seen } = await ask(
      (request, response) =>
        (request.url === '/things' ? to('/v2/things?x=1', status) : json('"there"'))(request, response),
      { headers: { authorization: 'Bearer t' } },
    )
    expect(answer).toMatchObject({ status: 200, body: 'there' })
    expect(seen[1]).toMatchObject({ url: '/v2/things?x=1', headers: { authorization: 'Bearer t' } })
  })

  it.each<[string, RequestListener, number]>([
    ['a status that is none, with a Location', (_, r) => r.writeHead(201, { location: '/moved' }).end(), 201],
    ['a redirect to nowhere', (_, r) => r.writeHead(302).end(), 302],
  ])('give the redirect itself as the answer for %s', async (_, listener, status) => {
    const { answer, seen } = await ask(listener)
    expect(answer).toMatchObject({ status })
    expect(seen).toHaveLength(1)
  })

  it.each([
    ['/login', 302, 404],
    ['/login', 301, 410],
    ['/login', 303, 200],
    ['/login', 307, 204],
    ['/sessions/new', 308, 403],
  ])('say nothing of the object where %s, by a %i, answers %i', async (location, by, status) => {
    const { answer } = await ask((request, response) =>
      request.url === '/things' ? to(location, by)(request, response) : json('[]', status)(request, response),
    )
    expect(answer).toMatchObject({
      code: 'RESPONSE_INVALID',
      message: expect.stringContaining(`it redirects to ${location}, and that answers HTTP ${status}`),
    })
  })

  it.each(['/things/', '/v2/things?x=1', '/THINGS'])(
    'believe what %s says, which has the same name',
    async (location) => {
      const { answer } = await ask((request, response) =>
        request.url === '/things' ? to(location)(request, response) : json('{}', 404)(request, response),
      )
      expect(answer).toMatchObject({ status: 404 })
    },
  )

  it.each<[string, string, string?]>([
    ['a backslash', 'Zq9\\Kx7Wv8-long-Secret'],
    ['a dot segment', 'Zq9/./Kx7Wv8-long-Secret'],
    ['two dots', 'Zq9/x/../Kx7Wv8-long-Secret'],
    ['a backslash and a tab in it', 'Zq9\\Kx7Wv8-long-Secret', 'Zq9\t\\Kx7Wv8-long-Secret'],
    ['a question mark', 'Kx7Wv8-long?Secret'],
    [
      'a backslash, before another redirect',
      'Zq9\\Kx7Wv8-long-Secret/../next',
      '/solo/Zq9\\Kx7Wv8-long-Secret/../next',
    ],
    ['a host', 'http://Zq9\u00c7a.Kx7Wv8.test', 'http://Zq9%C3%87a.Kx7Wv8.test/x'],
    ['the name of a host', 'Zq9\u00c7aKx7Wv8', 'http://Zq9%C3%87aKx7Wv8/'],
    ['a user name', 'Zq9\\Kx7Wv8-long', 'http://me:pw@127.0.0.1/Zq9\\Kx7Wv8-long'],
  ])('say no part of a secret that a parser of URLs changes: %s', async (_, secret, location = secret) => {
    await using server = await aLoopback((request, response) => {
      if (request.url === '/solo/things') to(location)(request, response)
      else if (request.url?.endsWith('/next')) to('./other')(request, response)
      else json('[]', 404)(request, response)
    })
    const redactor = createRedactor()
    redactor.learn(secret)
    const error = await redacted(createHttpTransport(), redactor)
      .send(aGet(`${server.url}/solo/things`))
      .catch((thrown: AppError) => thrown)
    expect(error).toMatchObject({ code: 'RESPONSE_INVALID' })
    expect(inspect(error, { depth: null })).not.toMatch(/zq9|kx7|xn--/i)
  })

  it.each(['authorization', 'x-api-key', 'cookie'])('never send %s to another origin', async (name) => {
    await using other = await aLoopback(json('"stolen"'))
    const { answer } = await ask(to(`${other.url}/`), { headers: { [name]: 'hunter2' } })
    expect(answer).toMatchObject({ code: 'RESPONSE_INVALID', message: expect.stringContaining(other.url) })
    expect(other.seen).toEqual([])
  })

  const open = { otherOrigins: true }
  const bare = { isAnonymous: true as const }

  it('lead a read without credentials to another origin where the document says so', async () => {
    await using other = await aLoopback(json('"there"'))
    expect((await ask(to(`${other.url}/`), bare, open)).answer).toMatchObject({ body: 'there' })
    expect(other.seen).toHaveLength(1)
  })

  it.each<[string, Partial<WireRequest>, HttpOptions]>([
    ['the document says nothing', bare, {}],
    ['nobody says that nothing in it is secret', {}, open],
    ['a header could say who we are', { ...bare, headers: { 'x-team': 'a' } }, open],
    ['it has a body', { ...bare, method: 'GET', body: { q: 1 } }, open],
    ['the connection may show a certificate', bare, { ...open, tls: async () => ({}) }],
  ])('lead no read out of its origin where %s', async (_, request, options) => {
    await using other = await aLoopback(json('"stolen"'))
    const { answer } = await ask(to(`${other.url}/?next=1`), request, options)
    expect(answer).toMatchObject({ code: expect.stringMatching(/RESPONSE_INVALID|REQUEST_FAILED/) })
    expect(other.seen).toEqual([])
  })

  it.each([
    ['a circle', '/things'],
    ['a file', 'file:///etc/passwd'],
    ['nonsense', 'http://'],
    ['credentials in a URL', 'http://me:pw@127.0.0.1/'],
  ])('do not lead into %s', async (_, location) => {
    const { answer, seen } = await ask(to(location))
    expect(answer).toMatchObject({ code: 'RESPONSE_INVALID' })
    expect(seen.length).toBe(location === '/things' ? 6 : 1)
  })

  it('do not lead a read to what writes under another name', async () => {
    const { answer, seen } = await ask(to('/things?_method=DELETE'))
    expect(answer).toMatchObject({
      code: 'RESPONSE_INVALID',
      message: expect.stringMatching(/redirects to .* no read/),
    })
    expect(seen).toHaveLength(1)
  })

  it.each<Partial<Request>>([
    { method: 'POST', effect: 'write' },
    { method: 'PUT', effect: 'write' },
    { method: 'POST', effect: 'read' },
  ])('give the redirect itself as the answer for %j', async (request) => {
    const { answer, seen } = await ask(to('/moved', 307), request)
    expect(answer).toMatchObject({ status: 307 })
    expect(seen).toHaveLength(1)
  })
})
