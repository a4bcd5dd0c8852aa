import { expect, test } from 'vitest'
import { differRules, rulesFor } from '../../../../core/pages/tofu/compat/rules.ts'
import type { BlockFacts, NestedBlock } from '../../../../core/pages/tofu/read/schemas.ts'

const block = (blocks: Readonly<Record<string, NestedBlock>> = {}): BlockFacts => ({
  attributes: new Map(),
  blocks: new Map(Object.entries(blocks)),
})
const inside = (nesting: NestedBlock['nesting']): BlockFacts => block({ rule: { nesting, block: block() } })

/* Terraform takes an empty text for null only in schemas of the old kind, which have blocks in lists and sets alone. */
test.each<[string, BlockFacts | undefined, 'always' | 'never']>([
  ['no schema', undefined, 'always'],
  ['a schema without blocks', block(), 'always'],
  ['blocks in a list', inside('list'), 'always'],
  ['blocks in a set', inside('set'), 'always'],
  ['a single block', inside('single'), 'never'],
  ['blocks in a map', inside('map'), 'never'],
  ['a map of blocks within a set', block({ outer: { nesting: 'set', block: inside('map') } }), 'never'],
])('in %s an empty text counts as null %s', (_, facts, expected) => {
  expect(rulesFor(differRules.terraform, facts).emptyTextIsNull).toBe(expected)
  expect(rulesFor(differRules.opentofu, facts).emptyTextIsNull).toBe('always')
})
