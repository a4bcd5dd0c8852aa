import type { AcceptReport } from '../../../../engine/schema/reports/accept-report.ts'
import { placeText } from '../../../../engine/values/diagnose.ts'
import { count } from '../../shared/words.ts'
import { code } from './markup.ts'
import { maxCharacters } from './render-markdown.ts'

const shownValues = 50

/** The text of a pull request that makes observed values desired; `plan`: what differed, as Markdown, if there is room for it. */
export const renderProposal = ({ workspace, accepted }: AcceptReport, plan: string): string => {
  const more = accepted.length - shownValues
  const rows = accepted
    .slice(0, shownValues)
    .map(
      ({ address, path, position }) =>
        `| ${code(address, 'cell')} | ${code(path === '' ? '(all of it)' : path, 'cell')} | ${code(placeText(position), 'cell')} |`,
    )
  const text = [
    `Somebody changed ${count(accepted.length, 'value')} of ${code(workspace)} in the target. Merge this to make them the desired ones; close it to have them repaired.`,
    ['| resource | attribute | written at |', '|---|---|---|', ...rows].join('\n'),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n\n')
  const whole = `${text}\n\n${plan}`
  return whole.length <= maxCharacters ? whole : text
}
