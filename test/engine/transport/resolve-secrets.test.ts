import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../core/engine/errors/errors.ts'
import type { Auth } from '../../../core/engine/schema/auth.ts'
import type { Request } from '../../../core/engine/schema/command.ts'
import type { Json } from '../../../core/engine/schema/json.ts'
import type { ResolveOptions } from '../../../core/engine/transport/sign-in/resolve-secrets.ts'
import { resolveSecrets } from '../../../core/engine/transport/sign-in/resolve-secrets.ts'
import type { WireRequest } from '../../../core/engine/transport/transport.ts'
import { escapeMarks } from '../../../core/engine/values/marks/marks.ts'
import { aSleepingClock, aTransport, aWrite } from '../../builders/values/transports.ts'

const values: Record<string, string> = { 'env:KEY': 'k-1234', 'env:PASSWORD': 'p$&ß', 'env:OTHER': 'never' }
const base: ResolveOptions = {
  clock: aSleepingClock(),
  random: () => 0,
  uuid: () => 'u-1',
  signJwt: async () => undefined,
  sealBox: async () => undefined,
  allowed: new Set(['env:KEY', 'env:PASSWORD', 'env:GONE']),
  secrets: {
    resolve: async (source) => {
      const value = values[source]
      if (value === undefined) throw new AppError('SECRET_UNRESOLVED', { source, detail: 'not set' })
      return value
    },
  },
}

const send = async (request: Request, options: Partial<ResolveOptions> = {}) => {
  const inner = aTransport()
  await resolveSecrets(inner, { ...base, ...options }).send(request)
  return inner.sent[0]
}
const sendBody = async (body: Json, options: Partial<ResolveOptions> = {}) =>
  (await send(aWrite('POST', { body }), options))?.body

