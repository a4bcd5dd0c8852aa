import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** `| what | limit | beyond it | [name](file) |` */
const rows = [
  ...readFileSync('docs/limits.md', 'utf8').matchAll(/^\| (.+?) \| (.+?) \| .+ \| \[(\w+)\]\(\.\.\/(.+?)\) \|$/gm),
].map(([, what = '', limit = '', name = '', file = '']) => ({ what, limit, name, file }))

/** A number as the code writes it: `5 * 1024 * 1024`, `4_000_000`. */
const valueIn = (file: string, name: string): number | undefined => {
  const [, written] = new RegExp(`const ${name} = ([\\d_* ]+)$`, 'm').exec(readFileSync(file, 'utf8')) ?? []
  return written
    ?.replaceAll('_', '')
    .split('*')
    .reduce((product, factor) => product * Number(factor), 1)
}

test('the page has rows', () => expect(rows.length).toBeGreaterThan(20))

test.each(rows)('$what: the page has the number of the code', ({ limit, name, file }) => {
  expect(limit.split(' ')[0]).toBe(valueIn(file, name)?.toLocaleString('en'))
})

/** Sentences of other pages that name a limit. */
test.each([
  ['docs/configuration.md', /larger than ([\d,]+ \w+), not\nUTF-8 text/, 'one file'],
  ['docs/configuration.md', /may evaluate to ([\d,]+ \w+)\./, 'one file'],
])('%s has the limit of this page: %s', (page, sentence, what) => {
  const limit = rows.find((row) => row.what === what)?.limit
  expect(sentence.exec(readFileSync(page, 'utf8'))?.[1]).toBe(limit)
})
