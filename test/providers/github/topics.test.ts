import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { githubTypes } from '../../builders/generated/github-reference.ts'
import { long } from '../../builders/long.ts'
import descriptions from '../../github/description/github.json' with { type: 'json' }

/* docs/github.md is where a newcomer looks for a type: none is missing, and none that is named is gone. */

const page = readFileSync(new URL('../../../docs/github.md', import.meta.url), 'utf8')
const sectionOf = (title: string): string => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''

it('the table of topics names every type once', long, () => {
  const named = [...sectionOf('What can be managed').matchAll(/`(github_\w+)`/g)].map(([, name]) => name)
  expect(named.toSorted()).toEqual(
    githubTypes()
      .map(({ name }) => name)
      .toSorted(),
  )
})

it('the page links to sections that exist', () => {
  const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
  const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor)
  expect(links.length).toBeGreaterThan(8)
  expect(links.filter((anchor) => !anchors.includes(anchor))).toEqual([])
})

interface Node {
  readonly [member: string]: unknown
}

/** The parameters that the official description requires of a rule, by its type. */
const requiredOf = (value: unknown, found = new Map<string, readonly string[]>()): typeof found => {
  if (typeof value !== 'object' || value === null) return found
  const { type, parameters } = ((value as Node)['properties'] ?? {}) as Record<string, Node>
  const [rule] = (type?.['enum'] ?? []) as string[]
  if (rule !== undefined && parameters !== undefined) found.set(rule, (parameters['required'] ?? []) as string[])
  for (const inner of Object.values(value)) requiredOf(inner, found)
  return found
}

it('the page says which parameters a rule needs', () => {
  const rows = [...sectionOf('Rulesets').matchAll(/^\| `(\w+)`.*? \| (.*) \|$/gm)]
  expect(rows.length).toBeGreaterThan(3)
  const required = requiredOf(descriptions)
  for (const [, rule = '', parameters = ''] of rows)
    expect([rule, [...parameters.matchAll(/`(\w+)`/g)].map(([, name]) => name).toSorted()]).toEqual([
      rule,
      required.get(rule)?.toSorted(),
    ])
})
