import {
  type Apply,
  alignCells,
  asAppError,
  type Palette,
  type Plan,
  palette,
  present,
  type Run,
  renderApply,
  renderRun,
} from '#core'
import { renderPlan } from '#render'
import type { Host } from '../cli/process/host.ts'
import { errorText } from '../cli/terminal/error-text.ts'
import { asCalled, secondsOf } from '../cli/terminal/report-check.ts'

interface Started {
  readonly version: string
  readonly workspace: string
  readonly configuration: string
  readonly checks: string
  /** A link that signs in one browser. */
  readonly page: string
  /** False: nobody has built the page, so the link leads to nothing yet. */
  readonly hasPage: boolean
  readonly url: string
  readonly token: string
  readonly lifetime: string
  readonly store: string
  readonly edit: string
}

type DevViewOptions = Pick<Host, 'invocation'> & {
  readonly color: boolean
  readonly width: number
  readonly url: string
}

const indented = (text: string, by: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `${by}${line}`.trimEnd())
    .join('\n')

const clock = (at: Date): string => at.toTimeString().slice(0, 8)

const heading = (sign: string, word: string, rest: string, { dim }: Palette, at = new Date()): string =>
  `\n${dim(clock(at))}  ${sign} ${word}  ${rest}`

const signs = {
  in_sync: { sign: '✓', word: 'in sync', shade: 'green' },
  changes: { sign: '●', word: 'drift', shade: 'yellow' },
  incomplete: { sign: '?', word: 'incomplete', shade: 'yellow' },
  failed: { sign: '✗', word: 'failed', shade: 'red' },
} as const

const fields = (rows: readonly (readonly [label: string, value: string])[], { dim }: Palette): string =>
  alignCells(rows.map(([label, value]) => [{ text: '' }, { text: label, paint: dim }, { text: value }])).join('\n')

const curl = (workspace: string, plan: Plan, mode: string, url: string): string => {
  const body = JSON.stringify({ mode, digest: plan.digests.commands, reason: 'approved by hand' })
  return `curl -sS '${url}/v1/workspaces/${workspace}/apply?wait=25s' -H "authorization: Bearer $PLUMBLINE_TOKEN" -H 'content-type: application/json' -d '${body}'`
}

const byHttp = (run: Run, plan: Plan, { url }: DevViewOptions, style: Palette): string =>
  fields(
    [
      ['by HTTP, log them', curl(run.workspace, plan, 'check', url)],
      ['by HTTP, send them', curl(run.workspace, plan, 'execute', url)],
    ],
    style,
  )

const checkedText = async (run: Run, plan: Plan | undefined, look: DevViewOptions): Promise<string> => {
  const style = palette(look.color)
  const { sign, word, shade } = signs[run.status]
  const top = heading(
    style[shade](sign),
    style[shade](word),
    `${style.bold(run.workspace)}  ${style.dim(secondsOf(run))}`,
    style,
  )
  if (plan === undefined) return `${top}\n${indented(renderRun(run, { color: look.color }), '  ')}`
  if (plan.inSync) return top
  const text = asCalled(await renderPlan(plan, { format: 'text', color: look.color, width: look.width - 2 }), look)
  const isSendable = plan.commands.length > 0 && plan.refused === undefined
  // The line to paste ends the page.
  return present(top, isSendable && `${byHttp(run, plan, look, style)}\n`, indented(text, '  ')).join('\n')
}

const startedText = (given: Started, look: DevViewOptions): string => {
  const style = palette(look.color)
  const { bold, dim, cyan } = style
  const built = given.hasPage ? dim('signs in one browser') : 'is not built yet: npm run build, then open it'
  const rows: Parameters<typeof fields>[0] = [
    ['page', `${cyan(given.page)}  ${built}`],
    ['workspace', `${bold(given.workspace)}  ${dim(given.configuration)}`],
    ['checks', given.checks],
    ['HTTP API', `${given.url}  ${dim(`/v1/openapi.json describes it; the token is valid ${given.lifetime}`)}`],
    ['kept in', given.store],
    ['token', `export PLUMBLINE_TOKEN=${given.token}`],
    ['runs', `curl -sS ${given.url}/v1/workspaces/${given.workspace}/runs -H "authorization: Bearer $PLUMBLINE_TOKEN"`],
    ['log', `${look.invocation} ledger verify ${given.workspace}`],
  ]
  return [
    `${bold('plumbline')} ${dim(given.version)}`,
    '',
    fields(rows, style),
    '',
    `  ${cyan('edit')}  ${bold(given.edit)}  and watch what happens here; Ctrl-C ends everything`,
  ].join('\n')
}

export const createDevView = (look: DevViewOptions) => {
  const style = palette(look.color)
  const { dim, yellow, red, bold, cyan } = style
  return {
    started: (given: Started): string => startedText(given, look),
    /** Only for a check with new findings. */
    checked: (run: Run, plan: Plan | undefined): Promise<string> => checkedText(run, plan, look),
    applied: (apply: Apply): string =>
      `${heading(cyan('→'), cyan('apply'), bold(apply.workspace), style)}\n${indented(renderApply(apply, { color: look.color }), '  ')}`,
    /** In one line: the check, which is printed too, has what it is about. */
    alerted: (subject: string): string => heading(yellow('!'), yellow('alert'), bold(subject), style),
    failed: (what: string, error: unknown): string =>
      `${heading(red('✗'), red(what), '', style).trimEnd()}\n${indented(errorText(asAppError(error), look.color), '  ')}`,
    linkUsed: (next: string): string =>
      `${heading(cyan('→'), cyan('page'), dim(`opened; another browser: ${next}`), style)}`,
    stopping: (): string => dim('\nstopping; Ctrl-C again ends at once'),
  }
}

export type DevView = ReturnType<typeof createDevView>
