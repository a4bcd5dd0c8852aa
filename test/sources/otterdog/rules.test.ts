import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toPointer } from '../../../core/engine/json/pointer.ts'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { checkOrganisation, rules } from '../../../core/sources/otterdog/rules/check-organisation.ts'
import { organisationShape } from '../../../core/sources/otterdog/shape/organisation.ts'
import { built, organisationOf, repositoryOf } from '../../builders/otterdog/organisation.ts'
import { ruleCases } from './rule-cases.ts'

const check = (written: JsonObject, around: Parameters<typeof checkOrganisation>[1] = {}) =>
  checkOrganisation(organisationShape.parse(written), around).map(({ code, level, path, value, message }) => ({
    code,
    level,
    at: toPointer(path),
    value,
    message,
  }))

const team = (fields: JsonObject) => organisationOf({ teams: [built('newTeam', { name: 'Core Team', ...fields })] })

describe('each rule', () => {
  it.each(ruleCases.map((each, index) => [`${each.id} at ${each.at} (${index})`, each] as const))(
    'finds what breaks it, at its place: %s',
    (_, each) => {
      const [first, ...others] = check(each.bad)
      expect({ code: first?.code, at: first?.at, others }).toEqual({ code: each.id, at: each.at, others: [] })
      expect(check(each.good)).toEqual([])
    },
  )

  it('has a case in the table, or one below', () => {
    const known = new Set(ruleCases.map(({ id }) => id))
    const apart = ['TEAM-1', 'TEAM-4', 'REPO-19']
    expect([...new Set(rules.map(({ id }) => id))].filter((id) => !known.has(id))).toEqual(apart)
  })

  it('has the severity of the reference, or a stricter one where it printed secrets', () => {
    const of = (level: string) => [...new Set(rules.filter((each) => each.level === level).map(({ id }) => id))].sort()
    expect({ warning: of('warning'), info: of('info') }).toMatchInlineSnapshot(`
      {
        "info": [
          "BPR-1",
          "BPR-5",
          "BPR-6",
          "BPR-7",
          "HOOK-1",
          "REPO-13",
          "REPO-15",
          "REPO-23",
          "RS-9",
          "SEC-1",
          "WF-10",
          "WF-11",
          "WF-7",
          "WF-8",
          "WF-9",
        ],
        "warning": [
          "BPR-10",
          "BPR-11",
          "BPR-12",
          "BPR-2",
          "BPR-3",
          "BPR-8",
          "ENV-2",
          "ENV-4",
          "ORS-1",
          "ORS-2",
          "OSEC-3",
          "REPO-3",
          "REPO-4",
          "REPO-6",
          "REPO-8",
          "RS-4",
          "SET-7",
          "WF-2",
          "WF-6",
        ],
      }
    `)
  })
})

it('TEAM-1: excluded teams are matched by their slug', () => {
  const excludedTeams = [(slug: string) => slug === 'core-team']
  expect(check(team({}), { excludedTeams })).toMatchObject([{ code: 'TEAM-1', at: '/teams/0/name' }])
  expect(check(team({ name: 'Other' }), { excludedTeams })).toEqual([])
})

it('TEAM-4 uses observed members, and says where it did not run without them', () => {
  const written = team({ skip_non_organization_members: true, members: ['Ada', 'eve'] })
  expect(check(written, { observed: { members: ['ada'] } })).toMatchObject([
    { code: 'TEAM-4', level: 'error', at: '/teams/0/members/1', value: '"eve"' },
  ])
  expect(check(written, { observed: { members: ['ada', 'Eve'] } })).toEqual([])
  expect(check(written)).toMatchObject([{ code: 'TEAM-4', level: 'info', at: '/teams/0/members' }])
})

it('REPO-19 uses observed languages, and says where it did not run without them', () => {
  const written = organisationOf({
    repositories: [
      repositoryOf({ code_scanning_default_setup_enabled: true, code_scanning_default_languages: ['go'] }),
    ],
  })
  expect(check(written, { observed: { languages: { website: ['rust'] } } })).toMatchObject([
    { code: 'REPO-19', level: 'error', at: '/repositories/0/code_scanning_default_languages/0' },
  ])
  expect(check(written, { observed: { languages: { website: ['go'] } } })).toEqual([])
  expect(check(written)).toMatchObject([{ code: 'REPO-19', level: 'info' }])
})

it('no rule repeats the value of a secret', () => {
  const written = organisationOf({
    secrets: [built('newOrgSecret', { name: 'A', value: 'hunter2' })],
    webhooks: [built('newOrgWebhook', { url: 'https://a.example', secret: 'vault:hunter2' })],
    repositories: [
      repositoryOf({
        secrets: [{ name: 'B', value: 'bitwarden:hunter2' }],
        environments: [built('newEnvironment', { name: 'e', secrets: [{ name: 'C', value: 'hunter2' }] })],
      }),
    ],
  })
  const found = checkOrganisation(organisationShape.parse(written))
  expect(found.map(({ code }) => code)).toEqual(['SEC-4', 'SEC-2', 'SEC-4', 'SEC-2'])
  expect(JSON.stringify(found)).not.toContain('hunter2')
})

it('a field that is not written breaks no rule', () => {
  const bare = {
    project_name: 'acme',
    github_id: 'acme',
    settings: {},
    repositories: [{ name: 'a', private: true, rulesets: [{ name: 'r', enforcement: 'active' }] }],
    teams: [{ name: 't', privacy: 'visible' }],
  }
  expect(check(bare)).toEqual([])
})

const reference = join(import.meta.dirname, '../../../../shared/reference/otterdog.md')

it.skipIf(!existsSync(reference))('each rule of the format is in these tests', () => {
  const text = readFileSync(reference, 'utf8').split('### 3.7')[1]?.split('### 3.8')[0] ?? ''
  const ids = [...text.matchAll(/^\| ([A-Z]+)-(\d+)(?:(\.\.|\/)(\d+))? \|/gm)].flatMap(([, kind, first, , last]) =>
    Array.from({ length: Number(last ?? first) - Number(first) + 1 }, (_, index) => `${kind}-${Number(first) + index}`),
  )
  const known = new Set(rules.map(({ id }) => id))
  expect(ids.length).toBeGreaterThan(80)
  expect(ids.filter((id) => !known.has(id))).toEqual([])
})
