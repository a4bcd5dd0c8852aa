import { describe, expect, it } from 'vitest'
import { lawCases, lawSeed } from '../../builders/laws.ts'
import { plantDrifts, untouched } from './drifts.ts'
import { subjects } from './subjects.ts'

/* Promise: an untouched organisation is quiet whatever the order of its lists, and every drift is found and named. */

describe.each(lawCases(Object.keys(subjects), 6))('%s', (type) => {
  it('untouched, in any order: nothing is found', async () => {
    expect(await untouched(type, lawSeed, 2)).toEqual([])
  })

  it('each field that somebody changes, and a delete, is found and named', async () => {
    const { planted, missed } = await plantDrifts(type, lawSeed)
    expect(missed).toEqual([])
    expect(planted).toBeGreaterThan(0)
  })
})
