import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../../functions/adapters/clock.ts'
import { authenticate } from '../../../../functions/api/middleware/authenticate.ts'
import { createClient } from '../../../../functions/cli/backend/http-client.ts'
import { createSign } from '../../../../functions/cli/sign-in/sign-request.ts'
import { type Heard, startServer } from '../../../builders/servers/loopback.ts'
import { startMachinesDoor } from '../../../builders/servers/machines-door.ts'
import { runCommand } from '../../../builders/workspaces/command.ts'

const arn = 'arn:aws:sts::123456789012:assumed-role/ci/run-7'
const key = {
  id: 'ASIAPLANTEDKEYID7WXY',
  secret: 'planted/secret+of=the-key',
  sessionToken: 'planted+session/token==',
  region: 'eu-central-1',
}
const variables = {
  AWS_ACCESS_KEY_ID: key.id,
  AWS_SECRET_ACCESS_KEY: key.secret,
  AWS_SESSION_TOKEN: key.sessionToken,
  AWS_REGION: key.region,
}

/** The function behind the authorizer, for one route. */
const tellCaller = (_: Heard, response: ServerResponse): void => {
  const access = {
    SCOPE_PREFIX: '',
    REQUIRED_SCOPES_IAM: { 'arn:aws:sts::123456789012:assumed-role/ci/*': [{ scope: 'read', workspaces: 'acme-*' }] },
  } as const
  const { actor, rights } = authenticate({ iam: { userArn: arn, accountId: '123456789012' } }, access)
  response.end(JSON.stringify({ subject: actor.subject, issuer: actor.issuer, rights }))
}

const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  runCommand(args, { folder: tmpdir(), variables: { ...variables, ...more } })

const secrets = [key.id, key.secret, key.sessionToken]
const expectNoSecret = (text: string): void => {
  for (const secret of secrets) expect(text).not.toContain(secret)
}

