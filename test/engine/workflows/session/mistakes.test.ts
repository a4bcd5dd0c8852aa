import { describe, expect, it } from 'vitest'
import type { Issue } from '../../../../core/engine/schema/issue.ts'
import { long } from '../../../builders/long.ts'
import { mistakes } from '../../../builders/values/mistakes.ts'
import { issuesOf } from '../../../builders/workspaces/issues-of.ts'

const told = ({ file, line, column, message, value, fix }: Issue): string =>
  `${file}:${line}:${column} ${message}${value === undefined ? '' : ` (is: ${value})`}\n  fix: ${fix}`

describe('what a new user writes', () => {
  it('is told at its place, with what to do, as the golden says', long, async () => {
    const all = await Promise.all(
      Object.entries(mistakes).map(async ([title, written]) => [title, await issuesOf(written)] as const),
    )
    const page = all.map(([title, issues]) => `## ${title}\n${issues.map(told).join('\n')}\n`)
    await expect(page.join('\n')).toMatchFileSnapshot('../../../goldens/mistakes.txt')
    expect(all.length).toBeGreaterThanOrEqual(80)
  })

  it.each(Object.entries(mistakes))('is never silent, and no message is empty: %s', async (_, written) => {
    const issues = await issuesOf(written)
    expect(issues.length).toBeGreaterThan(0)
    for (const { line, column, message, fix } of issues) {
      expect(Math.min(line, column)).toBeGreaterThan(0)
      expect(message).not.toMatch(/undefined|\[object|Invalid (input|string)/)
      expect(fix).not.toMatch(/^$|undefined|\[object|Invalid (input|string)|must match pattern/)
    }
  })

  it('is no mistake where it is right', async () => {
    const right = `workspace: shop
providers: { shop: { source: rest, definition: ./shop.provider.yaml, with: { url: "https://api.test", key: { secret: "env:KEY" } } } }
resources: [{ type: shop_shop, name: main, spec: { name: main, city: Rome } }]
`
    expect(await issuesOf({ text: right })).toEqual([])
  })
})
