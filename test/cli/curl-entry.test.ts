import { describe, expect, it } from 'vitest'
import { emptyHead, link } from '../../core/ledger/link.ts'
import { curlOfEntry } from '../../functions/cli/curl-entry.ts'
import { aCommand } from '../builders/commands.ts'
import { aDraft } from '../builders/records.ts'

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

describe('an entry as a line for a shell', () => {
  it.each([
    ['intent', 'was to be sent'],
    ['logged', 'was logged in check mode, and not sent'],
  ] as const)('%s says when, who and which, and asks for secrets where it runs', (kind, fate) => {
    const [comment, ...command] = curlOfEntry(entry(kind))?.split('\n') ?? []
    expect(comment).toMatch(/^# 1 \d{4}-\d\d-\d\dT\S+ \S+: \S+#1 /)
    expect(comment).toContain(fate)
    expect(command.join(' ')).toMatch(/^curl .*"\$APP_PASSWORD".*http:\/\/127\.0\.0\.1\/users\/app/)
  })
  it('says that an attempt was about to leave, and does not repeat its request', () => {
    expect(curlOfEntry(entry('attempt'))).toMatch(/^# 1 \S+ \S+: \S+#1 was about to leave, attempt 2\n$/)
  })
  it('has nothing to say of a result: its request stands at the intent', () => {
    expect(curlOfEntry(entry('result'))).toBeUndefined()
  })
})
