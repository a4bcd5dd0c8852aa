import { describe, expect, it } from 'vitest'
import { type FreezeFacts, keepFrozen } from '../../../core/engine/plan/keep-frozen.ts'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import type { Action, Change } from '../../../core/engine/schema/stored/plan.ts'

const change = (address: string, before: JsonObject | null, after: JsonObject | null, more: object = {}): Change =>
  ({
    address,
    type: 't',
    name: 'n',
    provider: 'p',
    action: (before === null ? 'create' : after === null ? 'delete' : 'update') satisfies Action,
    before,
    after,
    diff: { kind: 'same' },
    causes: [],
    replacePaths: [],
    ...more,
  }) as unknown as Change

const outer = (before: JsonObject | null, after: JsonObject | null): FreezeFacts => ({
  address: 'repo.web',
  type: 'repo',
  frozen: { archived: [true] },
  dependsOn: [],
  before,
  after,
})
const inner = (repository = 'web'): FreezeFacts => ({
  address: 'label.bug',
  type: 'label',
  within: [{ attribute: 'repository', of: { type: 'repo', attribute: 'name' } }],
  dependsOn: ['repo.web'],
  before: { repository },
  after: { repository },
})

const blockedIn = (changes: readonly Change[], ...facts: readonly FreezeFacts[]): readonly string[] =>
  keepFrozen(changes, new Map(facts.map((each) => [each.address, each]))).flatMap(({ address, blocked }) =>
    blocked?.reason === 'frozen' ? [address] : [],
  )

const archived = { name: 'web', archived: true }
const live = { name: 'web', archived: false }
const label = change('label.bug', { repository: 'web' }, { repository: 'web', color: 'red' })

describe('a resource in a frozen object', () => {
  it.each<[string, JsonObject | null, JsonObject | null, readonly Change[], readonly string[]]>([
    ['stays frozen', archived, archived, [label], ['label.bug']],
    ['is frozen by this plan', live, archived, [change('repo.web', live, archived), label], []],
    ['is made live by this plan', archived, live, [change('repo.web', archived, live), label], []],
    [
      'changes and stays frozen',
      archived,
      archived,
      [change('repo.web', archived, archived), label],
      ['repo.web', 'label.bug'],
    ],
    ['is to be deleted', archived, null, [change('repo.web', archived, null), label], ['label.bug']],
    ['was never frozen', live, live, [label], []],
    ['does not exist', null, live, [change('repo.web', null, live), label], []],
    [
      'would be made live by a change that is not sent',
      archived,
      live,
      [change('repo.web', archived, live, { blocked: { reason: 'held', detail: '' } }), label],
      ['label.bug'],
    ],
  ])('is blocked exactly while the object stays frozen: the object %s', (_, before, after, changes, blocked) => {
    expect(blockedIn(changes, outer(before, after), inner())).toEqual(blocked)
  })

  it('is blocked only by the object that contains it', () => {
    expect(
      blockedIn([change('label.bug', { repository: 'api' }, {})], outer(archived, archived), inner('api')),
    ).toEqual([])
    const { within: _, ...beside } = inner()
    expect(blockedIn([label], outer(archived, archived), beside)).toEqual([])
  })
})
