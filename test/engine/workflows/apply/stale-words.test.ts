import { expect, it } from 'vitest'
import type { Command, Precondition } from '../../../../core/engine/schema/command.ts'
import { staleWords } from '../../../../core/engine/workflows/apply/execution/execute-commands.ts'

const command = (precondition: Precondition | undefined, headers: Record<string, string> = {}): Command => ({
  id: 'a.b#1',
  address: 'a.b',
  action: 'update',
  description: '',
  dependsOn: [],
  grade: 'lossy',
  request: { method: 'PUT', url: 'http://x', effect: 'write', headers },
  ...(precondition === undefined ? {} : { precondition }),
})
const etag: Precondition = { kind: 'etag', etag: '"1"' }

it.each<[string, Command, number, boolean]>([
  ['an ETag and 412', command(etag), 412, true],
  ['an ETag and 409', command(etag), 409, true],
  ['an ETag and another failure', command(etag), 422, false],
  ['a generation and 409', command({ kind: 'field', pointer: '/v', value: 1 }), 409, true],
  ['a later command with a version', command({ kind: 'chained', object: 'main' }), 412, true],
  ['a later command without one', command({ kind: 'chained' }), 412, false],
  ['a create that says that there is none', command({ kind: 'absent' }, { 'If-None-Match': '*' }), 412, true],
  ['a create whose name is taken', command({ kind: 'absent' }, { 'If-None-Match': '*' }), 409, false],
  ['a create that says nothing', command({ kind: 'absent' }), 412, false],
  ['a write that was read again', command({ kind: 'reread', digest: 'sha256:0' }), 409, false],
  ['a write without a precondition', command(undefined), 412, false],
])(
  'a refusal counts as a stale write exactly if the precondition of the request can cause it: %s',
  (_name, given, status, isStale) => {
    expect(staleWords(given, status, 'told') !== undefined).toBe(isStale)
  },
)

it('names the object and what the target said', () => {
  expect(staleWords(command(etag), 412, 'told')).toBe(
    'a.b changed since it was read for a.b#1: the target refused the stale write (412): told',
  )
})
