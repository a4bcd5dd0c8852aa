import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitPieces } from '../../../core/pages/render/formats/markdown/fit-pieces.ts'
import { code, fenced, html } from '../../../core/pages/render/formats/markdown/markup.ts'
import {
  maxCharacters,
  renderMarkdown as renderAll,
} from '../../../core/pages/render/formats/markdown/render-markdown.ts'
import type { Report } from '../../../core/pages/render/report/report.ts'
import { reportOfPlan } from '../../../core/pages/render/report/report-of-plan.ts'
import { lawRuns } from '../../builders/laws.ts'
import { long } from '../../builders/long.ts'
import { aBlock, aPage, aRow, fullPage } from '../../builders/values/pages.ts'
import { aChange, aCommand, aPlan, created, deleted, object } from '../../builders/values/plans.ts'
import { somePage, somePageOfSecrets } from './arbitrary-page.ts'
import { canary } from './canaries.ts'

const renderMarkdown = (report: Report): string => renderAll([report])

describe('text from a target', () => {
  it.each([
    ['plain', '`plain`'],
    ['a`b', '``a`b``'],
    ['`x``', '``` `x`` ```'],
    ['', '`  `'],
    [' x', '`  x `'],
    ['a\nb @all', '`a\\nb @all`'],
  ])('is kept whole as code: %j', (given, expected) => expect(code(given)).toBe(expected))

  it.each([
    ['a|b', '`a\\|b`'],
    // A backslash before it would make the pipe end the cell after all.
    ['a\\|b\\c', '`a\\u005c\\|b\\c`'],
    ['\\\\||', '`\\u005c\\u005c\\|\\|`'],
  ])('does not end a cell of a table: %j', (given, expected) => expect(code(given, 'cell')).toBe(expected))
  it('is not read as HTML', () =>
    expect(html('</summary>&<b>`@me`')).toBe('&lt;/summary&gt;&amp;&lt;b&gt;&#96;&#64;me&#96;'))
  it('does not end a code block', () => expect(fenced('', ['````', '~~~'])).toBe('`````\n````\n~~~\n`````'))
})

const big = (changes: number, commands: number, size: number): Report =>
  reportOfPlan(
    aPlan({
      changes: Array.from({ length: changes }, (_, n) =>
        n % 2 === 0
          ? aChange({
              address: `a_b.new${n}`,
              action: 'create',
              diff: object({ v: created(`${n}${'x'.repeat(size)}`) }, 'create'),
            })
          : aChange({
              address: `a_b.old${n}`,
              action: 'delete',
              diff: object({ v: deleted(`${n}${'x'.repeat(size)}`) }, 'delete'),
            }),
      ),
      commands: Array.from({ length: commands }, (_, n) =>
        aCommand({
          address: `a_b.new${n}`,
          request: { method: 'PUT', url: `http://h/${n}`, effect: 'write', body: 'y'.repeat(size) },
        }),
      ),
    }),
  )

const details = (page: string): number => page.split('<details>').length - 1

