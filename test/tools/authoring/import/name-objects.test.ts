import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { nameObjects } from '../../../../core/tools/authoring/import/name-objects.ts'

const named = (...identities: readonly (readonly Json[])[]) =>
  nameObjects(
    identities.map((identity) => ({ type: 'api_thing', identity })),
    new Set(['api_thing.taken']),
  )

describe('the names of imported resources', () => {
  it.each([
    [['example.org.'], 'example_org'],
    [['shop', 'billing-1'], 'shop_billing-1'],
    [['/'], 'thing'],
    [['*.example.org'], 'example_org'],
    [[null, 7, true], '7_true'],
    [[[], {}, ''], 'thing'],
    [[['eu', 'us'], { port: 80 }], 'eu_us_port_80'],
  ])('make of %j the name %s', (identity, name) => {
    expect(named(identity)).toEqual([name])
  })

  it('are all longer for two objects that would have the same, and avoid existing ones', () => {
    const [first = '', second = ''] = named(['a.b'], ['a/b'])
    expect([first, second]).toEqual([expect.stringMatching(/^a_b_[0-9a-f]{6}$/), expect.stringMatching(/^a_b_/)])
    expect(first).not.toBe(second)
    expect(named(['taken'])).toEqual([expect.stringMatching(/^taken_[0-9a-f]{6}$/)])
  })

  it('are unique, valid, and the same in any order', () => {
    const identities = fc.uniqueArray(fc.array(fc.string({ maxLength: 3 }), { minLength: 1, maxLength: 2 }), {
      selector: (identity) => JSON.stringify(identity),
    })
    return fc.assert(
      fc.property(identities, (all) => {
        const names = named(...all)
        expect(new Set(names).size).toBe(all.length)
        for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(named(...all.toReversed()).toReversed()).toEqual(names)
      }),
    )
  })
})
