import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { otterdog } from '../../../core/sources/otterdog/index.ts'
import { writtenDefaults } from '../../../core/sources/otterdog/library/written-default.ts'
import { organisationOf, repositoryOf } from '../../builders/otterdog/organisation.ts'

const library = `
# Function to create a new repository.
local newRepo(name) = {
  name: name,
  # of a later version
  tomorrow_enabled: false,
  "tomorrow_level": 'high', // quoted
  tomorrow_list: [ 'a', # one
    "b",
  ],
  tomorrow_size: 10,
  workflows+: { tomorrow_mode:: null },
  tomorrow_made: newTomorrow(),
}
`

describe('a default of the library', () => {
  it.each<[string, Json, boolean]>([
    ['tomorrow_enabled', false, true],
    ['tomorrow_enabled', true, false],
    ['tomorrow_level', 'high', true],
    ['tomorrow_list', ['a', 'b'], true],
    ['tomorrow_list', ['b', 'a'], false],
    ['tomorrow_size', 10, true],
    ['tomorrow_size', '10', false],
    ['tomorrow_mode', null, true],
    ['tomorrow_made', {}, false],
    ['tomorrow', false, false],
    ['row_enabled', false, false],
    ['a.*', null, false],
  ])('is found by its key and its value: %s %j', (key, value, expected) => {
    expect(writtenDefaults([library])(key, value)).toBe(expected)
  })
})

const read = (file: JsonObject, texts: readonly string[], given: JsonObject = {}) => {
  const problems: string[] = []
  const call = otterdog.call({ file: 'acme.json', ...given }, () => undefined)
  const report = (path: readonly unknown[], { message }: { readonly message: string }): undefined => {
    problems.push(`${path.join('.')}: ${message}`)
  }
  const module = call?.read(file, report, () => texts)
  return { problems, notes: module?.notes ?? [], types: module?.resources.map(({ type }) => type) }
}

const many = (fields: JsonObject, count = 4): JsonObject =>
  organisationOf({
    repositories: Array.from({ length: count }, (_, n) => repositoryOf({ name: `web-${n}`, ...fields })),
  })

describe('an unknown key', () => {
  const defaults = { tomorrow_enabled: false, tomorrow_list: ['a', 'b'] }

  it('with the default of the library is one note for all repositories, and no mistake', () => {
    const { problems, notes, types } = read(many(defaults), [library])
    expect(problems).toEqual([])
    expect(notes.filter(({ code }) => code === 'newerLibrary')).toMatchObject([
      {
        level: 'info',
        message:
          'the library is newer than the format that is known here: repositories[*].tomorrow_enabled, repositories[*].tomorrow_list have their default and are not compared',
      },
    ])
    expect(types).toContain('github_repository')
  })

  it('with another value, or without such a library, is one problem with the names of the repositories', () => {
    const found = 'repositories.0.tomorrow_enabled: unknown key "tomorrow_enabled" in repositories[*] '
    const names = '(in 4 repositories: web-0, web-1, web-2 and 1 more)'
    expect(read(many({ tomorrow_enabled: true }), [library]).problems).toEqual([found + names])
    expect(read(many({ tomorrow_enabled: false }), []).problems).toEqual([found + names])
  })

  it('that one repository has is told at its place', () => {
    const file = organisationOf({ repositories: [repositoryOf(), repositoryOf({ name: 'docs', archved: true })] })
    expect(read(file, [library]).problems).toEqual(['repositories.1.archved: unknown key "archved" in repositories[1]'])
  })

  it('that the call only warns of is one warning', () => {
    const { problems, notes } = read(many({ ...defaults, archved: true }), [library], { unknownKeys: 'warn' })
    expect(problems).toEqual([])
    expect(notes.filter(({ level }) => level === 'warning').map(({ message }) => message)).toEqual([
      'unknown key "archved" in repositories[*] (in 4 repositories: web-0, web-1, web-2 and 1 more)',
    ])
  })
})

describe('a rule that many repositories break', () => {
  it('is told once for each kind of problem, and not where others differ', () => {
    const file = organisationOf({
      repositories: [
        repositoryOf({ name: 'a', topics: ['A'] }),
        repositoryOf({ name: 'b', topics: ['ok', 'B'] }),
        repositoryOf({ name: 'c', description: 'x'.repeat(351) }),
      ],
    })
    const { problems } = read(file, [])
    expect(problems).toHaveLength(2)
    expect(problems[0]).toContain('(in 2 repositories: a, b)')
    expect(problems[1]).toMatch(/^repositories\.2\.description: the description has 351 characters/)
  })
})
