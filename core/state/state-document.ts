import { digest } from '../digest.ts'
import { AppError } from '../errors.ts'
import type { RecordedResource } from '../schema/resource.ts'
import type { StateDocument, StateResource } from '../schema/state.ts'
import { formatVersion, type Recorded } from './recorded.ts'

/** A record with the digest of its attributes. */
export const withDigest = (resource: RecordedResource): StateResource => ({
  ...resource,
  digest: digest(resource.attributes),
})

/** Of all other members. */
const digestOfDocument = (document: Omit<StateDocument, 'digest'>): string => digest({ ...document, digest: undefined })

/** The same bytes for the same version, whoever writes it. Throws STATE_NOT_FOUND where nothing was recorded. */
export const documentOf = ({ workspace, lineage, serial, resources }: Recorded): StateDocument => {
  if (lineage === undefined) throw new AppError('STATE_NOT_FOUND', { workspace })
  const sorted = resources.toSorted((left, right) => (left.address < right.address ? -1 : 1))
  const document = { formatVersion, workspace, lineage, serial, resources: sorted.map(withDigest) } as const
  return { ...document, digest: digestOfDocument(document) }
}
