import type { CommandOutcome, Left } from '../schema/records.ts'
import { present } from './defined.ts'
import { firstOf } from './shorten.ts'

const shownPaths = 10
const shownResources = 10

/** What is not as it should be of one resource: `rrsets[www].ttl, kind`, or why nobody knows. */
export const leftDetail = ({ kind, paths, detail }: Left): string => {
  if (kind === 'unchecked') return `could not be read: ${detail ?? ''}`
  return present(paths.length > 0 && firstOf(paths, shownPaths), detail).join('; ')
}

/** `pdns_zone.main (kind), pdns_zone.b (could not be read: ...)` */
export const leftText = (left: readonly Left[]): string =>
  firstOf(
    left.map((one) => `${one.address} (${leftDetail(one)})`),
    shownResources,
  )

/** `host_file.a (prevent_destroy: ...)` */
export const blockedText = (blocked: readonly CommandOutcome[]): string =>
  firstOf(
    blocked.map(({ command, detail = '' }) => `${command} (${detail})`),
    shownResources,
  )
