import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Golden, goldenFolder, goldenPage, goldens, readPage } from '../builders/read-reports.ts'

/** Where a schema says what values cannot: object or map, list or set, attribute or block, nested or not. */
const needSchemas: readonly string[] = [
  'basic_list_empty state',
  'fully_populated_complex_update plan',
  'fully_populated_complex_update state',
  'replace_within_list plan',
  'replace_within_list state',
  'replace_within_object plan',
  'replace_within_object state',
  'replace_within_set plan',
  'replace_within_set state',
  'simple_object_empty plan',
  'simple_object_null plan',
]

const inferredMode = ({ source }: Golden): string => {
  const page = readPage(readFileSync(source))
  return page.kind === 'plan' ? page.mode : ''
}

if (goldens.length === 0)
  describe(`OpenTofu's pages are not at ${goldenFolder}`, () => {
    test('is an error where everything is checked', () => expect(process.env['CI'] ?? '').toBe(''))
  })
else
  describe("OpenTofu's pages, byte for byte", () => {
    test.each(goldens)('are reproduced with schemas: $name: $what', (golden) => {
      expect(goldenPage(golden, true)).toBe(readFileSync(golden.page, 'utf8'))
    })

    test('are reproduced without schemas where the values show the types', () => {
      const table = goldens.map((golden) => ({
        page: `${golden.name} ${golden.what}`,
        'inferred mode': inferredMode(golden),
        'without schemas': goldenPage(golden, false) === readFileSync(golden.page, 'utf8') ? 'equal' : 'needs a schema',
      }))
      console.table(table)
      // As the README beside them says.
      expect(new Set(table.map((row) => row['inferred mode']))).toEqual(new Set(['normal', '']))
      expect(table.filter((row) => row['without schemas'] !== 'equal').map(({ page }) => page)).toEqual(
        needSchemas.filter((page) => table.some((row) => row.page === page)),
      )
    })
  })
