import { expect, test } from 'vitest'
import type { Apply, Progress } from '#core'
import { sentApply } from '../../../functions/cli/backend/sent-apply.ts'
import { anApply } from '../../builders/values/records.ts'

test('an apply at an endpoint is watched command by command', async () => {
  const sending = (id: string) => ({ command: id, description: `change ${id}`, since: '2026-11-21T06:10:00.000Z' })
  const succeeded = (command: string) => ({ command, status: 'succeeded' as const })
  const rounds: Apply[] = [
    anApply(1, { status: 'running', progress: { sending: [sending('a#1')], waiting: 1 } }),
    anApply(1, { status: 'running', progress: { sending: [sending('a#1')], waiting: 1 } }),
    anApply(1, {
      status: 'running',
      outcomes: [succeeded('a#1')],
      progress: { sending: [sending('b#1')], waiting: 0 },
    }),
    anApply(1, { status: 'succeeded', outcomes: [succeeded('a#1'), succeeded('b#1')] }),
  ]
  const told: Progress[] = []
  const watch = { progress: (event: Progress) => void told.push(event), signal: new AbortController().signal }
  const client = { post: async () => anApply(1), get: async () => rounds.shift() }
  const remote = { client, host: { clock: { sleep: async () => {} } } }
  const request = { workspace: 'acme', mode: 'execute', digest: 'sha256:0', reason: 'repair' } as const
  await sentApply.remote({ request, watch }, remote as never)
  expect(told).toEqual([
    { step: 'command', id: 'a#1', description: 'change a#1', n: 1, of: 2 },
    { step: 'outcome', id: 'a#1', status: 'succeeded' },
    { step: 'command', id: 'b#1', description: 'change b#1', n: 2, of: 2 },
    { step: 'outcome', id: 'b#1', status: 'succeeded' },
  ])
})
