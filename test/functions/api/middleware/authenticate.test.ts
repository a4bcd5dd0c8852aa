import { describe, expect, test } from 'vitest'
import { type Access, authenticate } from '../../../../functions/api/middleware/authenticate.ts'
import { readRight } from '../../../../functions/rights.ts'

const open: Access = { SCOPE_PREFIX: '' }
const jwt = (claims: Record<string, unknown>) => ({
  jwt: { claims: { sub: 'ada', iss: 'https://issuer.example', ...claims }, scopes: null },
})
const rights = (text: string) => text.split(' ').flatMap((word) => readRight(word) ?? [])
const iam = (userArn: string) => ({ iam: { accessKey: 'AKIA', accountId: '123456789012', userArn, userId: 'u' } })
const scopes = (authorizer: unknown, access = open) =>
  authenticate(authorizer, access)
    .rights.map(({ scope, workspaces }) => (workspaces === '*' ? scope : `${scope}:${workspaces}`))
    .sort()

describe('scopes of a token', () => {
  test.each([
    ['text', { scope: 'read check' }, ['check', 'read']],
    ['text with more spaces', { scope: '  read  apply ' }, ['apply', 'read']],
    ...['\t', '\n', '\u00a0', '\u2028', '\ufeff', '\u3000', '\v'].map(
      (space): [string, Record<string, unknown>, string[]] => [
        `one token with another space: ${JSON.stringify(space)}`,
        { scope: `x${space}read`, scp: [`x${space}apply`, `check${space}`], scopes: `[${space}check]` },
        [],
      ],
    ),
    ['array as API Gateway writes it', { scopes: '[read apply]' }, ['apply', 'read']],
    ['array', { scopes: ['read', 'check'] }, ['check', 'read']],
    ['scp as text', { scp: 'apply' }, ['apply']],
    ['scp as array', { scp: ['apply'] }, ['apply']],
    ['several claims together', { scope: 'read', scp: ['check'] }, ['check', 'read']],
    ['one that several claims give, once', { scope: 'read read:*', scp: ['read'] }, ['read']],
    ['foreign ones beside', { scope: 'openid email read' }, ['read']],
    ['none', {}, []],
    ['empty', { scope: '' }, []],
    ['empty array', { scopes: '[]' }, []],
    ['another case', { scope: 'READ Apply' }, []],
    ['part of a word', { scope: 'readapply apply2 xread' }, []],
    ['joined by commas', { scope: 'read,apply' }, []],
    ['of another API', { scope: 'other/apply https://x/apply' }, []],
    ['not a text', { scope: 7, scopes: { read: true }, scp: null }, []],
    ['array of no texts', { scopes: [['apply'], 1] }, []],
    ['of one workspace', { scope: 'read:acme check:acme-dns' }, ['check:acme-dns', 'read:acme']],
    ['of workspaces that begin so', { scp: ['apply:acme-*', 'read:*'] }, ['apply:acme-*', 'read']],
    ['of no workspace', { scope: 'apply: apply:: read:ACME check:-a apply:a_b read:a,b' }, []],
    ['with a star in another place', { scope: 'apply:*-dns apply:a*b apply:** apply:a?' }, []],
    ['of two workspaces in one word', { scope: 'apply:a:b' }, []],
    ['of a name that is too long', { scope: `apply:${'a'.repeat(64)}` }, []],
    ['of anything instead of a scope', { scope: '*:acme * admin:acme APPLY:acme' }, []],
  ])('are read from its claims: %s', (_, claims, expected) => {
    expect(scopes(jwt(claims))).toEqual(expected)
  })

  test('are only those with the prefix, where one is set', () => {
    expect(scopes(jwt({ scope: 'plumbline/read apply other/check' }), { SCOPE_PREFIX: 'plumbline/' })).toEqual(['read'])
  })
})

describe('rights by groups', () => {
  const byGroup: Access = {
    SCOPE_PREFIX: 'plumbline/',
    GROUPS_CLAIM: 'cognito:groups',
    GROUP_RIGHTS: {
      ops: rights('read check:acme-*'),
      owners: rights('read apply irreversible:acme-dns'),
      'a b': rights('apply'),
    },
  }
  const scope = 'plumbline/read plumbline/check:acme-d* plumbline/apply plumbline/irreversible'
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const tokenWith = (groups: unknown, sub = 'ada') =>
    `Bearer ${part({ alg: 'RS256' })}.${part({ sub, iss: 'https://issuer.example', 'cognito:groups': groups })}.c2ln`
  const of = (header: string | undefined, access = byGroup) =>
    authenticate(jwt({ scope, 'cognito:groups': '[ops owners]' }), access, header)
      .rights.map(({ scope, workspaces }) => `${scope}:${workspaces}`)
      .toSorted()

  test.each([
    ['of one group, as far as the scopes go', ['ops'], ['check:acme-d*', 'read:*']],
    ['of all groups', ['owners', 'ops'], ['apply:*', 'check:acme-d*', 'irreversible:acme-dns', 'read:*']],
    ['a text that is one group', 'owners', ['apply:*', 'irreversible:acme-dns', 'read:*']],
    ['a name with a space, as a whole', ['a b'], ['apply:*']],
    ['a name that has one as a word', ['x ops', 'ops owners', '[ops owners]'], []],
    ['no group', [], []],
    ['a name of the language', ['constructor', '__proto__'], []],
    ['no texts', [7, null, { ops: true }, ['ops']], []],
  ])('are those of the verified token: %s', (_, groups, expected) => {
    expect(of(tokenWith(groups))).toEqual(expected)
  })

  test.each([
    ['no token', undefined],
    ['the token of somebody else', tokenWith(['owners'], 'bo')],
    ['something that is no token', 'Bearer owners'],
    ['a payload that is no object', `Bearer ${part({})}.${part('owners')}.c2ln`],
    [
      'the groups twice',
      `Bearer ${part({})}.${Buffer.from('{"sub":"ada","iss":"i","cognito:groups":["x"],"cognito:groups":["owners"]}').toString('base64url')}.c2ln`,
    ],
    ['two tokens', `${tokenWith(['owners'])},${tokenWith(['owners'])}`],
  ])('are none where the header has %s', (_, header) => {
    expect(of(header)).toEqual([])
  })

  test('do not count where the settings name no groups', () => {
    expect(of(tokenWith(['owners']), { SCOPE_PREFIX: 'plumbline/' })).toEqual([
      'apply:*',
      'check:acme-d*',
      'irreversible:*',
      'read:*',
    ])
  })
})

