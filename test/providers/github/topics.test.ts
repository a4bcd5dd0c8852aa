import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { githubTypes } from '../../builders/generated/github-reference.ts'
import { long } from '../../builders/long.ts'
import descriptions from '../../github/description/github.json' with { type: 'json' }
import { driveGitHub, type Wanted } from './drive.ts'

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

/** The resources of the page as one workspace: without rules, sources of other repositories, and lists beside their elements. */
const written = (): readonly Wanted[] => {
  const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) =>
    parse(text.replaceAll(/env:\w+/g, 'env:VALUE')),
  )
  const all: readonly Wanted[] = blocks.flatMap((block) => (Array.isArray(block) ? block : (block.resources ?? [])))
  const fits = all.filter(
    ({ type, spec, forAll }) =>
      forAll === undefined &&
      !/"(template|fork_of)"/.test(JSON.stringify(spec)) &&
      !/_(teams|collaborators|members)$/.test(type),
  )
  return [...Map.groupBy(fits, ({ type, name }) => `${type}.${name}`).values()].flatMap((same) => same.slice(0, 1))
}

it(
  'an empty organisation becomes what the page declares by one apply, and a drift is repaired by one',
  long,
  async () => {
    await using drive = await driveGitHub(written(), { members: ['mona', 'hubot'] })
    for (const slug of ['renovate', 'github-actions']) drive.github.app({ slug })
    expect((await drive.settle()).plan.commands.length).toBeGreaterThan(20)
    expect((await drive.check()).plan).toMatchObject({ inSync: true, ignored: [] })
    const alice = drive.github.as('octo-owner')
    alice.request('PATCH', '/repos/acme/web', { allow_update_branch: false })
    alice.request('DELETE', '/orgs/acme/teams/docs')
    const { lines } = await drive.settle()
    expect(lines.map(([line]) => line).toSorted()).toEqual(['PATCH /repos/acme/web', 'POST /orgs/acme/teams'])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(drive.github.violations).toEqual([])
  },
)
