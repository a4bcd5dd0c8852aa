import { describe, expect, test } from 'vitest'
import { type Row, type Table, testName } from './table.ts'

/** One test for each row of the table, and no other. */
export const prove = <Name extends string>(
  table: Table<Name>,
  proofs: { readonly [Each in NoInfer<Name>]: () => Promise<unknown> },
): void => {
  describe(`${table.id} ${table.about}`, () => {
    test('every row has a test, and every test a row', () =>
      expect(Object.keys(proofs).toSorted()).toEqual(Object.keys(table.rows).toSorted()))
    for (const [name, row] of Object.entries<Row>(table.rows)) {
      test(testName(table, name, row), async () => {
        expect.hasAssertions()
        await proofs[name as Name]()
      })
    }
  })
}
