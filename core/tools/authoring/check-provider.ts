import { AppError } from '../../engine/errors/errors.ts'
import { valueAt } from '../../engine/json/pointer.ts'
import type { DescriptionNote, ProviderFinding, ProviderReport } from '../../engine/schema/reports/provider-report.ts'
import { findOneWayRefs, findOpenDefaults } from '../../providers/rest/check/parts/attributes.ts'
import { findSharedLists } from './check/owners.ts'
import { findUnpaged } from './check/pages.ts'
import { findNamedContainers, findUnproven } from './check/proof.ts'
import { compareDocument } from './check/resource.ts'
import { waiveWarnings } from './check/waive.ts'
import { findSentOutside, findUnplaced } from './check/writes.ts'
import type { Reading } from './description/description.ts'
import { readDescription } from './description/read-description.ts'
import { unreadable } from './description/words.ts'
import { resourcesOf } from './document/document-view.ts'
import { byPlace, type NamedText, openDocument } from './document/open-document.ts'
import { type DraftedDocument, draftDocument, type Wanted } from './init/draft/document.ts'

/** Returns the value of `provider.openapi`, if the text can be parsed. */
export const describedBy = (source: NamedText): string | undefined => {
  const openapi = valueAt(openDocument(source).value ?? null, ['provider', 'openapi'])
  return typeof openapi === 'string' && openapi !== '' ? openapi : undefined
}

/**
 * Finds every problem of a provider document, alone and compared with a description. Throws USAGE if the description
 * cannot be read.
 */
export const checkProvider = (source: NamedText, description?: NamedText): ProviderReport => {
  const { document, issues, locate } = openDocument(source)
  const reading = description && openDescription(description)
  const report = { document: source.name, types: [], waived: [], uncompared: [], notes: [] }
  if (document === undefined)
    return { ...report, findings: issues.map((issue): ProviderFinding => ({ ...issue, severity: 'error' })) }
  const { disagreements, uncompared } = reading
    ? compareDocument(document, reading.description)
    : {
        disagreements: resourcesOf(document).flatMap((view) =>
          [...findSharedLists(view), ...findUnproven(view), ...findSentOutside(view)].filter((one) => 'message' in one),
        ),
        uncompared: [],
      }
  const { warnings, waived } = waiveWarnings(document.provider.waive ?? [], [
    ...findOneWayRefs(document),
    ...findOpenDefaults(document),
    ...findUnpaged(document),
    ...[...findNamedContainers(document), ...findUnplaced(document)].filter((one) => 'message' in one),
    ...disagreements,
  ])
  const findings = warnings.map(
    ({ path, ...rest }): ProviderFinding => ({ ...locate(path), ...rest, severity: 'warning' }),
  )
  return {
    ...report,
    types: Object.keys(document.resources),
    findings: findings.toSorted(byPlace),
    waived: waived
      .map(({ warning: { path, message }, reason }) => ({ ...locate(path), message, reason }))
      .toSorted(byPlace),
    uncompared: uncompared.map(({ path, ...rest }) => ({ ...locate(path), ...rest })).toSorted(byPlace),
    ...(description && reading ? { description: description.name, notes: reading.notes() } : {}),
  }
}

const openDescription = ({ name, text }: NamedText): Reading => {
  const read = readDescription(text)
  if (!read.ok) throw new AppError('USAGE', { detail: unreadable.file(name, read.message) })
  return read.reading
}

export interface InitializedProvider extends DraftedDocument {
  readonly notes: readonly DescriptionNote[]
}

/** Throws USAGE if the description cannot be read. */
export const initProvider = (description: NamedText, wanted: Omit<Wanted, 'origin'>): InitializedProvider => {
  const reading = openDescription(description)
  const drafted = draftDocument(reading.description, { ...wanted, origin: description.name })
  return { ...drafted, notes: reading.notes() }
}