describe('requests with --sign aws', () => {
  it('are accepted by whoever computes the signature anew, and whoami tells the ARN', async () => {
    await using door = await startMachinesDoor(key, tellCaller)
    const { code, stdout, stderr } = await run(['whoami', '--endpoint', door.url, '--sign', 'aws'])
    expect([code, stderr, door.refused]).toEqual([0, '', []])
    expect(stdout).toContain(`${arn} at ${door.url}\n  read          acme-*`)
    const byVariable = await run(['whoami', '--json'], { PLUMBLINE_ENDPOINT: door.url, PLUMBLINE_SIGN: 'aws' })
    expect(JSON.parse(byVariable.stdout)).toMatchObject({ subject: arn, issuer: 'aws:123456789012' })
    expect(door.passed.map(({ url }) => url)).toEqual(['/v1/me', '/v1/me'])
  })

  it('are not what login is for', async () => {
    const { code, stderr } = await run(['login', '--endpoint', 'https://plumbline.acme.example', '--sign', 'aws'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('leave one of them out')])
  })

  it.each([
    ['a key that the account does not know', { AWS_ACCESS_KEY_ID: 'ASIAPLANTEDOTHERWXYZ' }, 'unknown key', 'WXYZ'],
    ['another secret', { AWS_SECRET_ACCESS_KEY: 'planted-other' }, 'signature', '7WXY'],
    ['no session token', { AWS_SESSION_TOKEN: '' }, 'session token', '7WXY'],
    ['another region', { AWS_REGION: 'eu-west-1' }, 'scope eu-west-1/execute-api', '7WXY'],
  ])('are refused with %s, in words that show the end of the id of the key alone', async (_, more, why, end) => {
    await using door = await startMachinesDoor(key, tellCaller)
    const { code, stdout, stderr } = await run(['whoami', '--endpoint', door.url, '--sign', 'aws'], more)
    expect([code, stdout, door.refused]).toEqual([1, '', [why]])
    expect(stderr).toContain(
      `${door.url} refuses what the access key ...${end} signed: its IAM authorizer answered "Forbidden"`,
    )
    expect(stderr).toMatch(/execute-api:Invoke.*machines/)
    expectNoSecret(stderr)
    expect(stderr).not.toMatch(/planted|ASIA/)
  })

  const clientOf = async (url: string, clock = systemClock) => {
    const sign = await createSign(url, { variables, clock })
    const endpoint = { url, token: async () => expect.unreachable(), sign: async () => sign }
    return createClient(endpoint, '0.0.0')
  }

  it.each([
    ['a space, a plus and signs of the alphabet of the URL', [['glob', "a b+c*~'()!:/?#[]@$&,;=%"]]],
    [
      'a name that comes twice, and an empty value',
      [
        ['to', '2'],
        ['to', '1'],
        ['from', ''],
      ],
    ],
    [
      'other alphabets',
      [
        ['größe', '鉛直 ½'],
        ['ä', '\u{1F4CF}'],
      ],
    ],
  ])('have a query with %s', async (_, pairs) => {
    await using door = await startMachinesDoor(key, (_, response) => response.end('{}'))
    const query = new URLSearchParams(pairs as [string, string][])
    await (await clientOf(door.url)).getText('/v1/things', 'text/plain', query)
    const [, sent = ''] = door.passed[0]?.url.split('?') ?? []
    expect([...new URLSearchParams(sent)]).toEqual(pairs)
    // A server may take a plus for a space or for itself.
    expect(sent).not.toContain('+')
  })

  it('have a path with encoded characters, below a path of the endpoint', async () => {
    await using door = await startMachinesDoor(key, (_, response) => response.end('{}'))
    await (await clientOf(`${door.url}/base%20path`)).get(`/v1/x/${encodeURIComponent('a/b c:[0]%é')}`)
    expect(door.passed[0]?.url).toBe('/base%20path/v1/x/a%2Fb%20c%3A%5B0%5D%25%C3%A9')
  })

  it('have a body, and are signed at the time of their clock', async () => {
    const at = new Date('2026-02-28T23:59:59.900Z')
    await using door = await startMachinesDoor(
      key,
      (_, response) => response.end('{}'),
      () => at,
    )
    const client = await clientOf(door.url, { ...systemClock, now: () => at })
    await client.put('/v1/workspaces/acme', { text: 'ß\n\u{1F4CF}', list: [1, null] }, { 'reason of it': 'a b' })
    await client.post('/v1/workspaces/acme/apply', {}, { headers: { 'idempotency-key': 'a  b' } })
    expect(door.passed.map(({ method, body }) => [method, body])).toEqual([
      ['PUT', '{"text":"ß\\n\u{1F4CF}","list":[1,null]}'],
      ['POST', ''],
    ])
    expect(door.passed[0]?.headers['x-amz-date']).toBe('20260228T235959Z')
  })

  it('are sent nowhere else by a redirect', async () => {
    await using other = await startMachinesDoor(key, tellCaller)
    await using door = await startMachinesDoor(key, (_, response) =>
      response.writeHead(307, { location: `${other.url}/v1/me` }).end(),
    )
    const { code, stderr } = await run(['whoami', '--endpoint', door.url, '--sign', 'aws'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('ENDPOINT_FAILED')])
    expect([door.passed.length, other.passed.length, other.refused.length]).toEqual([1, 0, 0])
  })

  const problem = (code: string, detail: string) => JSON.stringify({ code, detail })

  it.each<[string, number, string, Record<string, string>, RegExp]>([
    [
      'a missing route',
      403,
      '{"message":"Missing Authentication Token"}',
      {},
      /no such route for signed.*\(SIGNATURE_REFUSED\)/s,
    ],
    [
      'the endpoint for tokens',
      401,
      '{"message":"Unauthorized"}',
      {},
      /the endpoint for tokens.*\(SIGNATURE_REFUSED\)/s,
    ],
    [
      'a server that knows tokens',
      401,
      problem('UNAUTHENTICATED', 'no token'),
      {},
      /takes tokens, and no sig.*\(SIGNATURE_REFUSED\)/s,
    ],
    [
      'a text that quotes what was signed',
      403,
      `{"message":"The canonical string was x-amz-security-token:${key.sessionToken}"}`,
      {},
      /: status 403\n.*\(SIGNATURE_REFUSED\)/s,
    ],
    ['a member of every object', 403, '{"message":"constructor"}', {}, /: status 403\n.*\(SIGNATURE_REFUSED\)/s],
    [
      'a clock that is behind',
      403,
      '{"message":"Forbidden"}',
      { date: new Date(Date.now() + 3_600_000).toUTCString() },
      /this machine is 60 minutes behind that of the endpoint.*\(SIGNATURE_REFUSED\)/s,
    ],
    [
      'a caller without rights',
      403,
      problem('SCOPE_MISSING', 'the token lacks the scope "read"'),
      {},
      /lacks the scope "read"; the setting `machines` gives rights to the ARN.*\.\.\.7WXY.*\(SCOPE_MISSING\)/s,
    ],
    [
      'an error of the function',
      404,
      problem('ROUTE_NOT_FOUND', 'GET /v1/me does not exist'),
      {},
      /GET \/v1\/me does not exist.*\(ROUTE_NOT_FOUND\)/s,
    ],
    ['an error of the gateway', 502, '{"message":"Bad Gateway"}', {}, /status 502.*\(ENDPOINT_FAILED\)/s],
  ])('tell %s apart from other refusals', async (_, status, body, headers, says) => {
    await using server = await startServer((_, response) => response.writeHead(status, headers).end(body))
    const { code, stderr } = await run(['whoami', '--endpoint', server.url, '--sign', 'aws'])
    expect([code === 0, stderr]).toEqual([false, expect.stringMatching(says)])
    expectNoSecret(stderr)
  })
})

