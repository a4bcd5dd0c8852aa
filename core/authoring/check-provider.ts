import { parseDocument as parseText } from '../config/syntax/parse-document.ts'
import { AppError } from '../errors.ts'
import { findOneWayRefs } from '../providers/rest/check/one-way-refs.ts'
import { parseDocument } from '../providers/rest/check/parse-document.ts'
import type { RestDocument } from '../providers/rest/document/document.ts'
import { isObject, type Path } from '../schema/json.ts'
import type { DescriptionNote, ProviderFinding, ProviderReport } from '../schema/reports/provider-report.ts'
import type { Position } from '../schema/resource.ts'
import { defined } from '../values/defined.ts'
import { compareDocument } from './check/document.ts'
import type { Disagreement } from './check/finding.ts'
import type { Reading } from './description/description.ts'
import { readDescription } from './description/read-description.ts'
import { type DraftedDocument, draftDocument, type Wanted } from './init/draft/document.ts'

/** A text and what it is called for people. */
export interface NamedText {
  readonly name: string
  readonly text: string
}

/** The description that a document names, where it names one and can be understood so far. */
export const describedBy = ({ name, text }: NamedText): string | undefined => {
  const { value } = parseText(name, text)
  const provider = isObject(value) ? value['provider'] : undefined
  const openapi = isObject(provider) ? provider['openapi'] : undefined
  return typeof openapi === 'string' && openapi !== '' ? openapi : undefined
}

/** All that is wrong with a provider document, alone and beside a description. Asks nobody. Throws USAGE for a text that is no description. */
export const checkProvider = (source: NamedText, description?: NamedText): ProviderReport => {
  const { value, issues, locate } = parseText(source.name, source.text)
  const parsed =
    value === undefined || issues.length > 0
      ? undefined
      : parseDocument({ file: source.name, value, locate: (path) => locate(path) })
  const wrong = parsed === undefined || parsed.ok ? issues : parsed.issues
  const errors = wrong.map((issue): ProviderFinding => ({ ...issue, severity: 'error' }))
  const reading = description && openDescription(description)
  const report = { document: source.name, findings: errors, types: [], uncompared: [], notes: [] }
  if (parsed?.ok !== true) return report
  const { document } = parsed
  const at = (path: Path): Position => locate(path)
  const alone = findOneWayRefs(document).map((problem) => warning(problem, at))
  const beside = reading && compare(document, reading, at)
  return {
    ...report,
    types: Object.keys(document.resources),
    ...beside,
    findings: [...alone, ...(beside?.findings ?? [])].toSorted(byPlace),
    ...defined({ description: description?.name }),
  }
}

const warning = ({ path, ...rest }: Disagreement, locate: (path: Path) => Position): ProviderFinding => ({
  ...locate(path),
  ...rest,
  severity: 'warning',
})

const openDescription = ({ name, text }: NamedText): Reading => {
  const read = readDescription(text)
  if (!read.ok) throw new AppError('USAGE', { detail: `${name} cannot be read as a description: ${read.message}` })
  return read.reading
}

const compare = (
  document: RestDocument,
  reading: Reading,
  locate: (path: Path) => Position,
): Pick<ProviderReport, 'findings' | 'uncompared' | 'notes'> => {
  const { disagreements, uncompared } = compareDocument(document, reading.description)
  return {
    findings: disagreements.map((one) => warning(one, locate)),
    uncompared: uncompared.map(({ path, ...rest }) => ({ ...locate(path), ...rest })).toSorted(byPlace),
    notes: reading.notes(),
  }
}

const byPlace = (left: Position, right: Position): number => left.line - right.line || left.column - right.column

export interface InitializedProvider extends DraftedDocument {
  readonly notes: readonly DescriptionNote[]
}

/** A first document for a described API. Throws USAGE for a text that is no description. */
export const initProvider = (description: NamedText, wanted: Omit<Wanted, 'origin'>): InitializedProvider => {
  const reading = openDescription(description)
  const drafted = draftDocument(reading.description, { ...wanted, origin: description.name })
  return { ...drafted, notes: reading.notes() }
}
