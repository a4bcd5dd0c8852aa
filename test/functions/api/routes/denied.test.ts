import { expect, test, vi } from 'vitest'
import type { Access } from '../../../../functions/api/middleware/authenticate.ts'
import { testApi, testDeps } from '../../../builders/aws/api.ts'

// Read when the logger is made; the other tests are silent.
vi.hoisted(() => {
  process.env['POWERTOOLS_LOG_LEVEL'] = 'INFO'
  process.env['POWERTOOLS_METRICS_DISABLED'] = 'false'
})

const access: Access = { SCOPE_PREFIX: '' }
const iss = 'https://login.acme.example'
const arn = 'arn:aws:sts::123456789012:assumed-role/ci/job'
const token = (scope: string) => ({ jwt: { claims: { sub: 'ada', iss, scope } } })

/** One call, and every line that it left on the log. */
const logged = async (authorizer: unknown, path = '/v1/workspaces/acme/runs') => {
  const texts: string[] = []
  const keep = (text: string | Uint8Array): boolean => texts.push(String(text)) > 0
  const streams = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(keep))
  const answer = await testApi(testDeps().deps, access)('GET', path, {
    authorizer,
    headers: { authorization: 'Bearer canary-token', cookie: 'canary-cookie' },
    query: 'canary=query',
  })
  for (const stream of streams) stream.mockRestore()
  const text = texts.join('')
  const lines = text.split('\n').filter((line) => line.startsWith('{'))
  return { answer, text, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

test.each([
  ['without a right', token('check:acme'), { code: 'SCOPE_MISSING', subject: 'ada', issuer: iss }],
  ['for another workspace', token('read:beta'), { code: 'SCOPE_MISSING', subject: 'ada', issuer: iss }],
  [
    'by a machine',
    { iam: { userArn: arn, accountId: '123456789012' } },
    { code: 'SCOPE_MISSING', subject: arn, issuer: 'aws:123456789012' },
  ],
  ['without a token', undefined, { code: 'UNAUTHENTICATED' }],
  ['without a subject', { jwt: { claims: { sub: null, iss, scope: 'read' } } }, { code: 'UNAUTHENTICATED' }],
])(
  'a call that is denied %s is logged and counted, and its instance finds the line',
  async (_, authorizer, expected) => {
    const { answer, lines, text } = await logged(authorizer)
    const denied = lines.filter(({ message }) => message === 'denied')
    expect(denied).toMatchObject([
      { ...expected, level: 'WARN', route: 'listRuns', workspace: 'acme', source: '192.0.2.1' },
    ])
    expect(answer.json['instance']).toBe('urn:plumbline:request:Vd2kQhJ1joEEPPA=')
    expect(denied[0]?.['instance']).toBe(answer.json['instance'])
    expect(lines.map((line) => line['CallsDenied']).filter((count) => count !== undefined)).toEqual([1])
    expect(text).not.toContain('canary')
  },
)

test('a call that is allowed is not counted', async () => {
  const { lines } = await logged(token('read:acme'))
  expect(lines.filter((line) => line['message'] === 'denied' || 'CallsDenied' in line)).toEqual([])
})

test('a name that nobody has checked is cut, and stays in its line of the log', async () => {
  const { lines } = await logged(token('read:acme'), `/v1/workspaces/${'%0a%22x'.repeat(50)}/runs`)
  expect(String(lines.find(({ message }) => message === 'denied')?.['workspace'])).toHaveLength(80)
})

test('every other line of the log names its request too', async () => {
  const { answer, lines } = await logged(token('read:acme'), '/v1/workspaces/acme/runs/none')
  expect(lines.length).toBeGreaterThan(0)
  expect(new Set(lines.map(({ instance }) => instance))).toEqual(new Set([answer.json['instance']]))
})

test('a text that a caller chose is escaped in its one line of the log', async () => {
  const hostile = [...Array(32).keys(), 0x7f, 0x85, 0x9b, 0x2028, 0x2029, 0x202e].map(
    (code) => `a${String.fromCodePoint(code)}[31m"}b`,
  )
  for (const text of hostile) {
    const authorizer = { jwt: { claims: { sub: text, iss: text, scope: 'check' } } }
    const path = `/v1/workspaces/${encodeURIComponent(text)}/runs/${encodeURIComponent(text)}`
    const { lines, text: whole } = await logged(authorizer, path)
    const denied = lines.filter(({ message }) => message === 'denied')
    expect(denied, JSON.stringify(text)).toHaveLength(1)
    // Nothing that a terminal or a reader of lines acts on stands there as it is.
    expect(whole.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u)
    expect(whole.split('\n').filter((line) => line !== '' && !line.startsWith('{'))).toEqual([])
  }
})
