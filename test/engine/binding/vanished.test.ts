import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ResourcePresence, vanishedIn } from '../../../core/engine/binding/vanished.ts'

const several = (
  counts: Readonly<Record<ResourcePresence['found'], number>>,
  isRecorded = true,
): readonly ResourcePresence[] =>
  (['present', 'absent', 'unknown'] as const).flatMap((found) =>
    Array.from({ length: counts[found] }, () => ({ isRecorded, found })),
  )

it.each<[string, number, number, number, ReturnType<typeof vanishedIn>]>([
  ['nothing is gone', 3, 0, 0, undefined],
  ['one alone is believed', 0, 1, 0, undefined],
  ['one of two is believed', 1, 1, 0, undefined],
  ['two of two', 0, 2, 0, { gone: 2, of: 2 }],
  ['two of three', 1, 2, 0, { gone: 2, of: 3 }],
  ['half of them is believed', 2, 2, 0, undefined],
  ['few of many are believed', 90, 10, 0, undefined],
  ['most of many', 10, 11, 0, { gone: 11, of: 21 }],
  ['what could not be read was not seen', 1, 2, 50, { gone: 2, of: 53 }],
  ['one that is gone where no other could be read', 0, 1, 3, { gone: 1, of: 4 }],
  ['one that is gone where another was seen', 1, 1, 3, undefined],
])(
  'objects that all seem to be gone at once are doubted, and a few are believed to be gone: %s',
  (_, present, absent, unknown, expected) => {
    expect(vanishedIn(several({ present, absent, unknown }))).toEqual(expected)
  },
)

it('resources that never existed, and the order of resources, make no difference', () => {
  const looked = fc.record<ResourcePresence>({
    isRecorded: fc.boolean(),
    found: fc.constantFrom('present', 'absent', 'unknown'),
  })
  fc.assert(
    fc.property(fc.array(looked, { maxLength: 12 }), (all) => {
      const own = all.filter(({ isRecorded }) => isRecorded)
      expect(vanishedIn(all)).toEqual(vanishedIn(own.toReversed()))
    }),
  )
})
