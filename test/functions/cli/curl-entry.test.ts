import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyHead } from '../../../core/engine/ledger/chain.ts'
import { link } from '../../../core/engine/ledger/link.ts'
import { curlOfEntry } from '../../../functions/cli/terminal/curl-entry.ts'
import { aCommand } from '../../builders/values/commands.ts'
import { aDraft } from '../../builders/values/records.ts'

const request = {
  method: 'PUT',
  url: 'http://127.0.0.1/users/app',
  effect: 'write' as const,
  headers: { 'content-type': 'application/json' },
  body: { password: { $secret: 'env:APP_PASSWORD' } },
}
const entry = (kind: 'intent' | 'logged' | 'attempt' | 'result') =>
  link(emptyHead, {
    ...aDraft(1),
    kind,
    ...(kind === 'attempt' ? { attempt: 2 } : {}),
    command: JSON.parse(JSON.stringify(aCommand('pdns_zone.main#1', { request }))),
  })

describe('a ledger entry as a line for a shell', () => {
  it.each([
    ['intent', 'was to be sent'],
    ['logged', 'was logged in check mode, and not sent'],
  ] as const)('says for %s when, who and which, and asks for secrets where it runs', (kind, fate) => {
    const [comment, ...command] = curlOfEntry(entry(kind))?.split('\n') ?? []
    expect(comment).toMatch(/^# 1 \d{4}-\d\d-\d\dT\S+ \S+: \S+#1 /)
    expect(comment).toContain(fate)
    expect(command.join(' ')).toMatch(/^curl .*"\$APP_PASSWORD".*http:\/\/127\.0\.0\.1\/users\/app/)
  })
  it('cannot be escaped from by a chosen name: the line is a comment and one command', () => {
    const foreign = fc.array(
      fc.constantFrom('\n', '\r', '\u2028', '\u0085', "'", '"', '\u0000', '`', '$(touch x)', 'touch x', '\u202e', ';'),
    )
    fc.assert(
      fc.property(foreign, (parts) => {
        const intent = entry('intent')
        const text = curlOfEntry({ ...intent, actor: { subject: parts.join(''), via: 'api' } }) ?? ''
        const [comment = '', command = '', ...rest] = text.split('\n')
        expect([comment.startsWith('# '), command.startsWith('curl '), rest]).toEqual([true, true, ['']])
        expect(comment).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
      }),
    )
  })
  it('says that an attempt was about to be sent, and does not repeat its request', () => {
    expect(curlOfEntry(entry('attempt'))).toMatch(/^# 1 \S+ \S+: \S+#1 was about to be sent, attempt 2\n$/)
  })
  it('is empty for a result, whose request is in the entry of its intent', () => {
    expect(curlOfEntry(entry('result'))).toBeUndefined()
  })
})
