import type { CommandOutcome, Left } from '../../schema/stored/outcome.ts'
import { present } from '../defined.ts'
import { unread } from '../words.ts'

/** Cuts a text to at most `most` UTF-16 units. A cut text ends with `...`, and no character is split. */
export const shorten = (text: string, most: number): string => {
  if (text.length <= most) return text
  const kept = text.slice(0, Math.max(0, most - 3))
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}...`
}

export const firstOf = (texts: readonly string[], most: number): string => {
  const rest = texts.length - most
  return rest <= 0 ? texts.join(', ') : `${texts.slice(0, most).join(', ')} and ${rest} more`
}

const shownPaths = 10
const shownResources = 10

/** How one resource differs: `rrsets[www].ttl, kind`, or why that is not known. */
export const leftDetail = ({ kind, paths, detail }: Left): string => {
  const named = paths.length > 0 && firstOf(paths, shownPaths)
  return kind === 'unchecked' ? present(named, unread(detail ?? '')).join(' ') : present(named, detail).join('; ')
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

/** For a comment that ends with its line: names of an API may contain any character. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
