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
})
