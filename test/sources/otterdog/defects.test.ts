import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/* Every defect of Otterdog that its users or its source know, with the test that shows that it is not here. */

const known = 'sources/otterdog/known-defects.test.ts'
const driven = 'sources/otterdog/defects-over-github.test.ts'
const exits = 'sources/otterdog/exit-codes.test.ts'

/** Its id, or words of the line that tells it; what is wrong there; the file of the test; and words of its name if it does not begin with the id. */
type Defect = readonly [id: string, wrong: string, file: string, name?: string]

const defects: readonly Defect[] = [
  ['KB-001', 'an apply of an invalid file succeeds', exits],
  ['KB-003', 'only the first page of some lists is read', driven],
  ['KB-004', 'a webhook with another url is another webhook', known],
  ['KB-005', 'a permission of a team that leaves the file stays', known],
  ['KB-006', 'the limit of the cache of Actions, of an organisation (suspected there)', known, 'KB-006, KB-007'],
  ['KB-007', 'the limit of the cache of Actions, of a repository (suspected there)', known, 'KB-006, KB-007'],
  ['KB-008', 'a ruleset of the organisation that requires environments crashes', known],
  ['KB-009', 'the plan team has no rulesets of the organisation', known],
  ['KB-010', 'the two sides of a difference have each other’s names', driven],
  ['KB-011', 'the exit code of a status is always 0', exits],
  ['KB-016', 'a property with an underscore holds no list', known],
  ['KB-019', 'a difference is no longer told after a while', driven],
  ['KB-020', 'any: before a check is different in each plan', known],
  ['KB-021', 'an empty list of checks is refused by GitHub', known],
  ['KB-022', 'a secret is made before the repositories that it selects', known],
  ['KB-023', 'only the first pattern of repositories is looked at', known],
  ['KB-024', 'the defaults of a free organisation are invalid', known],
  ['KB-025', 'a secret with several colons crashes', known],
  ['KB-026', 'a plain secret is printed', known],
  ['KB-027', 'names of teams are compared with slugs', driven],
  ['KB-028', 'variables of the organisation are not validated', known],
  ['KB-029', 'unknown actions of a repository crash', known],
  ['KB-030', 'a required property without a default crashes', known],
  ['KB-031', 'a missing parameter of a merge queue crashes', known],
  ['KB-032', 'words that the message names are refused', known],
  ['KB-033', 'rules run after what the organisation decides', known],
  ['KB-034', '256 errors are the exit code 0', exits, 'KB-034: 256 errors'],
  ['KB-036', 'a comment names policies that are refused', known],
  ['KB-037', 'a message names the wrong words for privacy', known],
  ['KB-039', 'an unknown role that may bypass crashes the apply', known],
  ['KB-041', 'the requirement of two factors is never read', driven],
  ['KB-048', 'the secret of a webhook is lost', driven],
  ['KB-051', 'an app that is not installed is different in each plan', driven],
  ['KB-052', ':always is different in each plan', known],
  ['KB-053', 'one half of a pair of texts is refused by GitHub', driven, 'KB-053: the title'],
  ['KB-058', 'topics of an archived repository are different in each plan', known],
  ['KB-062', 'properties of the type url are refused', known],
  ['KB-063', 'replaced parts of a list are printed in two ways', driven],
  ['KB-065', 'a new repository needs two applies', driven],
  ['KB-066', 'what is different is reported as in sync', driven, 'KB-019, KB-066'],
  ['KB-067', 'an invalid file is reported as in sync', driven],
  ['KB-068', 'a pattern is sent as the url of a webhook', known],
  ['KB-078', 'permissions of a token are told wrongly', driven],
  ['KB-080', 'a refused read is an empty list', driven, 'KB-080: what answers'],
  ['Login comparison', 'the case of a login is a difference', driven, 'KB-027 and the case of logins'],
  ['PUT silently removes them', 'actors of unknown kinds are removed', driven, 'an actor that the format cannot name'],
  ['silent loss when not', 'teams of an organisation ruleset are lost', known, 'the team of an organisation ruleset'],
  [
    'is taken as success',
    'a refusal with the status 200 succeeds',
    'providers/github/protection.test.ts',
    'fails a write',
  ],
  ['javascript-typescript is *dropped', 'a language never converges', known, 'the language javascript-typescript'],
  ['omitted protection settings', 'an environment loses what is not sent', driven, 'an environment keeps'],
  ['a changed default library', 'a library that changes is never rolled out', driven, 'another default of a library'],
  ['multi-commit rebase merges', 'earlier versions of a file are lost', driven, 'versions of a file'],
  ['merges close together', 'two applies run at once', driven, 'of two applies of one plan'],
  ['failed apply may stay', 'a failure is not stored', driven, 'an apply that failed is stored'],
  ['relative to whatever HEAD', 'a plan is made against another version', driven, 'versions of a file'],
]

const textOf = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')

describe('each defect', () => {
  const each = defects.map(([id, wrong, file, name = id]) => [id, wrong, file, name] as const)
  it.each(each)('is covered by an existing test: %s: %s', (_id, _wrong, file, name) => {
    const names = textOf(file).match(/^ *(?:it\(|it\.each\(.*\)\(|eachOf\(.*\)\(|\]\)\()\s*'.*'/gm) ?? []
    expect(names.filter((found) => found.includes(`'${name}`))).not.toEqual([])
  })

  it('is in the list once', () => {
    const all = defects.map(([id]) => id)
    expect(all).toEqual([...new Set(all)])
  })
})

const reference = join(import.meta.dirname, '../../../../shared/reference/otterdog.md')

it.skipIf(!existsSync(reference))('no defect that is known of is without a test', () => {
  const text = readFileSync(reference, 'utf8')
  const ids = new Set(defects.map(([id]) => id))
  expect((text.match(/KB-\d{3}/g) ?? []).filter((id) => !ids.has(id))).toEqual([])
  const inferred = text.split('\n').filter((line) => line.includes('[infer') && !line.startsWith('| [infer]'))
  expect(inferred.length).toBeGreaterThan(5)
  const around = (line: string) => defects.some(([id]) => line.includes(id))
  expect(inferred.filter((line) => !around(line))).toEqual([])
})
