import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { watchGaps } from '../../../functions/cli/backend/ledger-gaps.ts'
import { eachOf } from '../../builders/long.ts'
import { aLoopback } from '../../builders/servers/loopback.ts'
import { runCommand } from '../../builders/workspaces/command.ts'

/* What the command does with an endpoint that is none, or that somebody else answers for. */

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plumbline-endpoint-'))
})
afterEach(() => rm(home, { recursive: true }))
const run = (...args: readonly string[]) => runCommand(args, { folder: home, variables: { HOME: home } })

describe('an endpoint', () => {
  test.each([
    ['without TLS on another machine', 'http://192.0.2.2:9960', 'is not an https address'],
    ['with a name that begins like this machine', 'http://localhost.evil.test', 'is not an https address'],
    [
      'with a password and another scheme',
      'ftp://ada:canary-password@plumbline.acme.example',
      'is not an http or https',
    ],
    ['with an empty fragment', 'https://plumbline.acme.example/#', 'is not an http or https'],
    ['with a password and no address', 'https://ada:canary-password@plumb line', 'is not an http or https'],
    ['with a password and no user', 'https://:canary-password@plumbline.acme.example', 'has a user or a password'],
    ['with a password', 'https://ada:canary-password@plumbline.acme.example', 'has a user or a password'],
  ])('%s is refused before anything is sent', async (_, endpoint, words) => {
    const { code, stderr } = await run('whoami', '--endpoint', endpoint, '--token', 'canary-token')
    expect([code, stderr]).toEqual([1, expect.stringContaining(words)])
    expect(stderr).not.toContain('canary')
  })

  test.each([
    'http://ada:canary@127.0.0.1:9/',
    'http://:canary@127.0.0.1:9/',
    'ftp://ada:canary@127.0.0.1/',
    'http://ada:canary@a b/',
  ])('for alerts is refused with a password, which is not repeated: %j', async (address) => {
    const { code, stdout, stderr } = await run('dev', '--port', '0', '--webhook', address)
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('has a user or a password in it')])
    expect(stderr).not.toContain('canary')
  })

  eachOf(
    test,
    1,
  )([
    ['too much', gzipSync(Buffer.alloc(80_000_000, 'a')), 'more than 64000000 bytes'],
    ['nobody', Buffer.from('{"subject":null,"rights":"all"}'), 'something that is no caller'],
    ['rights that are none', Buffer.from('{"subject":"ada","rights":[7]}'), 'something that is no caller'],
  ])('that answers %s is told as such', async (_, body, words) => {
    await using server = await aLoopback((_request, response) => {
      const headers = body[0] === 0x1f ? { 'content-encoding': 'gzip' } : {}
      response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body)
    })
    const { code, stderr } = await run('whoami', '--endpoint', server.url, '--token', 'x')
    expect([code, stderr]).toEqual([1, expect.stringContaining(words)])
    expect(stderr).toContain('ENDPOINT_FAILED')
  })
})

test.each([
  ['a whole export', [1, 2, 3], 3, undefined],
  ['an empty one', [], 0, undefined],
  ['one without an entry', [1, 3], 3, 'entry 2 is missing'],
  ['one without the last', [1, 2], 3, 'entry 3 is missing'],
  ['one without several', [2, 5], 6, 'entries 1, 3 to 4, 6 are missing'],
])('gaps are found in %s', (_, seqs, entries, words) => {
  const gaps = watchGaps()
  for (const seq of seqs) gaps.look(JSON.stringify({ seq, hash: 'x' }))
  gaps.look(JSON.stringify({ entries, head: 'y' }))
  expect(gaps.words()).toBe(words)
})
