import type { UnknownReason } from '../../schema/resource.ts'
import type { UncheckedCause } from '../../schema/stored/records.ts'
import { shorten } from './shorten.ts'

interface UnreadResource {
  readonly reason: UnknownReason
  readonly detail: string
}

const shownCauses = 3
const longestDetail = 300

/**
 * Removes the object from a text such as `GET https://api/zones/a?x answered 429`, which is about the server and not
 * about one object.
 */
const general = (detail: string): string =>
  detail.replace(/(?:\b[A-Z]+ )?\b(https?:\/\/[^\s/?#,;)]+)\S*?(?=[,;:)]*(?:\s|$))/g, '$1')

const hostIn = (detail: string): string | undefined => /https?:\/\/[^\s/?#,;)]+/.exec(detail)?.[0]

/**
 * Equal for equal causes, even if their texts differ. A host that does not answer is one cause for all its resources.
 */
export const causeKey = ({ reason, detail }: UnreadResource): string => {
  const host = reason === 'timeout' || reason === 'network' ? hostIn(detail) : undefined
  return JSON.stringify([reason, host ?? general(detail)])
}

const mostFrequent = (texts: readonly string[]): string => {
  const alike = [...Map.groupBy(texts, (text) => text).values()]
  return alike.toSorted((a, b) => b.length - a.length)[0]?.[0] ?? ''
}

const causeOf = (group: readonly UnreadResource[], reason: UnknownReason): UncheckedCause => {
  const details = new Set(group.map(({ detail }) => detail))
  const [only = ''] = details
  const detail = details.size === 1 ? only : mostFrequent(group.map((each) => general(each.detail)))
  return {
    reason,
    detail: shorten(detail, longestDetail),
    count: group.length,
  }
}

/** Each cause once, with the number of resources that it affected; the three most frequent causes, most frequent first. */
export const causesOf = (unread: readonly UnreadResource[]): readonly UncheckedCause[] =>
  [...Map.groupBy(unread, causeKey).values()]
    .flatMap((group) => group.slice(0, 1).map(({ reason }) => causeOf(group, reason)))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, shownCauses)
