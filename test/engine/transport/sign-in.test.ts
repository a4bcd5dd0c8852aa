import { describe, expect, it } from 'vitest'
import { AppError } from '../../../core/engine/errors/errors.ts'
import type { Auth, Login, OAuth2 } from '../../../core/engine/schema/auth.ts'
import type { Request, Response } from '../../../core/engine/schema/command.ts'
import type { Json } from '../../../core/engine/schema/json.ts'
import type { UnknownReason } from '../../../core/engine/schema/resource.ts'
import { unknownFromError } from '../../../core/engine/transport/answer/unknown.ts'
import type { ResolveOptions } from '../../../core/engine/transport/sign-in/resolve-secrets.ts'
import { resolveSecrets } from '../../../core/engine/transport/sign-in/resolve-secrets.ts'
import { aGet, anAnswer, aSleepingClock, aTransport, aWrite } from '../../builders/values/transports.ts'

const secrets: Record<string, string> = { 'env:ID': 'client:1', 'env:SECRET': 's3cr&t', 'env:PASSWORD': 'pw-123' }

const oauth2: OAuth2 = {
  kind: 'oauth2',
  tokenUrl: 'http://id.test/token',
  clientId: { $secret: 'env:ID' },
  clientSecret: { $secret: 'env:SECRET' },
  client: 'header',
  parameters: { scope: 'read write' },
  send: { in: 'header', name: 'authorization', template: 'Bearer {token}' },
}
const login: Login = {
  kind: 'login',
  method: 'POST',
  url: 'http://id.test/login',
  body: { user: 'me', password: { $secret: 'env:PASSWORD' } },
  token: { pointer: '/data/token' },
  send: { in: 'header', name: 'x-auth', template: '{token}' },
}

const isSignIn = ({ effect }: Request): boolean => effect === 'signIn'
const tokenOf = ({ headers = {} }: Request): string => headers['authorization']?.replace('Bearer ', '') ?? ''

/** A server of tokens t1, t2, ... that accepts what `accepts` says. */
const aServer = (
  accepts: (token: string, request: Request) => boolean = () => true,
  grant: (n: number, request: Request) => Response | Error | Promise<Response> = (n) =>
    anAnswer(200, { access_token: `t${n}` }),
) => {
  let fetched = 0
  return aTransport((request) => {
    if (!isSignIn(request)) return accepts(tokenOf(request), request) ? anAnswer(200, 'ok') : anAnswer(401)
    fetched += 1
    const answer = grant(fetched, request)
    if (answer instanceof Error) throw answer
    return answer
  })
}

const drive = (inner: ReturnType<typeof aTransport>, auth: Auth = oauth2, more: Partial<ResolveOptions> = {}) => {
  const learnt: string[] = []
  const clock = aSleepingClock()
  const transport = resolveSecrets(inner, {
    clock,
    random: () => 0,
    uuid: () => 'u-1',
    signJwt: async () => undefined,
    sealBox: async () => undefined,
    allowed: new Set(Object.keys(secrets)),
    secrets: { resolve: async (source) => secrets[source] ?? '' },
    learn: (value) => learnt.push(value),
    ...more,
  })
  return {
    clock,
    learnt,
    send: (request = aGet()) => transport.send({ ...request, auth }),
    signIns: () => inner.sent.filter(isSignIn),
    others: () => inner.sent.filter((request) => !isSignIn(request)),
  }
}

