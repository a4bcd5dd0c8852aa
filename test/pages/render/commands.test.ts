import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Auth } from '../../../core/engine/schema/auth.ts'
import type { PlannedRequest, Precondition } from '../../../core/engine/schema/command.ts'
import type { Json } from '../../../core/engine/schema/json.ts'
import { escapeMarks } from '../../../core/engine/values/marks/marks.ts'
import { renderCommands } from '../../../core/pages/render/plain/render-commands.ts'
import { lossWords } from '../../../core/pages/render/requests/grade-words.ts'
import { lawRuns } from '../../builders/laws.ts'
import { aCommand } from '../../builders/values/plans.ts'

const put = (over: Partial<PlannedRequest> = {}): PlannedRequest => ({
  method: 'PUT',
  url: 'http://h/x',
  effect: 'write',
  ...over,
})
const shown = (request: PlannedRequest, width = 80): string =>
  renderCommands([aCommand({ address: 'a_b.c', request })], { width })

/** What a reader takes from the page: the lines between the request and the remark, parts of one text put together. */
const readBody = (page: string): unknown => {
  const lines = page.split('\n').map((line) => line.trim())
  const end = lines.findIndex((line) => line.startsWith('# a_b.c#1:'))
  return JSON.parse(lines.slice(1, end).join('\n').replaceAll('"\n"', ''))
}