describe('a page that is too large', () => {
  it('loses the bodies of commands first', () => {
    const page = renderMarkdown(big(10, 20, 3_000))
    expect(page.length).toBeLessThanOrEqual(maxCharacters)
    expect(details(page)).toBe(10)
    expect(page).toMatch(/Left out\*\* to stay within 65,536 characters: \d+ bodies of commands\. /)
    expect(page).toContain('20. `PUT http://h/19`')
  })

  it('then loses the details of changes, those of destructive ones last', () => {
    const page = renderMarkdown(big(40, 0, 3_000))
    expect(details(page)).toBe(20)
    for (let n = 1; n < 40; n += 2) expect(page).toContain(`<details><summary><code>- a_b.old${n}<`)
    expect(page).toContain('20 details of changes')
  })

  it('then loses lines, and keeps counts and digest in any case', long, () => {
    const page = renderMarkdown(big(20_000, 20_000, 1))
    expect(page.length).toBeLessThanOrEqual(maxCharacters)
    expect(page).toContain('| to destroy | 10,000 |')
    expect(page).toContain(`--digest sha256:${'9c'.repeat(32)}`)
    expect(page).toMatch(/[\d,]+ changes, .*20,000 commands/)
  })

  it('cuts one large change or body inside, and drops none because it is large', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 3 }), (size, n) => {
        const page = renderMarkdown(big(n, n, size))
        expect(page.length).toBeLessThanOrEqual(maxCharacters)
        expect(page).not.toContain('**Left out**')
        expect([details(page), page.split('```http').length - 1]).toEqual([n, n])
        if (size > 20_000) expect(page).toMatch(/\(\d+,\d+ characters\)/)
      }),
      lawRuns(50),
    ))

  it('says how many lines of a change are missing', () => {
    const lines = Array.from({ length: 2_000 }, (_, n) => ({ action: 'create', text: `line ${n} of many` }) as const)
    const change = aChange({
      address: 'a_b.c',
      action: 'update',
      diff: object({ t: { kind: 'text', action: 'update', lines } }),
    })
    const page = renderMarkdown(reportOfPlan(aPlan({ changes: [change] })))
    const shown = page.split('\n').filter((line) => line.includes('of many')).length
    expect(shown).toBeGreaterThan(300)
    expect(page).toContain(`${(2_000 - shown).toLocaleString('en')} more lines; the format html has them`)
  })

  it('stays valid where names fill the page by themselves', () => {
    const address = `a_b.${'n'.repeat(maxCharacters)}`
    const plan = aPlan({ changes: [aChange({ address, action: 'create', diff: object({}, 'create') })] })
    expect(renderMarkdown(reportOfPlan(plan)).length).toBeLessThanOrEqual(maxCharacters)
  })
})

describe('the pieces of a cut page', () => {
  const kinds = [
    'note',
    'modules',
    'change',
    'deferred',
    'object',
    'output',
    'entry',
    'drift',
    'command',
    'head',
  ] as const

  it('leave room for the note about everything that can be missing', () => {
    const pieces = kinds.flatMap((kind) => [
      ...Array.from({ length: 10_000 }, () => ({ kind, forms: ['x'.repeat(2_000)] })),
      { kind, forms: ['y', 'x'.repeat(70_000)] },
    ])
    const page = fitPieces(pieces, maxCharacters)
    expect(page).toMatch(/10,000 commands/)
    expect(page.length).toBeLessThanOrEqual(maxCharacters)
  })

  it('fill the page up to that room', () => {
    const pieces = Array.from({ length: 2_000 }, () => ({ kind: 'command', forms: ['x'.repeat(48)] }) as const)
    const page = fitPieces(pieces, maxCharacters)
    expect(page.length).toBeLessThanOrEqual(maxCharacters)
    expect(page.length).toBeGreaterThan(maxCharacters - 1_000)
  })
})

