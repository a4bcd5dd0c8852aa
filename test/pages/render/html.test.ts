import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkTo } from '../../../core/pages/render/formats/html/name-anchors.ts'
import { renderHtml } from '../../../core/pages/render/formats/html/render-html.ts'
import { style, styleHash } from '../../../core/pages/render/formats/html/style.ts'
import type { Block } from '../../../core/pages/render/report/report.ts'
import { reportOfPlan } from '../../../core/pages/render/report/report-of-plan.ts'
import type { Row } from '../../../core/pages/render/rows/row.ts'
import { lawRuns } from '../../builders/laws.ts'
import { long } from '../../builders/long.ts'
import { aBlock, aPage, aRow, fullPage } from '../../builders/values/pages.ts'
import { aPlan, fullPlan } from '../../builders/values/plans.ts'
import type { Element } from '../../builders/values/read-html.ts'
import { elementsOf, readHtml, textOf } from '../../builders/values/read-html.ts'
import { somePage, somePageOfSecrets } from './arbitrary-page.ts'
import { digestOfSecret } from './arbitrary-plan.ts'
import { canary } from './canaries.ts'

const named = (page: string, ...names: readonly string[]): readonly Element[] =>
  elementsOf(readHtml(page)).filter(({ name }) => names.includes(name))

const at = '2026-11-21T06:00:00.123Z'

it.each([
  ['page.html', renderHtml(fullPage)],
  ['full.html', renderHtml(reportOfPlan(fullPlan, { at }))],
  ['in-sync.html', renderHtml(reportOfPlan(aPlan(), { at }))],
])('the page is exactly the golden file %s', async (name, page) => {
  // The sheet has a test of its own.
  await expect(page.replace(style, '').replace(styleHash, '')).toMatchFileSnapshot(`../../goldens/${name}`)
})

