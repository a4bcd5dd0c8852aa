import type { ForeignLibrary, ForeignModule, ForeignNote, ForeignSource } from '../../engine/config/modules/foreign.ts'
import { parseShape } from '../../engine/config/shape/shape-issues.ts'
import type { Report } from '../../engine/config/syntax/parse-document.ts'
import { removeAt } from '../../engine/json/pointer.ts'
import type { Diagnostic } from '../../engine/schema/issue.ts'
import { isObject, type Json, type Path } from '../../engine/schema/json.ts'
import { defined } from '../../engine/values/defined.ts'
import { linearPattern } from '../../engine/values/texts/linear-pattern.ts'
import { inherit } from './inherit/inherit.ts'
import { libraryText } from './library/library.ts'
import { libraryFix } from './library/words.ts'
import { type Given, readGiven } from './mapping/given.ts'
import { mapToResources } from './mapping/map-organisation.ts'
import { notesOn } from './notes.ts'
import { checkOrganisation } from './rules/check-organisation.ts'
import { type Organisation, organisationShape } from './shape/organisation.ts'
import { say } from './words.ts'

/** A value of the wrong type may be a secret too. */
const withoutValue = (path: Path, { value, ...diagnostic }: Diagnostic): Diagnostic =>
  value === undefined || path.includes('secrets') || path.includes('webhooks') ? diagnostic : { ...diagnostic, value }

interface Shaped {
  readonly organisation: Organisation | undefined
  readonly notes: readonly ForeignNote[]
}

/** Unknown keys become notes if the call asks for it, and are left out. */
const readShape = (value: Json, { unknownKeys = 'error' }: Given, report: Report): Shaped => {
  const unknown: ForeignNote[] = []
  const others: Parameters<Report>[] = []
  const parsed = parseShape(organisationShape, value, (path, diagnostic, what) => {
    if (diagnostic.code === 'unknownKey' && unknownKeys === 'warn')
      unknown.push({ ...diagnostic, level: 'warning', path, atKey: true })
    else others.push([path, withoutValue(path, diagnostic), what])
    return undefined
  })
  for (const each of others) report(...each)
  if (parsed !== undefined || others.length > 0 || unknown.length === 0) return { organisation: parsed, notes: [] }
  const known = unknown.reduce<Json>((whole, { path }) => removeAt(whole, path), value)
  return { organisation: parseShape(organisationShape, known, report), notes: unknown }
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
): ForeignModule | undefined => {
  if (!isObject(value)) return report([], say('noOrganisation'))
  const { organisation, notes } = readShape(value, given, report)
  if (organisation === undefined) return undefined
  const broken = checkOrganisation(organisation, { excludedTeams })
  const told: ForeignNote[] = [...notes]
  for (const { level, path, ...diagnostic } of broken) {
    if (level === 'error') report(path, diagnostic)
    else told.push({ ...diagnostic, level, path })
  }
  if (broken.some(({ level }) => level === 'error')) return undefined
  const secrets = given.secrets ?? {}
  return {
    ...mapToResources({ organisation: inherit(organisation), secrets }),
    notes: [...told, ...notesOn({ organisation, secrets })],
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
      read: (value, reportFile) => read(value, reportFile, given, excluded),
    }
  },
}
