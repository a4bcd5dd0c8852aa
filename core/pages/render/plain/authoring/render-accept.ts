import type { AcceptReport } from '../../../../engine/schema/reports/accept-report.ts'
import { palette } from '../../characters/palette.ts'
import { visible } from '../../characters/visible.ts'
import { count } from '../../shared/words.ts'
import { paintDiff } from '../paint-diff.ts'
import type { PrintOptions } from '../render-commands.ts'

const named = (address: string, path: string | undefined): string =>
  visible(path === undefined || path === '' ? address : `${address} ${path}`)

interface AcceptOutput {
  readonly color?: boolean
  /** Whether the files have the values by now. */
  readonly isWritten?: boolean
}

/** What an accept found: what is written where, what is refused and why, and one line that says it all. */
export const renderAccept = (report: AcceptReport, { color = false, isWritten = false }: AcceptOutput = {}): string => {
  const { accepted, refused, left } = report
  const paint = palette(color)
  const lines = [
    ...accepted.map(({ address, path, position: { file, line }, via }) => {
      const from = via === undefined ? '' : `, by ${visible(via)}`
      return `${paint.green(isWritten ? 'accepted' : 'can be accepted')}  ${named(address, path)}  ${paint.dim(`${visible(file)}:${line}${from}`)}`
    }),
    ...refused.map(
      ({ address, path, detail, fix }) =>
        `${paint.red('refused')}  ${named(address, path)}: ${visible(detail)}\n  ${paint.green('fix:')} ${visible(fix)}`,
    ),
    ...left.map(
      ({ address, path, detail = notDrift }) => `${paint.yellow('left')}  ${named(address, path)}: ${visible(detail)}`,
    ),
    summary(report, isWritten, paint.bold),
  ]
  return `${lines.join('\n')}\n`
}

const notDrift = 'nobody changed it outside; name its path to accept it'

const summary = ({ accepted, refused }: AcceptReport, isWritten: boolean, bold: (text: string) => string): string => {
  if (accepted.length + refused.length === 0) return bold('nothing to accept')
  const words = isWritten ? 'accepted' : 'can be accepted'
  return bold(`${count(accepted.length, 'difference')} ${words}, ${refused.length} refused`)
}

/** The diffs of the files; in color by their signs. */
export const renderFileDiffs = ({ files }: AcceptReport, options: PrintOptions = {}): string =>
  paintDiff(files.map(({ diff }) => diff).join(''), options)
