import { expect, it } from 'vitest'
import { redactCommand } from '../../../core/engine/ledger/redact.ts'
import type { Request } from '../../../core/engine/schema/command.ts'
import { aCommand } from '../../builders/values/commands.ts'

const base: Request = { method: 'PUT', url: 'https://api.example/v1/users/a?force=true', effect: 'write' }
const canary = 'c4n4ry'
const aWaiter = {
  when: { statuses: [202] },
  ok: [],
  error: [],
  absent: [404],
  intervalSeconds: 1,
  backoff: 1,
  timeoutSeconds: 60,
}

it('a command that holds only references stays as it is', () => {
  const command = aCommand('pdns_zone.main#1', {
    request: {
      ...base,
      headers: { 'content-type': 'application/json', 'if-match': '"3"' },
      auth: { kind: 'header', name: 'Authorization', template: 'Bearer {secret}', secret: { $secret: 'env:TOKEN' } },
      body: {
        password: { $secret: 'env:PASSWORD', digest: 'hmac-sha256:00' },
        password_hash: { $sealed: 'hmac-sha256:01' },
        token: '',
        name: 'token',
        nested: [{ secret: { $concat: ['a', { $secret: 'env:B' }] }, ttl: 1, on: true, none: null }],
      },
    },
  })
  expect(redactCommand(command)).toEqual(command)
})

it.each<[string, Partial<Request>]>([
  ['a header', { headers: { Authorization: `Bearer ${canary}` } }],
  ['a vendor header', { headers: { 'X-API-Key': canary } }],
  ['another vendor header', { headers: { 'x-vault-token': canary } }],
  ['a cookie', { headers: { cookie: canary } }],
  ['a user in the address', { url: `https://ada:${canary}@api.example/v1` }],
  ['a query', { url: `https://api.example/v1?a=1&access_token=${canary}&b=2` }],
  ['a body', { body: { password: canary } }],
  ['a nested body', { body: { users: [{ name: 'a', client_secret: canary }] } }],
  ['a body member in other spelling', { body: { apiKey: canary, 'private-key': canary } }],
  ['a JSON patch', { body: [{ op: 'add', path: '/user/password', value: canary }] }],
  ['an object that goes back', { body: { $live: 'a.b#c', with: { '/user/api_key': canary } } }],
])('plain text at a place for credentials is removed: %s', (_, part) => {
  const request = { ...base, ...part }
  const wait = [{ ...aWaiter, request }]
  const kept = JSON.stringify(redactCommand(aCommand('pdns_zone.main#1', { request, inverse: request, wait })))
  expect(kept).not.toContain(canary)
  expect(kept).toContain('[redacted]')
})

it('the text around a removed secret stays', () => {
  const mark = { $after: 'a.b', pointer: '/id' }
  const url = ['https://ada:x@api.example/', mark, '?a=1&token=x&b=@2#c']
  const { request } = redactCommand(
    aCommand('pdns_zone.main#1', { request: { ...base, url, body: { password: 'x', ttl: 60 } } }),
  )
  expect(request.url).toEqual(['https://[redacted]@api.example/', mark, '?a=1&token=[redacted]&b=@2#c'])
  expect(request.body).toEqual({ password: '[redacted]', ttl: 60 })
})
