import { AppError, defined } from '#core'
import { formatNames, type PlanFormat } from '#render'
import { renderTofu, type TofuCompat, tofuCompats } from '#tofu'
import type { Context, Exit } from '../context.ts'
import type { Output } from '../terminal/output.ts'
import { openBytes } from '../terminal/read-input.ts'
import { command, option, wholeNumber } from './command.ts'

interface RenderFlags {
  readonly schemas?: string
  readonly mode?: 'normal' | 'refresh-only' | 'destroy'
  readonly format?: PlanFormat
  readonly compat?: TofuCompat
  readonly width?: number
}

/** The width if the output is not a terminal; OpenTofu uses the same. */
const defaultWidth = 78

const formatOf = ({ format, compat }: RenderFlags, { json }: Output): PlanFormat => {
  if (json && format !== undefined && format !== 'json')
    throw new AppError('USAGE', { detail: `--json and --format ${format} ask for two formats` })
  const asked = json ? 'json' : (format ?? 'text')
  if (compat !== undefined && asked !== 'text')
    throw new AppError('USAGE', { detail: `the page of ${compat} is text; leave out --compat or ask for no ${asked}` })
  return asked
}

const render = async ({ host, output }: Context, file: string, options: RenderFlags): Promise<Exit> => {
  const { schemas, mode, compat, width = host.stdout.columns ?? defaultWidth } = options
  const format = formatOf(options, output)
  if (file === '-' && schemas === '-')
    throw new AppError('USAGE', { detail: 'plan and schemas cannot both be standard input' })
  const { text, note } = await renderTofu(openBytes(file, host), {
    ...defined({ schemas: schemas === undefined ? undefined : openBytes(schemas, host), mode, compat }),
    format,
    color: output.color,
    width,
  })
  if (note !== undefined) output.note(note)
  output.raw(text)
  return 0
}

export const commands = [
  command({
    name: 'render',
    example: 'tofu show -json plan.out | plumbline render -',
    description:
      'Shows a plan or a state as `tofu show -json` writes it. Exact with the schemas of `tofu providers schema -json`; without them, blocks, maps and sets are inferred. With --compat the output is that of the product itself.',
    argument: ['[file]', 'JSON of a plan or a state; - for standard input', '-'],
    options: [
      option('--schemas <file>', 'provider schemas, as JSON'),
      option('--mode <mode>', 'plan mode, which the JSON does not contain').choices([
        'normal',
        'refresh-only',
        'destroy',
      ]),
      option('--format <format>', 'output format (default: "text")').choices(formatNames),
      option('--compat <product>', 'output of this product, as text').choices(tofuCompats),
      option(
        '--width <columns>',
        'columns of the text (default: those of the terminal, else 78)',
        wholeNumber(1, 10_000),
      ),
    ],
    run: render,
  }),
]
