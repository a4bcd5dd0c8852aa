import type { ForeignLibrary, ForeignModule, ForeignNote, ForeignSource } from '../../engine/config/modules/foreign.ts'
import { parseShape } from '../../engine/config/shape/shape-issues.ts'
import type { Report } from '../../engine/config/syntax/parse-document.ts'
import { pathText, removeAt, valueAt } from '../../engine/json/pointer.ts'
import type { Diagnostic } from '../../engine/schema/issue.ts'
import { isObject, type Json, type Path } from '../../engine/schema/json.ts'
import { defined } from '../../engine/values/defined.ts'
import { linearPattern } from '../../engine/values/texts/linear-pattern.ts'
import { groupAlike } from './alike.ts'
import { inherit } from './inherit/inherit.ts'
import { libraryText } from './library/library.ts'
import { libraryFix } from './library/words.ts'
import { writtenDefaults } from './library/written-default.ts'
import { type Given, readGiven } from './mapping/given.ts'
import { mapToResources } from './mapping/map-organisation.ts'
import { notesOn } from './notes.ts'
import { checkOrganisation } from './rules/check-organisation.ts'
import { type Organisation, organisationShape } from './shape/organisation.ts'
import { say } from './words.ts'

/** A value of the wrong type may be a secret too. */
const withoutValue = (path: Path, { value, ...diagnostic }: Diagnostic): Diagnostic =>
  value === undefined || path.includes('secrets') || path.includes('webhooks') ? diagnostic : { ...diagnostic, value }

/** The texts of the library that the file imports; none where it has none beside it. */
type LibraryTexts = () => readonly string[]

interface Problem {
  readonly path: Path
  readonly diagnostic: Diagnostic
  readonly what?: 'value' | 'key' | undefined
}

interface Shaped {
  readonly organisation: Organisation | undefined
  readonly notes: readonly ForeignNote[]
}

/** Unknown keys with a default of the library, and others if the call asks for it, become notes, and are left out. */
const readShape = (value: Json, { unknownKeys = 'error' }: Given, report: Report, library: LibraryTexts): Shaped => {
  const unknown: Problem[] = []
  const others: Problem[] = []
  const parsed = parseShape(organisationShape, value, (path, diagnostic, what) => {
    const isOther = diagnostic.code !== 'unknownKey'
    if (isOther) others.push({ path, diagnostic: withoutValue(path, diagnostic), what })
    else unknown.push({ path, diagnostic, what })
    return undefined
  })
  const isWritten = writtenDefaults(unknown.length === 0 ? [] : library())
  const isDefault = ({ path }: Problem): boolean => isWritten(String(path.at(-1)), valueAt(value, path) ?? null)
  const { true: newer = [], false: mistaken = [] } = Object.groupBy(unknown, (each) => String(isDefault(each)))
  const refused = [...others, ...(unknownKeys === 'error' ? mistaken : [])]
  for (const { path, diagnostic, what } of groupAlike(value, refused)) report(path, diagnostic, what)
  if (parsed !== undefined || refused.length > 0 || unknown.length === 0) return { organisation: parsed, notes: [] }
  const known = unknown.reduce<Json>((whole, { path }) => removeAt(whole, path), value)
  const notes = groupAlike(value, mistaken).map(
    ({ path, diagnostic }) => ({ ...diagnostic, level: 'warning', path, atKey: true }) as const,
  )
  return { organisation: parseShape(organisationShape, known, report), notes: [...ofNewer(newer), ...notes] }
}

const ofNewer = (newer: readonly Problem[]): readonly ForeignNote[] => {
  const keys = newer.map(({ path }) => pathText(path.map((step) => (typeof step === 'number' ? '*' : step))))
  return newer.length === 0 ? [] : [{ ...say('newerLibrary', [...new Set(keys)]), level: 'info', path: [] }]
}

/** The patterns of teams that are not managed; a wrong one is reported. */
const patternsIn = ({ excludeTeams = [] }: Given, report: Report): readonly ((slug: string) => boolean)[] =>
  excludeTeams.flatMap((written, index) => {
    const pattern = linearPattern(written)
    if (typeof pattern === 'function') return [pattern]
    report(['excludeTeams', index], say('badPattern', written))
    return []
  })

const read = (
  value: Json,
  report: Report,
  given: Given,
  excludedTeams: readonly ((slug: string) => boolean)[],
  library: LibraryTexts,
): ForeignModule | undefined => {
  if (!isObject(value)) return report([], say('noOrganisation'))
  const { organisation, notes } = readShape(value, given, report, library)
  if (organisation === undefined) return undefined
  const secrets = given.secrets ?? {}
  const found = [...checkOrganisation(organisation, { excludedTeams }), ...notesOn({ organisation, secrets })]
  const placed = found.map(({ level, path, ...diagnostic }) => ({ level, path, diagnostic }))
  const told = groupAlike(value, placed)
  for (const { level, path, diagnostic } of told) if (level === 'error') report(path, diagnostic)
  if (told.some(({ level }) => level === 'error')) return undefined
  return {
    ...mapToResources({ organisation: inherit(organisation), secrets }),
    notes: [
      ...notes,
      ...told.flatMap(({ level, path, diagnostic }) => (level === 'error' ? [] : [{ ...diagnostic, level, path }])),
    ],
  }
}

const libraryOf = ({ library }: Given): ForeignLibrary['from'] => {
  if (library === undefined) return { fix: libraryFix }
  return library === 'shipped' ? { text: libraryText() } : { folder: library }
}

/** Modules whose file is an organisation file of Otterdog: what it evaluates to, in JSON. */
export const otterdog: ForeignSource = {
  call: (written, report) => {
    const given = readGiven(written, report)
    if (given === undefined) return undefined
    const excluded = patternsIn(given, report)
    if (excluded.length < (given.excludeTeams ?? []).length) return undefined
    return {
      file: given.file,
      ...defined({ provider: given.provider }),
      library: { below: 'vendor', from: libraryOf(given) },
      read: (value, reportFile, library) => read(value, reportFile, given, excluded, library),
    }
  },
}
