import { expect, it } from 'vitest'
import { formText } from '../../../../core/engine/diff/matching/keys.ts'
import type { ResourceType } from '../../../../core/engine/provider/provider.ts'
import type { ReadResult } from '../../../../core/engine/schema/resource.ts'
import { bindResources } from '../../../../core/engine/workflows/session/plan/bind-resources.ts'
import type { BoundResource } from '../../../../core/engine/workflows/session/plan/observation.ts'
import { locatedThen } from '../../../../core/engine/workflows/session/read/follow-parents.ts'
import { desiredOf } from '../../../builders/values/resources.ts'

const type: ResourceType = {
  name: 'api_zone',
  schema: { attributes: { name: { type: 'string', identity: true }, zone: { type: 'string' } } },
  read: () => Promise.reject(new Error('nothing is read')),
  commands: () => [],
}
const unread: ReadResult = { kind: 'unknown', reason: 'ambiguous', detail: 'two have its name' }
const absent: ReadResult = { kind: 'absent' }

const bound = (address: string, result: ReadResult, candidates?: readonly string[]): BoundResource => ({
  address,
  desired: desiredOf({ name: 'a' }, { address }),
  desiredAttributes: { name: 'a' },
  type,
  provider: 'api',
  place: 'api',
  target: { address, attributes: { name: 'a' } },
  observed: { result },
  isOwn: false,
  ...(candidates && { candidates }),
})

it.each<[string, BoundResource, RegExp]>([
  [
    'says so, after why it was not found',
    bound('api_zone.x', unread, ['1', '2']),
    /^two have its name; api_zone.y would/,
  ],
  ['says only that, where nothing else is known', bound('api_zone.x', absent), /^api_zone.y would/],
])('a resource that may be the same object as another one %s', (_, one, detail) => {
  const all = bindResources(new Map([one, bound('api_zone.y', absent)].map((each) => [each.address, each])))
  expect(all.get('api_zone.x')?.observed.result).toMatchObject({
    kind: 'unknown',
    detail: expect.stringMatching(detail),
  })
})

// biome-ignore lint/suspicious/noThenProperty: the names of a parent now, and after the plan.
const names = { now: 'old', then: 'new', names: ['old', 'new'].map((name) => formText({ type: 'string' }, name)) }
const renamed = [{ place: ['zone'], facts: { type: 'string' as const }, ...names }]
const present: ReadResult = { kind: 'present', attributes: { name: 'a', zone: 'old' } }

it.each<[string, ReadResult, ReadResult]>([
  ['has its new name, where it was found', present, { kind: 'present', attributes: { name: 'a', zone: 'new' } }],
  ['is as it was, where nothing was found', absent, absent],
])('a parent that is renamed before the requests %s', (_, result, then) => {
  const target = { address: 'api_zone.x', attributes: { name: 'a', zone: 'old' } }
  const located = locatedThen({ observed: { result, raw: target.attributes }, target, isOwn: true }, renamed)
  expect(located.target.attributes).toEqual({ name: 'a', zone: 'new' })
  expect(located.observed.result).toEqual(then)
})