describe('the option --sign', () => {
  const at = ['--endpoint', 'http://127.0.0.1:9']
  it.each<[string, readonly string[], Record<string, string>, string]>([
    ['another word', [...at, '--sign', 'gcp'], {}, '--sign is "gcp"; write aws'],
    ['another word in the variable', at, { PLUMBLINE_SIGN: 'yes' }, 'PLUMBLINE_SIGN is "yes"; write aws'],
    ['a token too', [...at, '--sign', 'aws', '--token', 'planted'], {}, '--sign and --token are two ways'],
    [
      'a token in the variable',
      [...at, '--sign', 'aws'],
      { PLUMBLINE_TOKEN: 'planted' },
      '--sign and PLUMBLINE_TOKEN are',
    ],
    ['no endpoint', ['--sign', 'aws'], {}, '--sign signs requests to an endpoint; name it with --endpoint'],
  ])('is refused with %s', async (_, args, more, says) => {
    const { code, stderr } = await run(['whoami', ...args], more)
    expect([code, stderr]).toEqual([1, expect.stringContaining(says)])
    expect(stderr).not.toContain('planted')
  })

  it('is not needed: without it and without a token, nothing says who asks', async () => {
    await using server = await startServer(({ headers }, response) => {
      expect(headers.authorization ?? headers['x-amz-date']).toBeUndefined()
      tellCaller({} as Heard, response)
    })
    expect(await run(['whoami', '--endpoint', server.url], { HOME: tmpdir() })).toMatchObject({ code: 0 })
  })
})

/** Of docs/cli-endpoint.md, which has it with an address of AWS. */
const hasCurl = /AWS_SIGV4|aws-sigv4/i.test(spawnSync('curl', ['--help', 'all']).stdout?.toString() ?? '')

describe.skipIf(!hasCurl)('the line for curl in docs/cli-endpoint.md (skipped where curl cannot sign)', () => {
  it('makes a request that the door accepts', async () => {
    const [line = ''] = /^curl [^`]*?\/v1\/me"$/m.exec(await readFile('docs/cli-endpoint.md', 'utf8')) ?? []
    expect(line).toContain('--aws-sigv4 "aws:amz:$AWS_REGION:execute-api"')
    await using door = await startMachinesDoor(key, tellCaller)
    const env = { PATH: process.env['PATH'], ...variables, PLUMBLINE_ENDPOINT: door.url }
    const { stdout } = await promisify(execFile)('sh', ['-ec', line], { env })
    expect([JSON.parse(stdout).subject, door.refused]).toEqual([arn, []])
  })
})
