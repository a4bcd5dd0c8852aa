import type { Issue } from '../../../engine/schema/issue.ts'
import type { Failure } from '../../../engine/schema/stored/records.ts'
import { byPlace, callsText, placeText } from '../../../engine/values/diagnose.ts'
import { palette } from '../characters/palette.ts'
import { visible } from '../characters/visible.ts'
import { count } from '../shared/words.ts'
import type { PrintOptions } from './render-commands.ts'

/** `error: what happened`, in as many lines as the message has, what to do, and the code to search for. */
export const renderError = ({ code, message, hint }: Failure, { color }: PrintOptions = {}): string => {
  const paint = palette(color)
  const [first = '', ...rest] = message.split('\n').map(visible)
  return `${[
    `${paint.red('error:')} ${paint.bold(first)}`,
    ...rest,
    `${visible(hint)} ${paint.dim(`(${visible(code)})`)}`,
  ].join('\n')}\n`
}

/** In the order of the files and lines; the place comes first, so that editors and terminals can open it. */
export const renderIssues = (
  issues: readonly Issue[],
  { color, noun = 'problem' }: PrintOptions & { readonly noun?: 'problem' | 'warning' | 'note' } = {},
): string => {
  const paint = palette(color)
  const blocks = issues.toSorted(byPlace).map((issue) => {
    const value = issue.value === undefined ? '' : ` (is: ${visible(issue.value)})`
    const place = visible(placeText(issue))
    const calls = issue.calls === undefined ? '' : `\n  ${paint.dim(visible(`in ${callsText(issue.calls)}`))}`
    return `${paint.bold(place)}: ${visible(issue.message)}${value}${calls}\n  ${paint.green('fix:')} ${visible(issue.fix)}`
  })
  return `${[...blocks, `${count(issues.length, noun)} in the configuration`].join('\n')}\n`
}