describe('any page in markdown', () => {
  /** Fences that open and end, by the rules of CommonMark, and what stands outside of them. */
  const readFences = (page: string): { readonly open: boolean; readonly outside: string } => {
    let fence = ''
    const outside: string[] = []
    for (const line of page.split('\n')) {
      const [, run = '', rest = ''] = /^ *(`{3,})(.*)$/.exec(line) ?? []
      if (fence === '' && run !== '' && !rest.includes('`')) fence = run
      else if (fence !== '' && run.length >= fence.length && rest.trim() === '') fence = ''
      else if (fence === '') outside.push(line)
    }
    return { open: fence !== '', outside: outside.join('\n') }
  }
  const times = (text: string, part: string): number => text.split(part).length - 1

  const expectWhole = (markdown: string): void => {
    expect(markdown.length).toBeLessThanOrEqual(maxCharacters)
    const { open, outside } = readFences(markdown)
    expect(open).toBe(false)
    // Texts from elsewhere stand in code spans or as entities.
    const own = outside.replaceAll(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '')
    expect(own).not.toMatch(/<(?!\/?(?:details|summary|code)>)|@/)
    expect(times(own, '<details>')).toBe(times(own, '</details>'))
    expect(times(own, '<details><summary>')).toBe(times(own, '</summary>'))
  }

  it('is complete, and no text in it is read as markup', () =>
    fc.assert(
      fc.property(somePage, (page) => expectWhole(renderMarkdown(page))),
      lawRuns(300),
    ))

  it('shows nothing of what a diff calls sensitive', () =>
    fc.assert(
      fc.property(somePageOfSecrets, (page) => {
        expect(renderMarkdown(page)).not.toContain(canary)
      }),
      lawRuns(200),
    ))

  it('is complete at any length limit', () =>
    fc.assert(
      fc.property(somePage, fc.integer({ min: 1, max: 3_000 }), fc.constantFrom(1, 100, 70_000), (page, n, size) => {
        const grown = (text: string): string => text.repeat(size)
        const blocks = page.sections.flatMap((section) => section.blocks)
        const many = Array.from({ length: n }, () => blocks.slice(0, 2)).flat()
        const sections = [...page.sections, { kind: 'changes', blocks: many } as const]
        expectWhole(renderMarkdown({ ...page, title: grown(page.title), headline: [grown('x')], sections }))
      }),
      lawRuns(30),
    ))

  it('keeps the columns of its tables', () =>
    fc.assert(
      fc.property(somePage, (page) => {
        const rows = renderMarkdown(page)
          .split('\n')
          .filter((line) => /^\| (?:to |&emsp;|`)/.test(line))
        // https://github.github.com/gfm/#tables-extension-: a backslash takes the next character along.
        for (const row of rows) expect(times(row.replaceAll(/\\./g, ''), '|')).toBe(row.startsWith('| to ') ? 4 : 3)
      }),
      lawRuns(200),
    ))
})

describe('a page in markdown', () => {
  it('is the golden file page.md', async () => {
    await expect(renderMarkdown(fullPage)).toMatchFileSnapshot('../../goldens/page.md')
  })

  it('names what changes alike, and gives only the number where the names have no room', () => {
    const also = Array.from({ length: 5_000 }, (_, n) => `a_b.with_a_name_of_some_length[${n}]`)
    const page = (names: readonly string[]) =>
      renderMarkdown(aPage({ sections: [{ kind: 'changes', blocks: [aBlock({ also: names })] }] }))
    expect(page(also.slice(0, 2))).toContain('alike: `a_b.with_a_name_of_some_length[0]`, ')
    expect(page(also)).toContain('<code>~ pdns_zone.main</code> and 5,000 alike will be changed')
    expect(page(also)).toContain('1 list of names.')
  })

  it('keeps the details of the most serious changes, wherever they are', () => {
    // Five of these fill a page.
    const rows = Array.from({ length: 4 }, () => aRow({ before: `"${'x'.repeat(2_900)}"` }))
    const others = Array.from({ length: 4 }, (_, n) => aBlock({ address: `a_b.other${n}`, rows }))
    const blocks = [
      aBlock({ address: 'a_b.changed', risk: 7, rows }),
      ...others,
      aBlock({ address: 'a_b.gone', risk: 0, rows }),
    ]
    const page = renderMarkdown(aPage({ sections: [{ kind: 'changes', blocks }] }))
    expect(page).toContain('<summary><code>~ a_b.gone</code>')
    expect(page).toContain('- `~ a_b.changed` will be changed')
    expect(page).toContain('1 detail of a change.')
  })
})

it('several reports share the room of one comment, and the comment says what is missing', () =>
  fc.assert(
    fc.property(fc.array(somePage, { minLength: 2, maxLength: 4 }), fc.integer({ min: 1, max: 30 }), (pages, times) => {
      const all = Array.from({ length: times }, () => pages).flat()
      const text = renderAll(all)
      expect(text.length).toBeLessThanOrEqual(maxCharacters)
      const alone = all.map((page) => renderMarkdown(page))
      const isWhole = alone.every((one) => !one.includes('**Left out**'))
      if (isWhole && alone.join('').length < maxCharacters - 5_000) expect(text).not.toContain('**Left out**')
    }),
    lawRuns(30),
  ))