describe('any page', () => {
  const pages = fc.assert<[Parameters<typeof renderHtml>[0]]>

  it('is well formed, whatever texts it contains', () =>
    pages(
      fc.property(somePage, (page) => {
        for (const { name, attributes } of elementsOf(readHtml(renderHtml(page)))) {
          expect(`${name} ${Object.keys(attributes)}`).not.toMatch(
            /script|iframe|object|img|link|form|base|svg| style|\bon/,
          )
          for (const [key, value] of Object.entries(attributes)) if (key === 'href') expect(value).toMatch(/^#/)
        }
      }),
      lawRuns(300),
    ))

  it('has no digest of a secret and no raw control character', () =>
    pages(
      fc.property(somePage, (page) => {
        const written = renderHtml(page)
        expect(written).not.toContain(digestOfSecret)
        expect(written).not.toMatch(/(?![\n\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
      }),
      lawRuns(300),
    ))

  it('shows nothing of what a diff calls sensitive', () =>
    pages(
      fc.property(somePageOfSecrets, (page) => {
        expect(renderHtml(page)).not.toContain(canary)
      }),
      lawRuns(200),
    ))

  it('has each anchor once, and an anchor for each link', () =>
    pages(
      fc.property(somePage, (page) => {
        const elements = elementsOf(readHtml(renderHtml(page)))
        const ids = elements.flatMap(({ attributes }) => attributes['id'] ?? [])
        expect(new Set(ids).size).toBe(ids.length)
        for (const id of ids) expect(id).toMatch(/^\S+$/)
        const links = new Set(ids.map(linkTo))
        for (const { attributes } of elements) if (attributes['href']) expect(links).toContain(attributes['href'])
        for (const { attributes } of elements) {
          if (attributes['aria-labelledby']) expect(ids).toContain(attributes['aria-labelledby'])
        }
      }),
      lawRuns(300),
    ))

  it('shows every row with both of its sides', () =>
    pages(
      fc.property(somePage, (page) => {
        const text = textOf(readHtml(renderHtml(page)))
        const expectRow = (row: Row): void => {
          for (const part of [row.label, row.before, row.after, ...row.notes]) expect(text).toContain(part ?? '')
          for (const inner of row.rows) expectRow(inner)
        }
        for (const { blocks } of page.sections) for (const block of blocks) block.rows.forEach(expectRow)
      }),
      lawRuns(200),
    ))

  it('has one first heading, and skips no level', () =>
    pages(
      fc.property(somePage, (page) => {
        const levels = named(renderHtml(page), 'h1', 'h2', 'h3', 'h4').map(({ name }) => Number(name[1]))
        expect(levels.filter((level) => level === 1)).toHaveLength(1)
        for (const [n, level] of levels.entries()) expect(level).toBeLessThanOrEqual((levels[n - 1] ?? 0) + 1)
      }),
      lawRuns(100),
    ))
})

describe('a page', () => {
  const page = renderHtml(fullPage)
  const of = (...names: readonly string[]): readonly Element[] => named(page, ...names)

  it('says its language and its title', () => {
    expect(of('html')[0]?.attributes['lang']).toBe('en')
    expect(of('title').map(textOf)).toEqual(['plan.json: 6 changes of eu-west-1'])
  })

  it('has its landmarks', () => {
    expect(of('header', 'nav', 'main', 'footer').map(({ name }) => name)).toEqual(['header', 'nav', 'main', 'footer'])
  })

  it('has tables with captions and with heads for rows and columns', () => {
    for (const table of of('table')) {
      expect(elementsOf(table).filter(({ name }) => name === 'caption')).toHaveLength(1)
      const heads = elementsOf(table).filter(({ name }) => name === 'th')
      for (const head of heads) expect(head.attributes['scope']).toMatch(/^(row|col)$/)
    }
    expect(of('table')).toHaveLength(2)
  })

  it('says in words what its signs mean', () => {
    for (const { attributes } of of('b').filter((one) => !one.attributes['aria-hidden'] && one.attributes['role'])) {
      expect(attributes['aria-label']).toMatch(/^(added|removed|changed)$/)
    }
    for (const head of of('article')) expect(textOf(head)).toMatch(/will be|would be|has moved|was changed/)
  })

  it('links each counted resource to its block, and groups of equal changes to the block of all', () => {
    const links = new Map(of('a').map((link) => [textOf(link), link.attributes['href']]))
    const first = 'module.eu["a"].module.web.aws_instance.front[0]'
    expect(links.get(first.replace('[0]', '[3]'))).toBe(linkTo(first))
    expect(links.get('rabbitmq_queue.jobs')).toBe('#rabbitmq_queue.jobs')
    expect(links.get('module.web')).toBe(linkTo(first))
  })

  it('marks what changed within a value, and nothing where two values have nothing in common', () => {
    const marks = of('mark').map(textOf)
    expect(marks.slice(0, 6)).toEqual(['0a1', '0b2', 'readers', 'read', 'writers', 'write'])
    expect(marks).toEqual(expect.arrayContaining(['yes', 'no']))
    expect(marks).not.toContain('Native')
  })

  it('folds a long value and still contains all of it', () => {
    const folded = of('li').filter((row) => /^blob/.test(textOf(row).slice(1)))
    expect(textOf(folded[0] as Element)).toContain(`"${'a'.repeat(1_200)}c"`)
    expect(textOf(folded[0] as Element)).toContain('(1,203 characters)')
  })
})

describe('the linked addresses of a count', () => {
  const shown = (symbol: string, n: number) => {
    const addresses = Array.from({ length: n }, (_, k) => `a_b.c${k}`)
    const page = renderHtml(aPage({ tallies: [{ symbol, n, words: 'of them', addresses }] }))
    const [cell] = named(page, 'td').filter((one) => elementsOf(one).some(({ name }) => name === 'code'))
    const [folded] = named(page, 'details').filter((one) => /^and /.test(textOf(one)))
    const namesIn = (one: Element | undefined) =>
      one === undefined ? [] : elementsOf(one).filter(({ name }) => name === 'code')
    expect(namesIn(cell).map(textOf)).toEqual(addresses)
    return { open: n - namesIn(folded).length, summary: folded && textOf(elementsOf(folded)[1] as Element) }
  }

  it.each([
    ['all of a few', '~', 7, { open: 7 }],
    ['the first of more', '~', 8, { open: 6, summary: 'and 2 more' }],
    ['what destroys to the last', '-', 101, { open: 101 }],
    ['what replaces is among that', '-/+', 101, { open: 101 }],
    ['but not without end', '-', 1_102, { open: 100, summary: 'and 1,002 more' }],
  ])('are each listed once: %s', (_, symbol, n, expected) => expect(shown(symbol, n)).toEqual(expected))
})

describe('the blocks of a page', () => {
  const many = (n: number, over: Partial<Block>): readonly Block[] =>
    Array.from({ length: n }, (_, k) => aBlock({ address: `a_b.c${k}`, ...over }))
  const opened = (blocks: readonly Block[]): number =>
    named(renderHtml(aPage({ sections: [{ kind: 'changes', blocks }] })), 'details').filter(
      ({ attributes }) => attributes['open'] !== undefined,
    ).length

  it.each([
    ['all of a small page', many(10, {}), 10],
    ['none of a large one', many(200, {}), 0],
    ['but what destroys', [...many(3, { symbol: '-/+' }), ...many(200, {})], 3],
    ['as far as one can read', many(2_000, { symbol: '-' }), 667],
  ])('are open: %s', (_, blocks, expected) => expect(opened(blocks)).toBe(expected))

  it('make the page larger only in proportion to the plan', long, () => {
    const size = (n: number): number => {
      const blocks = many(n, { rows: Array.from({ length: 12 }, () => aRow({ before: '1', after: '2' })) })
      return renderHtml(aPage({ sections: [{ kind: 'changes', blocks }] })).length - style.length
    }
    expect(size(2_000) / size(1_000)).toBeLessThan(2.05)
    expect(size(1_000)).toBeLessThan(1_000 * 12 * 250)
  })

  it('have their own anchors if they are of one address', () => {
    const block = aBlock({ address: 'a b' })
    const page = renderHtml(aPage({ sections: [{ kind: 'changes', blocks: [block, block] }] }))
    expect(named(page, 'article').map(({ attributes }) => attributes['id'])).toEqual(['a-b', 'a-b~2'])
  })
})

describe('the style sheet', () => {
  it('is exactly what the content security policy allows', () =>
    expect(styleHash).toBe(`sha256-${createHash('sha256').update(style).digest('base64')}`))

  it('loads nothing', () => expect(style).not.toMatch(/url\(|@import|</))

  const [light = '', dark = ''] = [...style.matchAll(/:root\{(?:color-scheme:light dark;)?(--[^}]*)\}/g)].map(
    ([, variables = '']) => variables,
  )
  const coloursOf = (variables: string): ReadonlyMap<string, string> =>
    new Map([...variables.matchAll(/--([a-z-]+):(#[0-9a-f]{6})/g)].map(([, name = '', value = '']) => [name, value]))
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
      const part = Number.parseInt(colour.slice(from, from + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  // https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
  const contrast = (a = '', b = ''): number => {
    const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
    return (high + 0.05) / (low + 0.05)
  }
  const inks = ['ink', 'soft', 'link', 'create', 'update', 'delete', 'other']
  const pairs = [
    ...inks.flatMap((ink) => ['ground', 'sheet'].map((ground) => [ink, ground] as const)),
    ...['added', 'removed', 'added-mark', 'removed-mark'].map((ground) => ['ink', ground] as const),
  ]
  it.each([
    ['light', coloursOf(light)],
    ['dark', coloursOf(dark)],
  ])('makes a page readable when it is %s', (_, colours) => {
    for (const [ink, ground] of pairs) {
      expect([ink, ground, contrast(colours.get(ink), colours.get(ground)) >= 4.5]).toEqual([ink, ground, true])
    }
  })
})
