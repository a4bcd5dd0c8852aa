import type { CommandOutcome, Left } from '../schema/records.ts'

const shownPaths = 10
const shownResources = 10

/** The first of many, and how many more there are. */
const list = (texts: readonly string[], most: number): string => {
  const rest = texts.length - most
  return rest <= 0 ? texts.join(', ') : `${texts.slice(0, most).join(', ')} and ${rest} more`
}

/** What is not as it should be of one resource: `rrsets[www].ttl, kind`, or why nobody knows. */
export const leftDetail = ({ kind, paths, detail }: Left): string => {
  if (kind === 'unchecked') return `could not be read: ${detail ?? ''}`
  return [...(paths.length === 0 ? [] : [list(paths, shownPaths)]), ...(detail === undefined ? [] : [detail])].join(
    '; ',
  )
}

/** `pdns_zone.main (kind), pdns_zone.b (could not be read: ...)` */
export const leftText = (left: readonly Left[]): string =>
  list(
    left.map((one) => `${one.address} (${leftDetail(one)})`),
    shownResources,
  )

/** `host_file.a (prevent_destroy: ...)` */
export const blockedText = (blocked: readonly CommandOutcome[]): string =>
  list(
    blocked.map(({ command, detail = '' }) => `${command} (${detail})`),
    shownResources,
  )
