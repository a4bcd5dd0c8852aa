import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAppError } from '../../../core/engine/errors/errors.ts'
import { lawRuns } from '../../builders/laws.ts'
import { oddDocument, oddSources } from './builders/odd-documents.ts'
import { pageOf } from './builders/read-reports.ts'

// Some seconds; `npm run fuzz:render` makes a hundred thousand, in all formats.

test.each(['opentofu', 'terraform'] as const)(
  'a document with anything in any place makes a page or is refused: %s',
  (compat) => {
    fc.assert(
      fc.property(oddDocument(oddSources), ({ document, schemas }) => {
        try {
          const page = pageOf(document, { schemas, compat })
          for (const word of ['[object Object]', 'undefined', 'cannot be compared']) expect(page).not.toContain(word)
        } catch (error) {
          if (!isAppError(error, 'USAGE')) throw error
        }
      }),
      lawRuns(4000),
    )
  },
  120_000,
)
