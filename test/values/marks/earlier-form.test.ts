import { describe, expect, it } from 'vitest'
import { renderLedger } from '../../../core/render/plain/render-ledger.ts'
import type { PlannedRequest, Waiter } from '../../../core/schema/command.ts'
import type { LedgerEntry } from '../../../core/schema/stored/records.ts'
import { currentPlan, loggedCommand } from '../../../core/values/marks/earlier-form.ts'
import { curlOfEntry } from '../../../functions/cli/terminal/curl-entry.ts'
import { aCommand } from '../../builders/values/commands.ts'
import { fullPlan } from '../../builders/values/plans.ts'

const text = 'http://h/zones/{after:zone.a:/ids/id}/keys?v={after:zone.a:/versions/main}'
const parts = [
  'http://h/zones/',
  { $after: 'zone.a', pointer: '/ids/id' },
  '/keys?v=',
  { $after: 'zone.a', pointer: '/versions/main' },
]
const request: PlannedRequest = { method: 'PUT', url: text, effect: 'write' }
const wait = [{ request } as unknown as Waiter]
const earlier = aCommand('zone.a#2', { request, inverse: request, wait })
const urlsOf = ({ request, inverse, wait }: typeof earlier) => [request.url, inverse?.url, wait?.[0]?.request.url]

const entry = (more: Partial<LedgerEntry>): LedgerEntry =>
  ({
    seq: 1,
    at: '2026-01-01T00:00:00Z',
    kind: 'intent',
    actor: { subject: 'local:ada', via: 'cli' },
    reason: 'r',
    command: JSON.parse(JSON.stringify(earlier)),
    ...more,
  }) as unknown as LedgerEntry

describe('commands as they were stored before', () => {
  it('are read in a plan, in which only they change', () => {
    const stored = { ...fullPlan, formatVersion: '1' as const, commands: [earlier] }
    const read = currentPlan(stored)
    expect(read.commands.map(urlsOf)).toEqual([[parts, parts, parts]])
    expect({ ...read, commands: [] }).toEqual({ ...fullPlan, commands: [] })
  })

  it('are read in a ledger', () => {
    const command = loggedCommand(entry({}))
    expect(command && urlsOf(command)).toEqual([parts, parts, parts])
    expect(curlOfEntry(entry({}))).toContain('after_zone_a_ids_id:?')
    expect(renderLedger([entry({})], { width: 400 })).toContain('(known after apply: zone.a /ids/id)')
  })

  it('are none where the entry says so: then a text is a text', () => {
    expect(loggedCommand(entry({ formatVersion: '2' }))?.request.url).toBe(text)
    const stored = { ...fullPlan, commands: [earlier] }
    expect(currentPlan(stored).commands).toEqual([earlier])
  })

  it.each([undefined, {}, { id: 'a' }, { id: 'a', request: { method: 'GET' } }])('cannot be read: %j', (command) => {
    expect(loggedCommand(entry({ command } as Partial<LedgerEntry>))).toBeUndefined()
  })
})
