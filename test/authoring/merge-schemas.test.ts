import { expect, test } from 'vitest'
import type { Schema } from '../../core/authoring/description/description.ts'
import { mergeAll, mergeAny } from '../../core/authoring/description/merge-schemas.ts'
import { anySchema } from '../../core/authoring/description/read-schema.ts'

const schema = (own: Partial<Schema>): Schema => ({ ...anySchema(''), types: ['string'], ...own })

test.each(['readOnly', 'writeOnly', 'unique'] as const)('%s: in one of all, and in each of any', (flag) => {
  const [has, lacks] = [schema({ [flag]: true }), schema({})]
  expect(mergeAll([lacks, has])[flag]).toBe(true)
  expect(mergeAny([lacks, has])[flag]).toBe(false)
  expect(mergeAny([has, has])[flag]).toBe(true)
})
