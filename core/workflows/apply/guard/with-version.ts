import type { Command, PlannedRequest } from '../../../schema/command.ts'
import type { Json } from '../../../schema/json.ts'
import type { Session } from '../../session/open-session.ts'

/** A version goes along with the request: the target itself refuses when the object moved. */
export const withVersion = (
  { request, precondition, address }: Command,
  { produced }: Pick<Session, 'produced'>,
): PlannedRequest => {
  const sent = (header: string, version: Json | undefined): PlannedRequest =>
    version === undefined ? request : { ...request, headers: { ...request.headers, [header]: String(version) } }
  if (precondition?.kind === 'etag') return sent(precondition.header ?? 'if-match', precondition.etag)
  const isLater = precondition?.kind === 'chained' || precondition?.kind === 'made'
  if (!isLater || precondition.header === undefined) return request
  return sent(precondition.header, produced.versions.get(address)?.[precondition.object ?? ''])
}
