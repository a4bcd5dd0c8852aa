import { describe, expect, it } from 'vitest'
import { lawCases, lawSeed } from '../../builders/laws.ts'
import { plantDrifts, untouched } from './drifts.ts'
import { subjects } from './subjects.ts'

/* Promise: an untouched organisation is quiet whatever the order of its lists, and every drift is found and named. */

describe.each(lawCases(Object.keys(subjects).toReversed()))('the type %s', (type) => {
  it('shows no drift while nobody touches the organisation, in any order of its lists', async () => {
    expect(await untouched(type, lawSeed, 2)).toEqual([])
  })

  it('shows and names the drift of each field that somebody changes, and a delete', async () => {
    const { planted, missed } = await plantDrifts(type, lawSeed)
    expect(missed).toEqual([])
    expect(planted).toBeGreaterThan(0)
  })
})
