import { type Command, Option } from 'commander'
import { AppError, defined } from '#core'
import { formatNames, type PlanFormat } from '#render'
import { renderTofu } from '#tofu'
import { openBytes } from '../terminal/open-bytes.ts'
import type { Output } from '../terminal/output.ts'
import { type Register, type Run, wholeNumber } from './command.ts'

interface Options {
  readonly schemas?: string
  readonly mode?: 'normal' | 'refresh-only' | 'destroy'
  readonly format?: PlanFormat
  readonly compat?: 'opentofu' | 'terraform'
  readonly width?: number
}

/** Where it is no terminal, as OpenTofu. */
const defaultWidth = 78

const formatOf = ({ format, compat }: Options, { json }: Output): PlanFormat => {
  if (json && format !== undefined && format !== 'json')
    throw new AppError('USAGE', { detail: `--json and --format ${format} ask for two formats` })
  const asked = json ? 'json' : (format ?? 'text')
  if (compat !== undefined && asked !== 'text')
    throw new AppError('USAGE', { detail: `the page of ${compat} is text; leave out --compat or ask for no ${asked}` })
  return asked
}

const render =
  (file: string, given: Options): Run =>
  async ({ host, output }) => {
    const { schemas, mode, compat } = given
    const format = formatOf(given, output)
    if (file === '-' && schemas === '-')
      throw new AppError('USAGE', { detail: 'plan and schemas cannot both be standard input' })
    const { text, note } = await renderTofu(openBytes(file, host), {
      ...defined({ schemas: schemas === undefined ? undefined : openBytes(schemas, host), mode, compat }),
      format,
      color: output.color,
      width: given.width ?? host.stdout.columns ?? defaultWidth,
    })
    if (note !== undefined) output.note(note)
    output.raw(text)
    return 0
  }

const addOptions = (command: Command): Command =>
  command
    .option('--schemas <file>', 'the schemas of the providers, as JSON')
    .addOption(
      new Option('--mode <mode>', 'how the plan was made, which it does not say').choices([
        'normal',
        'refresh-only',
        'destroy',
      ]),
    )
    .addOption(new Option('--format <format>', 'how to show it (default: "text")').choices(formatNames))
    .addOption(
      new Option('--compat <product>', 'the page of that product instead, as text').choices(['opentofu', 'terraform']),
    )
    .addOption(
      new Option('--width <columns>', 'of text; that of the terminal, else 78').argParser(wholeNumber(1, 10_000)),
    )

export const registerRender: Register = (program, run) => {
  const command = program
    .command('render')
    .summary('show a plan or a state of OpenTofu or Terraform')
    .description(
      'Shows what `tofu show -json` wrote, a plan or a state. Exact with the schemas that `tofu providers schema -json` writes; without them it infers what is a block, a map or a set. With --compat the page is that of the product itself.',
    )
    .argument('[file]', 'the JSON of a plan or a state; standard input without it, or for -', '-')
  addOptions(command).action((file: string, options: Options) => run(render(file, options)))
}
