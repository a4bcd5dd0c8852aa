import { describe, expect, it } from 'vitest'
import { code, fenced, html } from '../../core/render/markup.ts'
import { maxCharacters, renderMarkdown } from '../../core/render/render-markdown.ts'
import type { Plan } from '../../core/schema/plan.ts'
import { aChange, aCommand, aPlan, created, deleted, object } from '../builders/plans.ts'

describe('text from elsewhere', () => {
  it.each([
    ['plain', '`plain`'],
    ['a`b', '``a`b``'],
    ['`x``', '``` `x`` ```'],
    ['', '`  `'],
    [' x', '`  x `'],
    ['a\nb @all', '`a\\nb @all`'],
  ])('%j as code', (given, expected) => expect(code(given)).toBe(expected))

  it('does not end a cell of a table', () => expect(code('a|b', 'cell')).toBe('`a\\|b`'))
  it('is no HTML', () => expect(html('</summary>&<b>`@me`')).toBe('&lt;/summary&gt;&amp;&lt;b&gt;&#96;&#64;me&#96;'))
  it('does not end a fence', () => expect(fenced('', ['````', '~~~'])).toBe('`````\n````\n~~~\n`````'))
})

const big = (changes: number, commands: number, size: number): Plan =>
  aPlan({
    changes: Array.from({ length: changes }, (_, n) =>
      n % 2 === 0
        ? aChange({
            address: `a_b.new${n}`,
            action: 'create',
            diff: object({ v: created('x'.repeat(size)) }, 'create'),
          })
        : aChange({
            address: `a_b.old${n}`,
            action: 'delete',
            diff: object({ v: deleted('x'.repeat(size)) }, 'delete'),
          }),
    ),
    commands: Array.from({ length: commands }, (_, n) =>
      aCommand({
        address: `a_b.new${n}`,
        request: { method: 'PUT', url: `http://h/${n}`, effect: 'write', body: 'y'.repeat(size) },
      }),
    ),
  })

const details = (page: string): number => page.split('<details>').length - 1

describe('a page that is too large', () => {
  it('loses the bodies of commands first', () => {
    const page = renderMarkdown(big(10, 20, 3_000))
    expect(page.length).toBeLessThanOrEqual(maxCharacters)
    expect(details(page)).toBe(10)
    expect(page).toMatch(/Left out\*\* to stay within 65,536 characters: \d+ bodies of commands\. /)
    expect(page).toContain('20. `PUT http://h/19`')
  })

  it('then the details of changes, those that destroy last', () => {
    const page = renderMarkdown(big(40, 0, 3_000))
    expect(details(page)).toBe(20)
    for (let n = 1; n < 40; n += 2) expect(page).toContain(`<details><summary><code>- a_b.old${n}<`)
    expect(page).toContain('20 details of changes')
  })

  it('then lines, and keeps counts and digest whatever comes', () => {
    const page = renderMarkdown(big(20_000, 20_000, 1))
    expect(page.length).toBeLessThanOrEqual(maxCharacters)
    expect(page).toContain('| to destroy | 10,000 |')
    expect(page).toContain(`--digest sha256:${'9c'.repeat(32)}`)
    expect(page).toMatch(/[\d,]+ changes, .*20,000 commands/)
  })

  it('never ends inside a piece', () => {
    for (const size of [10, 500, 5_000]) {
      const page = renderMarkdown(big(60, 60, size))
      expect(page.split('<details>').length).toBe(page.split('</details>').length)
      expect((page.match(/^ *```/gm) ?? []).length % 2).toBe(0)
    }
  })

  it('survives names that fill the page by themselves', () => {
    const address = `a_b.${'n'.repeat(maxCharacters)}`
    const plan = aPlan({ changes: [aChange({ address, action: 'create', diff: object({}, 'create') })] })
    expect(renderMarkdown(plan).length).toBeLessThanOrEqual(maxCharacters)
  })
})
