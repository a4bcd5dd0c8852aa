import type { Episode } from '../../../engine/schema/stored/findings.ts'
import { present } from '../../../engine/values/defined.ts'
import { highest } from '../../../engine/values/severity.ts'
import { type Palette, palette } from '../characters/palette.ts'
import { alignCells, type Cell } from '../characters/table.ts'
import { visible } from '../characters/visible.ts'
import { count } from '../shared/words.ts'
import type { PrintOptions } from './render-commands.ts'
import { actorWords, timeWords } from './render-runs.ts'

/** `acknowledged 2026-11-21 06:05:00Z by ada via api: I am on it`. */
const quietWords = ({ acknowledged, snoozed }: Episode): string =>
  present(
    acknowledged &&
      `acknowledged ${timeWords(acknowledged.at)} by ${actorWords(acknowledged.by)}: ${visible(acknowledged.reason)}`,
    snoozed && `snoozed until ${timeWords(snoozed.until)} by ${actorWords(snoozed.by)}: ${visible(snoozed.reason)}`,
  ).join('; ')

const severityCell = ({ status, findings }: Episode, paint: Palette): Cell => {
  if (status === 'resolved') return { text: 'resolved', paint: paint.green }
  const severity = highest(findings)
  return { text: severity, paint: { high: paint.red, medium: paint.yellow, low: paint.dim }[severity] }
}

const episodeCells = (episode: Episode, paint: Palette): readonly Cell[] => {
  const { id, key, status, openedAt, resolvedAt = '', findings } = episode
  return [
    { text: visible(id), paint: paint.dim },
    { text: key },
    severityCell(episode, paint),
    { text: count(findings.length, 'finding') },
    { text: `since ${timeWords(openedAt)}${status === 'resolved' ? ` until ${timeWords(resolvedAt)}` : ''}` },
    { text: status === 'open' ? quietWords(episode) : '', paint: paint.dim },
  ]
}

/** One line each. */
export const renderEpisodes = (episodes: readonly Episode[], options: PrintOptions = {}): string =>
  episodes.length === 0
    ? 'no episodes yet\n'
    : `${alignCells(episodes.map((each) => episodeCells(each, palette(options.color)))).join('\n')}\n`
