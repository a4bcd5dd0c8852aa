import { describe, expect, it } from 'vitest'
import { issuesOf } from '../../builders/workspaces/config.ts'

describe('removed', () => {
  const of = (entry: object, more: object = {}) =>
    issuesOf({
      'plumbline.json': JSON.stringify({
        workspace: 'test',
        resources: [{ type: 'pdns_zone', name: 'main', spec: {} }],
        ...more,
        removed: [entry],
      }),
    }).map(({ message }) => message)

  it.each([
    ['pdns_zone.*', {}, 'removed names pdns_zone.*, and an entry names exactly one address'],
    ['pdns_zone.main', {}, 'pdns_zone.main is still declared'],
    [
      'pdns_zone.each',
      { resources: [{ type: 'pdns_zone', name: 'each', forEach: ['a'], spec: {} }] },
      'pdns_zone.each is still declared',
    ],
    [
      'pdns_zone.old',
      { moved: [{ from: 'pdns_zone.old', to: 'pdns_zone.main' }] },
      'pdns_zone.old is removed, and moves to pdns_zone.main',
    ],
  ])('%s is refused', (address, more, message) => {
    expect(of({ address, reason: 'r' }, more)).toEqual([message])
  })

  it('needs a reason', () => expect(of({ address: 'pdns_zone.old' })).toEqual(['removed[0].reason is missing']))
})
