import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')

/** The anchors that GitHub makes of the headings of a page. */
const headingsOf = (page: string): readonly string[] =>
  [
    ...textOf(page)
      .replaceAll(/^```.*?^```/gms, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** From a heading to the next one of its rank; the whole page without a heading. */
const sectionOf = (mention: string): string | undefined => {
  const [page = '', heading] = mention.split('#')
  if (!pages.includes(page)) return undefined
  const text = textOf(page)
  if (heading === undefined) return text
  const headings = headingsOf(page)
  const parts = text.replaceAll(/^```.*?^```/gms, (code) => code.replaceAll(/^#/gm, ' #')).split(/^(?=#+ )/m)
  const titled = parts.filter((part) => part.startsWith('#'))
  const from = headings.indexOf(heading)
  const rank = (part = ''): number => /^#*/.exec(part)?.[0].length ?? 0
  const after = titled.findIndex((part, index) => index > from && rank(part) <= rank(titled[from]))
  return from < 0 ? undefined : titled.slice(from, after < 0 ? undefined : after).join('')
}

const sources = ['core', 'functions', 'infra'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => join(folder, name)),
)
const mentionsIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\w/-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([mention]) => mention)
const isComment = (line: string): boolean => /^\s*(?:\/?\*|\/\/)/.test(line)

/** What words for people name, and what a reader looks for there. */
const promised: Readonly<Record<string, RegExp>> = {
  'docs/cli-endpoint.md#a-table-on-aws': /aws dynamodb create-table/,
  'docs/library.md#options': /\| option \| meaning \|/,
  'docs/preview.md': /plumbline\.preview\.yaml/,
  'docs/provider-reference.md': /every key/,
  'docs/rest-provider.md#parts': /decides what `\{fields\}` contains/,
  'docs/writing-a-provider.md#test-it': /\| case \| what it finds \|/,
}

describe('what the code names', () => {
  it('is a page and a heading that exist', () => {
    const mentions = sources.flatMap((file) => mentionsIn(textOf(file)).map((mention) => ({ file, mention })))
    expect(mentions.length).toBeGreaterThan(20)
    expect(mentions.filter(({ mention }) => sectionOf(mention) === undefined)).toEqual([])
  })

  it('speaks of what the words for people promise', () => {
    const said = sources.flatMap((file) =>
      textOf(file)
        .split('\n')
        .flatMap((line) => (isComment(line) ? [] : mentionsIn(line))),
    )
    expect([...new Set(said)].toSorted()).toEqual(Object.keys(promised))
    for (const [mention, words] of Object.entries(promised)) expect(sectionOf(mention), mention).toMatch(words)
  })
})

describe.each(pages)('%s', (page) => {
  it('names files that exist', () => {
    const named = [...textOf(page).matchAll(/`((?:core|functions|infra|test|docs|\.config)\/[\w./-]+\.\w+)`/g)]
    expect(named.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
  it('links to pages that exist', () => {
    const links = [...textOf(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)]
    const missing = links.map(([, to = '']) => to).filter((to) => !existsSync(join(root, dirname(page), to)))
    expect(missing).toEqual([])
  })
  it('links to headings that exist', () => {
    const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
    const missing = links.filter(([, to = '', heading = '']) => {
      const file = to === '' ? page : join(dirname(page), to)
      return file.endsWith('.md') && !headingsOf(file).includes(heading)
    })
    expect(missing.map(([link]) => link)).toEqual([])
  })
})
