import type { Actor } from '../schema/actor.ts'
import type { Episode, Finding } from '../schema/stored/findings.ts'
import { atLeast, highest } from '../values/severity.ts'

/** Who asked for it, when and why. */
export interface QuietWish {
  readonly at: string
  readonly by: Actor
  readonly reason: string
}

export const acknowledge = (episode: Episode, wish: QuietWish): Episode | undefined =>
  episode.acknowledged === undefined
    ? { ...episode, acknowledged: { ...wish, severity: highest(episode.findings) } }
    : undefined

/** `until` is after `wish.at`. A second snooze replaces the first. */
export const snooze = (episode: Episode, { until, ...wish }: QuietWish & { readonly until: string }) =>
  episode.snoozed?.until === until ? undefined : { ...episode, snoozed: { ...wish, until } }

/** Ends a snooze now, so that the next check tells what it kept quiet. */
export const unsnooze = (episode: Episode, at: string): Episode | undefined =>
  episode.snoozed !== undefined && isAhead(episode.snoozed.until, at)
    ? { ...episode, snoozed: { ...episode.snoozed, until: at } }
    : undefined

const isAhead = (time: string, now: string): boolean => Date.parse(time) > Date.parse(now)

export const withoutQuiet = ({ acknowledged: _, snoozed: __, ...episode }: Episode): Episode => episode

/** The finding of a check that failed as a whole is the workspace itself. */
const isFailed = (findings: readonly Finding[], workspace: string): boolean =>
  findings.some(({ kind, address }) => kind === 'unchecked' && address === workspace)

/**
 * `quiet`: the episode sends no alert about these findings. `ended`: it was acknowledged or snoozed, and has to be told
 * again. A snooze does not hide that checks begin to fail. An acknowledgement is valid for its severity only, and for the drift of the
 * resources that it was about; what cannot be read comes and goes with one cause.
 */
export const quietOf = (
  { acknowledged, snoozed, findings: before, workspace, key }: Episode,
  findings: readonly Finding[],
  at: string,
): 'quiet' | 'ended' | 'none' => {
  if (snoozed !== undefined) {
    const isNews = isFailed(findings, workspace) && !isFailed(before, workspace)
    return isAhead(snoozed.until, at) && !isNews ? 'quiet' : 'ended'
  }
  if (acknowledged === undefined) return 'none'
  const known = new Set(before.map(({ address }) => address))
  const isOther = key === 'drift' && findings.some(({ address }) => !known.has(address))
  return atLeast(acknowledged.severity, highest(findings)) && !isOther ? 'quiet' : 'ended'
}
