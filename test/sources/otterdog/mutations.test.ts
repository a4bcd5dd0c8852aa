import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAppError } from '../../../core/engine/errors/errors.ts'
import { loadWorkspaceLater } from '../../../core/engine/workflows/session/load/load-later.ts'
import { sources } from '../../../core/sources/index.ts'
import { lawRuns } from '../../builders/laws.ts'
import { everyType } from '../../builders/otterdog/every-type.ts'

/* Files of the public forms that something has damaged: a configuration, or errors at their places, and never a crash. */

const fixtures = join(import.meta.dirname, '../../fixtures/otterdog')
const forms = readdirSync(fixtures).filter((form) => form !== 'old')
const entry = JSON.stringify({
  workspace: 'acme',
  providers: { hub: { source: 'github' } },
  modules: [{ name: 'acme', source: 'otterdog', with: { file: './acme.json' } }],
})

const issuesOf = async (text: string) => {
  try {
    const files = { 'plumbline.json': entry, 'acme.json': text }
    const { configuration } = await loadWorkspaceLater(
      { entry: 'plumbline.json', files },
      { sources, providers: async () => everyType },
    )
    expect(configuration.resources).toBeInstanceOf(Array)
    return []
  } catch (error) {
    if (!isAppError(error, 'CONFIG_INVALID')) throw error
    expect(error.payload.issues).not.toEqual([])
    return error.payload.issues
  }
}

const words = [
  'null',
  '-1',
  '1e999',
  '""',
  '"${x}"',
  '"********"',
  '"__proto__"',
  '[]',
  '{}',
  '[[',
  '\\',
  '"\\ud800"',
  '\u202e',
]
const damage = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(40),
  what: fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'binary', maxLength: 12 })),
})

/** Values in place of others keep a file that can be read, so that more than its syntax is tried. */
const swap = fc.record({ at: fc.nat(), other: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(...words)) })

const damaged = (text: string, all: readonly { at: number; length: number; what: string }[]): string =>
  all.reduce((before, { at, length, what }) => {
    const start = Math.floor(at * before.length)
    return before.slice(0, start) + what + before.slice(start + length)
  }, text)

const swapped = (text: string, all: readonly { at: number; other: unknown }[]): string =>
  all.reduce((before, { at, other }) => {
    const values = [...before.matchAll(/(?<=: )(?:"[^"\n]*"|true|false|null|\d+)(?=,?\n)/g)]
    const found = values[at % Math.max(values.length, 1)]
    if (found === undefined) return before
    return before.slice(0, found.index) + JSON.stringify(other) + before.slice(found.index + found[0].length)
  }, text)

const expectPlaces = async (text: string): Promise<void> => {
  const lines = text.split('\n').length
  for (const issue of await issuesOf(text)) {
    expect(issue).toMatchObject({ file: 'acme.json', line: expect.any(Number), column: expect.any(Number) })
    expect(issue.line).toBeGreaterThan(0)
    expect(issue.line).toBeLessThanOrEqual(lines)
    expect(issue.column).toBeGreaterThan(0)
  }
}

describe.each(forms)('the organisation file of the form "%s", after damage', (form) => {
  const parsed: unknown = JSON.parse(readFileSync(join(fixtures, form, 'acme.json'), 'utf8'))
  const text = `${JSON.stringify(parsed, null, 2)}\n`

  it('gets errors with a place in the file when letters are missing or wrong', async () => {
    const some = fc.array(damage, { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(some, (all) => expectPlaces(damaged(text, all))),
      lawRuns(40),
    )
  })

  it('gets errors with a place in the file when values are exchanged', async () => {
    const some = fc.array(swap, { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(some, (all) => expectPlaces(swapped(text, all))),
      lawRuns(40),
    )
  })
})
