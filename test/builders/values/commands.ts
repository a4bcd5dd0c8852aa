import type { Command, Request } from '../../../core/engine/schema/command.ts'

export const aRequest = (changes: Partial<Request> = {}): Request => ({
  method: 'PUT',
  url: 'http://127.0.0.1/things/a',
  effect: 'write',
  body: { size: 1 },
  ...changes,
})

/** `aCommand('thing.a#2')` belongs to `thing.a`. */
export const aCommand = (id: string, changes: Partial<Command> = {}): Command => ({
  id,
  address: id.split('#')[0] ?? id,
  action: 'update',
  description: `change ${id}`,
  request: aRequest({ url: `http://127.0.0.1/${encodeURIComponent(id)}` }),
  grade: 'reversible',
  dependsOn: [],
  ...changes,
})