describe('a token', () => {
  it('is requested with the credentials of the client, and is sent with each request', async () => {
    const { send, signIns, others, learnt } = drive(aServer())
    expect(await send()).toEqual(anAnswer(200, 'ok'))
    expect(signIns()).toEqual([
      {
        method: 'POST',
        url: 'http://id.test/token',
        effect: 'signIn',
        headers: {
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
          // Both halves as in a form: client%3A1:s3cr%26t
          authorization: 'Basic Y2xpZW50JTNBMTpzM2NyJTI2dA==',
        },
        body: { grant_type: 'client_credentials', scope: 'read write' },
      },
    ])
    expect(others()).toEqual([{ ...aGet(), headers: { authorization: 'Bearer t1' } }])
    expect(learnt).toEqual(expect.arrayContaining(['client:1', 's3cr&t', 'client%3A1:s3cr%26t', 't1']))
  })

  it('may be requested with all parameters in the body', async () => {
    const { send, signIns } = drive(aServer(), { ...oauth2, client: 'body' })
    await send()
    expect(signIns()[0]?.headers).not.toHaveProperty('authorization')
    expect(signIns()[0]?.body).toEqual({
      grant_type: 'client_credentials',
      client_id: 'client:1',
      client_secret: 's3cr&t',
      scope: 'read write',
    })
  })

  it('is fetched once for all requests that wait, and is stored', async () => {
    const { send, signIns, others } = drive(aServer())
    await Promise.all(Array.from({ length: 9 }, (_, n) => send(aGet(`http://target.test/${n}`))))
    await send()
    expect([signIns().length, others().length]).toEqual([1, 10])
  })

  it.each([
    [3600, 3_530_000, 1],
    [3600, 3_541_000, 2],
    ['100', 89_000, 1],
    ['100', 91_000, 2],
    [undefined, 9e9, 1],
    ['soon', 9e9, 1],
    ['', 9e9, 1],
    ['2026-01-01T01:00:00Z', 3_530_000, 1],
    ['2026-01-01T01:00:00Z', 3_541_000, 2],
    [Date.parse('2026-01-01T01:00:00Z') / 1000, 3_541_000, 2],
    [Date.parse('2026-01-01T01:00:00Z'), 3_530_000, 1],
    ['2025-12-31T23:00:00Z', 9e9, 1],
    [-1, 9e9, 1],
  ])('that is valid for %s s is, after %s ms, replaced by token %s', async (expires_in, later, tokens) => {
    const grant = (n: number) =>
      anAnswer(200, { access_token: `t${n}`, ...(expires_in === undefined ? {} : { expires_in }) })
    const { send, signIns, clock } = drive(aServer(undefined, grant))
    await send()
    await clock.sleep(later)
    await Promise.all([send(), send(), send()])
    expect(signIns()).toHaveLength(tokens)
  })

  it.each<[string, Request]>([
    ['a read', aGet()],
    ['a write, which 401 says was not done', aWrite('POST')],
  ])('that is refused is renewed once for all requests, which are sent again: %s', async (_, request) => {
    let valid = 't1'
    const { send, signIns, others } = drive(aServer((token) => token === valid))
    await send()
    valid = 't2'
    const answers = await Promise.all([send(request), send(request), send(request)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect([signIns().length, others().length]).toEqual([2, 7])
  })

  it('is not renewed again by a request that was refused late', async () => {
    let valid = 't1'
    let answerLate = (): void => {}
    const late = new Promise<void>((resolve) => {
      answerLate = resolve
    })
    const inner = aServer((token) => token === valid)
    const slow = {
      ...inner,
      send: async (request: Request) => {
        const answer = await inner.send(request)
        if (request.url.endsWith('/slow') && tokenOf(request) === 't1') await late
        return answer
      },
    }
    const { send, signIns } = drive(slow)
    await send()
    valid = 't2'
    const slowly = send(aGet('http://target.test/slow'))
    expect((await send()).status).toBe(200)
    answerLate()
    expect((await slowly).status).toBe(200)
    expect(signIns()).toHaveLength(2)
  })

  it('is not requested for ever where no token is accepted', async () => {
    const { send, signIns, clock } = drive(aServer(() => false))
    for (let n = 0; n < 20; n += 1) expect((await send()).status).toBe(401)
    expect(signIns()).toHaveLength(2)
    await clock.sleep(61_000)
    for (let n = 0; n < 20; n += 1) expect((await send()).status).toBe(401)
    expect(signIns()).toHaveLength(3)
  })

  it('is not requested for ever where one object is always refused', async () => {
    const { send, signIns } = drive(aServer((_, { url }) => !url.endsWith('/hidden')))
    for (let n = 0; n < 20; n += 1) {
      expect((await send()).status).toBe(200)
      expect((await send(aGet('http://target.test/hidden'))).status).toBe(401)
    }
    expect(signIns()).toHaveLength(2)
  })

  const about = { method: 'POST', url: 'http://id.test/token' }
  it.each<[string, Response | Error, string, number, UnknownReason]>([
    [
      'refused',
      anAnswer(401, { error: 'invalid_client', hint: 's3cr&t' }),
      'answered 401 (invalid_client)',
      1,
      'unauthorised',
    ],
    ['refused without a word', anAnswer(403, 's3cr&t'), 'answered 403', 1, 'unauthorised'],
    ['answered with a page', anAnswer(200, '<html>'), 'answered 200 without a token at /access_token', 1, 'bad_body'],
    ['answered with nothing', anAnswer(204), 'answered 204 without a token at /access_token', 1, 'bad_body'],
    [
      'answered with an empty token',
      anAnswer(200, { access_token: '' }),
      'answered 200 with an empty token',
      1,
      'bad_body',
    ],
    ['answered with an object', anAnswer(200, { access_token: {} }), 'answered 200 without a token', 1, 'bad_body'],
    ['redirected', anAnswer(302), 'answered 302', 1, 'unauthorised'],
    ['broken', anAnswer(503), 'answered 503', 3, 'server_error'],
    [
      'down',
      new AppError('REQUEST_FAILED', { ...about, detail: 'connect ECONNREFUSED', reason: 'network' }),
      'got no answer: connect ECONNREFUSED',
      3,
      'network',
    ],
    [
      'garbage',
      new AppError('RESPONSE_INVALID', { ...about, detail: 'status 200 with a body that is not valid JSON' }),
      'was not understood',
      1,
      'bad_body',
    ],
    [
      'a flood',
      new AppError('RESPONSE_TOO_LARGE', { ...about, limit: 1 }),
      'answered more than is read',
      1,
      'bad_body',
    ],
  ])(
    'that is %s fails the request without sending it, and is not requested again at once',
    async (_, answer, words, tries, reason) => {
      const { send, signIns, others, clock } = drive(aServer(undefined, () => answer))
      const failures = [send(), send(), send(aWrite('POST'))]
      for (const failure of failures) {
        const error = await failure.catch((thrown: AppError) => thrown)
        expect(error).toMatchObject({ code: 'SIGN_IN_FAILED', message: expect.stringContaining(words) })
        // What a read makes of it: only who was refused is told so.
        expect(unknownFromError(error)).toMatchObject({ reason })
        expect(String(error)).not.toContain('s3cr&t')
      }
      await expect(send()).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' })
      expect([signIns().length, others().length]).toEqual([tries, 0])
      await clock.sleep(61_000)
      await expect(send()).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' })
      expect(signIns()).toHaveLength(2 * tries)
    },
  )

  it('that cannot be renewed fails the request, whose 401 proves that nothing was done', async () => {
    const grant = (n: number) => (n === 1 ? anAnswer(200, { access_token: 't1' }) : anAnswer(400))
    let valid = true
    const { send, signIns } = drive(aServer(() => valid, grant))
    await send()
    valid = false
    await expect(send(aWrite('PUT'))).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' })
    await expect(send()).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' })
    expect(signIns()).toHaveLength(2)
  })

  it('needs secrets that can be read', async () => {
    const refuse = (source: string) => {
      throw new AppError('SECRET_UNRESOLVED', { source, detail: 'it is not set' })
    }
    const { send } = drive(aServer(), oauth2, { secrets: { resolve: async (source) => refuse(source) } })
    await expect(send()).rejects.toMatchObject({ code: 'SECRET_UNRESOLVED' })
    const stranger = drive(aServer(), oauth2, { allowed: new Set() })
    await expect(stranger.send()).rejects.toMatchObject({ code: 'SECRET_UNRESOLVED' })
  })
})

describe('a login', () => {
  const cookies = 'theme=dark; Path=/\nsid=c-77==; HttpOnly; Expires=Wed, 01 Jan 2031 00:00:00 GMT'
  it.each<[string, Partial<Login>, Response, Partial<Request>]>([
    ['a place in the body', {}, anAnswer(200, { data: { token: 'b-77' } }), { headers: { 'x-auth': 'b-77' } }],
    ['a number', {}, anAnswer(200, { data: { token: 77 } }), { headers: { 'x-auth': '77' } }],
    [
      'a header',
      { token: { header: 'X-Subject-Token' } },
      anAnswer(201, null, { 'x-subject-token': 'h-77' }),
      { headers: { 'x-auth': 'h-77' } },
    ],
    [
      'a cookie of a redirect',
      { token: { cookie: 'sid' }, send: { in: 'cookie', name: 'sid', template: '{token}' } },
      anAnswer(302, null, { 'set-cookie': cookies }),
      { headers: { cookie: 'sid=c-77==' } },
    ],
    [
      'a place, for the URL',
      { send: { in: 'query', name: 'k', template: 'T {token}' } },
      anAnswer(200, { data: { token: '$&' } }),
      { url: 'http://target.test/things?k=T%20%24%26' },
    ],
  ])('takes its token from %s', async (_, changes, answer, expected) => {
    const { send, signIns, others, learnt } = drive(
      aServer(
        () => true,
        () => answer,
      ),
      { ...login, ...changes },
    )
    await send()
    expect(signIns()).toMatchObject([{ method: 'POST', url: login.url, body: { user: 'me', password: 'pw-123' } }])
    expect(others()).toMatchObject([expected])
    expect(learnt).toContain('pw-123')
  })

  it.each<[string, Partial<Login>, Response]>([
    ['in its header x-t', { token: { header: 'x-t' } }, anAnswer(200, { data: { token: 't' } })],
    ['in its cookie sid', { token: { cookie: 'sid' } }, anAnswer(200, null, { 'set-cookie': 'sidx=1' })],
    ['at /data/token', {}, anAnswer(200, { data: null })],
    ['at its top', { token: { pointer: '' } }, anAnswer(200, null)],
  ])('explains where no token was found: %s', async (words, changes, answer) => {
    const { send } = drive(
      aServer(
        () => true,
        () => answer,
      ),
      { ...login, ...changes },
    )
    await expect(send()).rejects.toThrow(`answered 200 without a token ${words}`)
  })

  it('keeps other cookies, and can sign in with headers and its own pair of credentials', async () => {
    const { send, signIns, others } = drive(
      aServer(
        () => true,
        () => anAnswer(200, { data: { token: 't' } }),
      ),
      {
        ...login,
        headers: { 'x-key': { $concat: ['k=', { $secret: 'env:SECRET' }] as Json } },
        basic: { user: 'me', password: { $secret: 'env:PASSWORD' } },
        send: { in: 'cookie', name: 'sid', template: '{token}' },
      },
    )
    await send(aGet(undefined, { headers: { Cookie: 'lang=de' } }))
    expect(signIns()[0]?.headers).toMatchObject({ 'x-key': 'k=s3cr&t', authorization: 'Basic bWU6cHctMTIz' })
    expect(others()[0]?.headers).toEqual({ Cookie: 'lang=de; sid=t' })
  })

  it.each<[Login['expires'], Json, number]>([
    [100, null, 2],
    [{ pointer: '/ttl' }, 50, 2],
    [{ pointer: '/ttl' }, 500, 1],
  ])('may say how long its token is valid: %j', async (expires, ttl, tokens) => {
    const { send, signIns, clock } = drive(
      aServer(
        () => true,
        (n) => anAnswer(200, { data: { token: `t${n}` }, ttl }),
      ),
      { ...login, ...(expires === undefined ? {} : { expires }) },
    )
    await send()
    await clock.sleep(120_000)
    await send()
    expect(signIns()).toHaveLength(tokens)
  })
})

describe('a session that an API gives to callers without one', () => {
  const session: Login = {
    kind: 'login',
    method: 'GET',
    url: 'http://id.test/rpc',
    token: { header: 'X-Session' },
    success: [409],
    refused: [409],
    send: { in: 'header', name: 'X-Session', template: '{token}' },
  }
  const granting = (status: number) => {
    let n = 0
    return aTransport((request) => {
      if (!isSignIn(request)) return anAnswer(request.headers?.['X-Session'] === `s${n}` ? 200 : 409)
      n += 1
      return { ...anAnswer(status), headers: { 'x-session': `s${n}` } }
    })
  }

  it('begins with the answer whose status the document names, and is renewed by it', async () => {
    const api = granting(409)
    const { send, signIns } = drive(api, session)
    expect((await send()).status).toBe(200)
    await api.send({ ...aGet(), effect: 'signIn' })
    expect((await send(aWrite('POST'))).status).toBe(200)
    expect(signIns()).toHaveLength(3)
  })

  it('does not begin with another status', async () => {
    await expect(drive(granting(200), session).send()).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' })
  })
})

describe('several credentials at once', () => {
  const login: Login = {
    kind: 'login',
    method: 'POST',
    url: 'http://id.test/in',
    basic: { user: 'me', password: { $secret: 'env:PASSWORD' } },
    always: true,
    token: { cookie: 'sid' },
    send: { in: 'cookie', name: 'sid', template: '{token}' },
    also: [
      { token: { header: 'X-CSRF' }, send: { in: 'header', name: 'X-CSRF', template: '{token}' } },
      { token: { pointer: '/ticket' }, send: { in: 'cookie', name: 'ticket', template: '{token}' } },
    ],
  }
  const answer = (ticket: Json): Response => ({
    ...anAnswer(200, { ticket }),
    headers: { 'set-cookie': 'sid=c1; Path=/', 'x-csrf': 'h1' },
  })
  const api = (ticket: Json) => aTransport((request) => (isSignIn(request) ? answer(ticket) : anAnswer(200)))

  it('are all sent with each request, and none of them is shown', async () => {
    const { send, others, learnt } = drive(api('b1'), login)
    await send()
    expect(others()[0]?.headers).toEqual({
      authorization: `Basic ${Buffer.from('me:pw-123').toString('base64')}`,
      cookie: 'sid=c1; ticket=b1',
      'X-CSRF': 'h1',
    })
    expect(learnt).toEqual(expect.arrayContaining(['c1', 'h1', 'b1', 'me:pw-123']))
  })

  it('are not sent at all where one of them is missing', async () => {
    await expect(drive(api(null), login).send()).rejects.toThrow('without a token at /ticket')
  })
})

describe('a token that the caller signs', () => {
  const jwt = {
    algorithm: 'ES256' as const,
    key: { $secret: 'env:PASSWORD' },
    keyId: 'k1',
    claims: { iss: 'app' },
    seconds: 300,
    skew: 60,
    unique: true as const,
  }
  const signing: Login = { ...login, jwt, body: { assertion: { $secret: 'jwt:signed' } }, expires: 600 }

  it('is made anew for each call, and is a secret', async () => {
    let ids = 0
    const uuid = () => {
      ids += 1
      return `id-${ids}`
    }
    const given: unknown[] = []
    const { send, signIns, clock, learnt } = drive(
      aServer(undefined, () => anAnswer(200, { data: { token: 't' } })),
      signing,
      {
        uuid,
        signJwt: async (...all) => {
          given.push(all)
          return `signed-${given.length}`
        },
      },
    )
    await Promise.all([send(), send()])
    await clock.sleep(700_000)
    await send()
    expect(signIns().map(({ body }) => body)).toEqual([{ assertion: 'signed-1' }, { assertion: 'signed-2' }])
    const start = Date.parse('2026-01-01T00:00:00Z') / 1000
    const header = { alg: 'ES256', kid: 'k1' }
    expect(given).toEqual(
      [start, start + 700].map((now, n) => [
        header,
        { iss: 'app', iat: now - 60, exp: now + 300, jti: `id-${n + 1}` },
        'pw-123',
      ]),
    )
    expect(learnt).toEqual(expect.arrayContaining(['pw-123', 'signed-1', 'signed-2']))
  })

  it('is not added to other requests, whatever their body is', async () => {
    const { send, others } = drive(aServer(), signing)
    await expect(send(aWrite('POST', { body: { a: { $secret: 'jwt:signed' } } }))).rejects.toThrow(/does not name it/)
    expect(others()).toEqual([])
  })
})