test.each([
  ['a text of seconds, as API Gateway passes it', '1795240800', '2026-11-21T06:00:00.000Z'],
  ['a number', 1795240800, '2026-11-21T06:00:00.000Z'],
  ['nothing', undefined, undefined],
  ['no number', 'soon', undefined],
  ['more than a date has', '1e30', undefined],
])('the end of a token is read from %s', (_, exp, expected) => {
  expect(authenticate(jwt({ exp }), open).expiresAt).toBe(expected)
})

describe('the identity of a caller', () => {
  test('is the subject and issuer of a token', () => {
    expect(authenticate(jwt({}), open).actor).toEqual({ subject: 'ada', issuer: 'https://issuer.example', via: 'api' })
  })

  test('is the ARN of an IAM caller', () => {
    const caller = authenticate(iam('arn:aws:iam::123456789012:user/bo'), open)
    expect(caller.actor).toEqual({
      subject: 'arn:aws:iam::123456789012:user/bo',
      issuer: 'aws:123456789012',
      via: 'api',
    })
    expect(caller.rights).toEqual([])
  })

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['empty', {}],
    ['a text', 'admin'],
    ['another authoriser', { lambda: { sub: 'ada', scope: 'apply' } }],
    ['no subject', { jwt: { claims: { scope: 'apply' } } }],
    ...[
      undefined,
      null,
      '',
      ' ',
      1,
      true,
      {},
      [],
      ['ada'],
      'null',
      'undefined',
      '[ada]',
      '[]',
      '{}',
      '{"a":1}',
      'true',
      'false',
    ].map((sub): [string, unknown] => [`the subject ${JSON.stringify(sub)}`, jwt({ sub })]),
    ...[
      ...[' ada', 'ada\n', 'a\u0000da', 'a\u202eda', 'a\u200bda', 'ada\u00a0', 'a\u3000da', 'ad\u2028a'],
      ...['ada\u3164', 'ada\u115f', 'ada\u034f', 'ada\u2800', 'ada\uffa0', 'ada\ufe0f', '\u2800'],
    ].map((sub): [string, unknown] => [`a subject that looks like another: ${JSON.stringify(sub)}`, jwt({ sub })]),
    ...[undefined, null, '', 1, 'null'].map((iss): [string, unknown] => [
      `the issuer ${JSON.stringify(iss)}`,
      jwt({ iss }),
    ]),
    ['claims outside the token', { claims: { sub: 'ada', scope: 'apply' } }],
    ['an IAM context without an ARN', { iam: { accountId: '1', userArn: '' } }],
    ['a broken token beside a sound IAM context', { jwt: { claims: {} }, ...iam('arn:aws:iam::1:user/bo') }],
    ['a token context that is no object beside a sound IAM context', { jwt: 'x', ...iam('arn:aws:iam::1:user/bo') }],
  ])('is unknown with %s', (_, authorizer) => {
    expect(() => authenticate(authorizer, open)).toThrow(expect.objectContaining({ code: 'UNAUTHENTICATED' }))
  })
})

describe('the map of IAM callers', () => {
  const access: Access = {
    SCOPE_PREFIX: '',
    REQUIRED_SCOPES_IAM: {
      'arn:aws:sts::1:assumed-role/reviewer/*': rights('read check'),
      'arn:aws:sts::1:assumed-role/reviewer/bo': rights('apply:acme'),
      'arn:aws:iam::1:user/a.b': rights('read'),
    },
  }
  test.each([
    ['arn:aws:sts::1:assumed-role/reviewer/ada', ['check', 'read']],
    ['arn:aws:sts::1:assumed-role/reviewer/bo', ['apply:acme', 'check', 'read']],
    ['arn:aws:iam::1:user/a.b', ['read']],
    ['arn:aws:iam::1:user/axb', []],
    ['x-arn:aws:iam::1:user/a.b', []],
    ['arn:aws:iam::2:root', []],
    ['ARN:AWS:STS::1:ASSUMED-ROLE/REVIEWER/BO', []],
    ['arn:aws-cn:sts::1:assumed-role/reviewer/bo', []],
    ['arn:aws:sts::1:assumed-role/reviewers/bo', []],
    ['arn:aws:sts::1:assumed-role/reviewer', []],
  ])('gives the scopes of %s', (arn, expected) => {
    expect(scopes(iam(arn), access)).toEqual(expected)
  })

  test('is read quickly, however many stars a pattern has', () => {
    const pattern = `arn:aws:sts::1:assumed-role/${'*a'.repeat(30)}*/x`
    const caller = iam(`arn:aws:sts::1:assumed-role/${'a'.repeat(2_000)}/y`)
    expect(scopes(caller, { SCOPE_PREFIX: '', REQUIRED_SCOPES_IAM: { [pattern]: rights('apply') } })).toEqual([])
  })
})
