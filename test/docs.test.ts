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
