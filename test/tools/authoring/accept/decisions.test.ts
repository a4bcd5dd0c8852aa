import { expect, it } from 'vitest'
import { unifiedDiff } from '../../../../core/engine/diff/texts/unified-diff.ts'
import type { Attribute } from '../../../../core/engine/schema/attribute.ts'
import type { Json, Path } from '../../../../core/engine/schema/json.ts'
import { refusalOf } from '../../../../core/tools/authoring/accept/decisions.ts'
import { refusals } from '../../../../core/tools/authoring/accept/words.ts'

const place = (facts: Attribute, path: Path, written: Json = 'a', live: Json = 'b') => ({
  facts,
  path,
  written,
  resolved: written,
  live,
  spoken: undefined,
  at: [],
  canonical: (value: Json) => value,
  lookUp: () => ({ refusal: refusals.later('') }),
})

it.each<readonly [string, ReturnType<typeof place>, string | undefined]>([
  ['a plain one', place({ type: 'string' }, ['a']), undefined],
  ['a key of the object', place({ type: 'string', identity: true }, ['a']), 'identity'],
  ['a member that is called as a key', place({ type: 'string', identity: true }, ['a', 'b']), undefined],
  ['one of the server', place({ type: 'string', computed: true }, ['a']), 'computed'],
  ['a write-only one', place({ type: 'string', writeOnly: true }, ['a']), 'write_only'],
  ['a sensitive one', place({ type: 'string', sensitive: true, writeOnly: true }, ['a']), 'secret'],
  ['one that is written as a secret', place({ type: 'string' }, ['a'], { secret: 'env:X' }), 'secret'],
  ['one whose live value is sealed', place({ type: 'string' }, ['a'], 'a', { $sealed: 'hmac' }), 'secret'],
])('the decision about an attribute is right: %s', (_, given, reason) => {
  expect(refusalOf(given)?.reason).toBe(reason)
})

it('a list of further changes ends where nobody reads on', () => {
  const names = Array.from({ length: 12 }, (_, index) => `n${index}`)
  expect(refusals.elsewhere('variable t', names).detail).toMatch(/^it comes from variable t, .*n9 and 2 more$/)
  expect(refusals.elsewhere(undefined, names).elsewhere).toEqual(names)
})

it.each([
  ['nothing', 'a\n', 'a\n', ''],
  [
    'in between',
    '1\n2\n3\n4\n5\n6\n7\n8\n9\n',
    '1\n2\n3\n4\nx\n6\n7\n8\n9\n',
    '@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n',
  ],
  [
    'an open last line',
    'a\nb',
    'a\nc',
    '@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n',
  ],
  [
    'two hunks',
    `x\n${'-\n'.repeat(9)}y\n`,
    `z\n${'-\n'.repeat(9)}\n`,
    `@@ -1,4 +1,4 @@\n-x\n+z\n${' -\n'.repeat(3)}@@ -8,4 +8,4 @@\n${' -\n'.repeat(3)}-y\n+\n`,
  ],
  ['the first line', 'a\n', 'b\na\n', '@@ -1,1 +1,2 @@\n+b\n a\n'],
])('a unified diff is right: %s', (_, before, after, hunks) => {
  expect(unifiedDiff('f', before, after)).toBe(hunks === '' ? '' : `--- a/f\n+++ b/f\n${hunks}`)
})
