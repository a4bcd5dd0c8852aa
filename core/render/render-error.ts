import { palette } from './palette.ts'
import { visible } from './visible.ts'
import { count } from './words.ts'

/** What every error has to people; an AppError is one. */
export interface ShownError {
  readonly code: string
  /** May have several lines. */
  readonly message: string
  readonly hint: string
}

/** `error: what happened`, what to do, and the code to search for. */
export const renderError = (
  { code, message, hint }: ShownError,
  { color = false }: { readonly color?: boolean } = {},
): string => {
  const paint = palette(color)
  const [first = '', ...rest] = message.split('\n').map(visible)
  return `${[
    `${paint.red('error:')} ${paint.bold(first)}`,
    ...rest,
    `${visible(hint)} ${paint.dim(`(${visible(code)})`)}`,
  ].join('\n')}\n`
}

/** A problem of a configuration at its place; line and column count from 1. */
export interface ShownIssue {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
  readonly value?: string
  readonly fix: string
}

/** In the order of the files and lines; the place stands first, so that editors and terminals can jump there. */
export const renderIssues = (
  issues: readonly ShownIssue[],
  { color = false }: { readonly color?: boolean } = {},
): string => {
  const paint = palette(color)
  const blocks = issues.toSorted(byPlace).map((issue) => {
    const value = issue.value === undefined ? '' : ` (is: ${visible(issue.value)})`
    const place = visible(`${issue.file}:${issue.line}:${issue.column}`)
    return `${paint.bold(place)}: ${visible(issue.message)}${value}\n  ${paint.green('fix:')} ${visible(issue.fix)}`
  })
  return `${[...blocks, `${count(issues.length, 'problem')} in the configuration`].join('\n')}\n`
}

const byPlace = (left: ShownIssue, right: ShownIssue): number =>
  left.file === right.file ? left.line - right.line || left.column - right.column : left.file < right.file ? -1 : 1