describe('the values that are put into a request', () => {
  it.each<[string, Json, Json]>([
    ['a secret', { a: [{ $secret: 'env:KEY', digest: 'hmac-sha256:00' }] }, { a: ['k-1234'] }],
    ['text with a secret inside', { $concat: ['key=', { $secret: 'env:KEY' }, ';n=', 1] }, 'key=k-1234;n=1'],
    ['a literal', { $literal: { $secret: 'env:OTHER' } }, { $secret: 'env:OTHER' }],
    ['no mark at all', { a: null, b: [true, 1.5, ''] }, { a: null, b: [true, 1.5, ''] }],
  ])('include %s', async (_, body, sent) => {
    expect(await sendBody(body)).toEqual(sent)
  })

  it('leave foreign JSON as it was, whatever internal marks it imitates', async () => {
    const member = fc.constantFrom('$secret', '$after', '$ref', '$sealed', '$concat', '$literal', 'pointer', 'x')
    const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<Json>('env:OTHER', 1, null),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(member, tie('tree'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }))
    await fc.assert(
      fc.asyncProperty(tree, async (foreign) => {
        expect(await sendBody(escapeMarks(foreign))).toEqual(foreign)
      }),
    )
  })

  it.each<[string, Json, string]>([
    ['a source that the configuration does not name', { $secret: 'env:OTHER' }, 'SECRET_UNRESOLVED'],
    ['a secret that is not set', { $secret: 'env:GONE' }, 'SECRET_UNRESOLVED'],
    ['a live value outside a write', { $secret: 'live:zone.main#/key' }, 'SECRET_UNRESOLVED'],
    ['a value of which only the digest is known', { $sealed: 'hmac-sha256:00' }, 'INTERNAL'],
    ['an open reference', { $ref: 'zone.main', pointer: '/id' }, 'INTERNAL'],
    ['a value that nobody has filled in', { $after: 'zone.main', pointer: '/id' }, 'INTERNAL'],
    ['an object inside a text', { $concat: ['a', { b: 1 }] }, 'INTERNAL'],
  ])('never include %s', async (_, body, code) => {
    const inner = aTransport()
    await expect(resolveSecrets(inner, base).send(aWrite('POST', { body }))).rejects.toMatchObject({ code })
    expect(inner.sent).toEqual([])
  })

  it('include live values from the read before the write, whose texts become secrets', async () => {
    const learnt: string[] = []
    const live = async (source: string) => ({ source, hash: 'h-1' })
    const body = await sendBody({ $secret: 'live:user.a#/hash' }, { live, learn: (value) => learnt.push(value) })
    expect(body).toEqual({ source: 'live:user.a#/hash', hash: 'h-1' })
    expect(learnt).toContain('h-1')
  })

  it.each<[string, Partial<Request>, boolean]>([
    ['nothing secret', { body: { a: 1 } }, true],
    ['a secret in its body', { body: { a: { $concat: ['x', { $secret: 'env:KEY' }] } } }, false],
    ['a header', { auth: { kind: 'header', name: 'a', template: '{secret}', secret: { $secret: 'env:KEY' } } }, false],
    ['a query', { auth: { kind: 'query', name: 'a', secret: { $secret: 'env:KEY' } } }, false],
    ['a user', { auth: { kind: 'basic', user: 'me', password: '' } }, false],
  ])('tell whether the request is unauthenticated: %s', async (_, request, isAnonymous) => {
    expect((await send(aWrite('POST', request))) as WireRequest).toEqual(
      isAnonymous ? expect.objectContaining({ isAnonymous }) : expect.not.objectContaining({ isAnonymous: true }),
    )
  })

  it('do not change a URL that looks like a mark', async () => {
    const url = 'http://target.test/zones/{after:zone.main:/id}?x={y}'
    expect((await send(aWrite('PUT', { url })))?.url).toBe(url)
  })

  it.each<[Auth, Partial<Request>]>([
    [
      { kind: 'header', name: 'authorization', template: 'Bearer {secret}', secret: { $secret: 'env:PASSWORD' } },
      { headers: { accept: 'x', authorization: 'Bearer p$&ß' } },
    ],
    [
      { kind: 'query', name: 'api key', secret: { $secret: 'env:PASSWORD' } },
      { url: 'http://target.test/things?api%20key=p%24%26%C3%9F' },
    ],
    [
      { kind: 'basic', user: 'me', password: { $secret: 'env:PASSWORD' } },
      { headers: { accept: 'x', authorization: 'Basic bWU6cCQmw58=' } },
    ],
    [
      { kind: 'basic', user: { $secret: 'env:KEY' }, password: { $secret: 'env:KEY' } },
      { headers: { accept: 'x', authorization: 'Basic ay0xMjM0OmstMTIzNA==' } },
    ],
    [
      { kind: 'basic', user: { $secret: 'env:KEY' }, password: '' },
      { headers: { accept: 'x', authorization: 'Basic ay0xMjM0Og==' } },
    ],
    [
      {
        kind: 'sigv4',
        region: 'eu-west-1',
        service: 'execute-api',
        accessKeyId: 'AKID',
        secretAccessKey: { $secret: 'env:KEY' },
        sessionToken: { $secret: 'env:PASSWORD' },
      },
      {
        signing: {
          region: 'eu-west-1',
          service: 'execute-api',
          accessKeyId: 'AKID',
          secretAccessKey: 'k-1234',
          sessionToken: 'p$&ß',
        },
      } as Partial<Request>,
    ],
  ])('include credentials by %j', async (auth, expected) => {
    const sent = await send(aWrite('POST', { auth, headers: { accept: 'x' } }))
    expect(sent).toMatchObject(expected)
    expect(sent).not.toHaveProperty('auth')
  })

  it('become secrets, each alone and as a pair, and leave the given request unchanged', async () => {
    const learnt: string[] = []
    const auth: Auth = { kind: 'basic', user: 'me', password: { $secret: 'env:PASSWORD' } }
    const request = aWrite('POST', { auth, body: { a: { $secret: 'env:KEY' } } })
    const before = structuredClone(request)
    await send(request, { learn: (value) => learnt.push(value) })
    expect(learnt.sort()).toEqual(['k-1234', 'me:p$&ß', 'p$&ß'])
    expect(request).toEqual(before)
  })
})