describe('a command on a page', () => {
  it('has its whole body, however wide that is', () =>
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }),
        fc.integer({ min: 20, max: 200 }),
        (body, width) => {
          const plain = JSON.parse(JSON.stringify(body)) as Json
          expect(readBody(shown(put({ body: escapeMarks(plain) }), width))).toEqual(plain)
        },
      ),
      lawRuns(200),
    ))

  it('keeps long texts whole, and puts each line of the text on one line', () => {
    const text = `${'long '.repeat(60)}\n${'x'.repeat(300)}\n\n`
    expect(readBody(shown(put({ body: { text } })))).toEqual({ text })
  })

  it.each<readonly [string, Partial<PlannedRequest>, string]>([
    [
      'method and URL',
      { method: 'PATCH', url: `http://h/${'p/'.repeat(90)}?a=b%20c` },
      `  1. PATCH http://h/${'p/'.repeat(90)}?a=b%20c\n`,
    ],
    ['headers', { headers: { 'If-None-Match': '*' } }, '     If-None-Match: *\n'],
    [
      'a value of an earlier command',
      { url: ['http://h/', { $after: 'a_b.d', pointer: '/id' }, '/x'] },
      'http://h/(known after apply: a_b.d /id)/x\n',
    ],
    ['a secret of the environment', { body: { $secret: 'env:TOKEN', digest: 'hmac-sha256:77' } }, '     "$TOKEN"\n'],
    ['another secret', { body: [{ $secret: 'file:/run/key' }] }, '     ["${file:/run/key}"]\n'],
    ['text that only looks like one', { body: ['$TOKEN', '(sensitive)'] }, '     ["\\u0024TOKEN","(sensitive)"]\n'],
    [
      'parts',
      { body: { $concat: ['a', { $secret: 'env:T' }, { $after: 'a_b.d', pointer: '/id' }] } },
      '     "a" + $T + (known after apply: a_b.d /id)\n',
    ],
    [
      'a text with secrets in it',
      { body: { $concat: ['Bearer "', { $secret: 'env:T' }, 'x${env:U}'] } },
      '     "Bearer \\"${env:T}x\\u0024{env:U}"\n',
    ],
    [
      'a text with secrets that is encoded',
      { body: [{ $concat: ['me:', { $secret: 'env:T' }], encoding: 'base64' }] },
      '     ["base64(me:${env:T})"]\n',
    ],
    ['no body', {}, '  1. PUT http://h/x\n     # a_b.c#1:'],
    ['an empty body', { body: '' }, '     ""\n'],
    ['a null body', { body: null }, '     null\n'],
  ])('shows %s', (_, over, expected) => expect(shown(put(over))).toContain(expected))

  it.each<readonly [Auth, string]>([
    [
      { kind: 'header', name: 'authorization', template: 'Bearer {secret}', secret: { $secret: 'env:T' } },
      'authorization: Bearer $T',
    ],
    [{ kind: 'basic', user: 'u', password: { $secret: 'ssm:/p' } }, 'authorization: Basic base64(u:${ssm:/p})'],
    [
      { kind: 'basic', user: { $secret: 'env:U' }, password: { $secret: 'env:P' } },
      'authorization: Basic base64($U:$P)',
    ],
    [{ kind: 'query', name: 'key', secret: { $secret: 'env:T' } }, 'http://h/x?key=$T\n'],
    [
      {
        kind: 'oauth2',
        tokenUrl: 'https://id/t',
        clientId: 'me',
        clientSecret: { $secret: 'env:S' },
        client: 'header',
        parameters: { scope: 'a b', assertion: { $secret: 'ssm:/a', digest: 'hmac-sha256:77' } },
        send: { in: 'header', name: 'authorization', template: 'Bearer {token}' },
      },
      'authorization: Bearer (token from POST https://id/t with me, $S, ${ssm:/a})\n',
    ],
    [
      {
        kind: 'login',
        method: 'POST',
        url: 'https://h/in',
        headers: { 'x-k': { $concat: ['k ', { $secret: 'env:K' }] } },
        body: { user: 'u', password: { $secret: 'env:P' } },
        basic: { user: 'u', password: { $secret: 'env:B' } },
        token: { pointer: '/t' },
        send: { in: 'cookie', name: 'sid', template: '{token}' },
      },
      'cookie: sid=(token from POST https://h/in with $B, $K, $P)\n',
    ],
    [
      {
        kind: 'login',
        method: 'POST',
        url: 'https://h/in',
        token: { header: 'x-t' },
        send: { in: 'query', name: 'k', template: '{token}' },
      },
      'http://h/x?k=(token from POST https://h/in)\n',
    ],
    [
      {
        kind: 'login',
        method: 'POST',
        url: 'https://h/in',
        basic: { user: 'u', password: { $secret: 'env:B' } },
        always: true,
        token: { header: 'x-t' },
        send: { in: 'header', name: 'x-t', template: '{token}' },
        also: [{ token: { pointer: '/c' }, send: { in: 'cookie', name: 'c', template: '{token}' } }],
      },
      'authorization: Basic base64(u:$B)\n     x-t: (token from POST https://h/in with $B)\n     cookie: c=(token from POST https://h/in with $B)\n',
    ],
    [
      {
        kind: 'sigv4',
        region: 'eu-west-1',
        service: 'es',
        accessKeyId: { $secret: 'env:ID' },
        secretAccessKey: { $secret: 'env:S' },
        sessionToken: { $secret: 'env:T' },
      },
      'authorization: AWS4-HMAC-SHA256 (for es in eu-west-1, with $ID, $S, $T)\n',
    ],
  ])('shows who sends it: %j', (auth, expected) => expect(shown(put({ auth }))).toContain(expected))

  it.each<readonly [Precondition | undefined, string]>([
    [undefined, 'sent without a precondition'],
    [
      { kind: 'reread', digest: 'sha256:1', identity: { keys: { name: 'a' }, ids: { id: '7' } } },
      'only if a new read still matches this plan; destroys the object with name a, id 7',
    ],
    [
      { kind: 'etag', etag: 'W/"7"' },
      'only if a new read still matches this plan, and its version is still W/"7" (If-Match)',
    ],
    [
      { kind: 'field', pointer: '/rev', value: 7 },
      'only if a new read still matches this plan, and /rev is unchanged (the API compares)',
    ],
    [{ kind: 'reread', digest: 'sha256:77' }, 'only if a new read still matches this plan'],
    [{ kind: 'absent' }, 'only if a new read still finds nothing'],
    [
      { kind: 'absent', sentBy: '01J' },
      'only if a new read still finds nothing; apply 01J sent a create before, with an unknown result',
    ],
    [{ kind: 'chained' }, 'only if a new read matches this plan and the earlier commands'],
    [
      { kind: 'made', object: 'main' },
      'only if a new read finds it as the earlier commands left it, and its version has not changed since',
    ],
    [
      { kind: 'absent', archived: { digest: 'sha256:77', identity: { keys: {}, ids: { id: '7' } } } },
      'only if a new read still finds it archived',
    ],
  ])('shows when it is sent: %j', (precondition, expected) => {
    const { precondition: _, ...bare } = aCommand({ address: 'a_b.c', request: put() })
    const page = renderCommands([{ ...bare, ...(precondition && { precondition }) }], { width: 300 })
    expect(page).toContain(expected)
    expect(page).not.toContain('sha256:77')
  })

  it('stands in the order of sending, numbered', () => {
    const commands = Array.from({ length: 12 }, (_, n) =>
      aCommand({ address: `a_b.c${n}`, request: put({ url: `http://h/${n}` }) }),
    )
    const page = renderCommands(commands)
    expect([...page.matchAll(/^ +(\d+)\. PUT http:\/\/h\/(\d+)$/gm)].map(([, n, url]) => [n, url])).toEqual(
      commands.map((_, n) => [String(n + 1), String(n)]),
    )
  })
})

it('names an object that is written back, and shows what is put in', () => {
  const body = {
    $live: 'dss_dataset.d#metadata',
    digest: 'hmac-sha256:00',
    except: [],
    without: ['/versionTag'],
    with: { '/tags': ['t'], '/secret': { $secret: 'env:X' } },
  }
  expect(shown(put({ body }), 200)).toContain(
    '(metadata of dss_dataset.d, as it is read right before without /versionTag) with {"/tags":["t"],"/secret":"$X"}',
  )
  expect(shown(put({ body }), 40)).not.toContain('hmac')
})

it('what a command loses and what it moves are told apart', () => {
  const told = (place: 'loses' | 'moves'): string => JSON.stringify(lossWords({ [place]: ['/rules'] }))
  expect(told('loses')).toMatch(/it has more, which is lost: .*\/rules/)
  expect(told('moves')).toMatch(/elements that are not ours change their places in .*\/rules/)
})
