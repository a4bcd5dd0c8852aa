import { InvalidArgumentError, Option } from 'commander'
import { AppError, readTofuPage, renderTofuPage } from '#core'
import { readBytes } from '../read-bytes.ts'
import type { Register, Run } from './command.ts'

interface Options {
  readonly schemas?: string
  readonly mode?: 'normal' | 'refresh-only' | 'destroy'
  readonly compat: 'opentofu' | 'terraform'
  readonly width?: number
}

/** Where it is no terminal, as OpenTofu. */
const defaultWidth = 78

const render =
  (file: string, { schemas, mode, compat, width }: Options): Run =>
  async ({ host, output }) => {
    if (file === '-' && schemas === '-')
      throw new AppError('USAGE', { detail: 'plan and schemas cannot both be standard input' })
    const page = readTofuPage(await readBytes(file, host), {
      schemas: schemas === undefined ? undefined : await readBytes(schemas, host),
      mode,
    })
    const columns = width ?? host.stdout.columns ?? defaultWidth
    if (output.json) output.answer(page, () => '')
    else output.raw(renderTofuPage(page, { compat, color: output.color, width: columns }))
    return 0
  }

const parseWidth = (text: string): number => {
  const width = Number(text)
  if (!Number.isInteger(width) || width < 1 || width > 10_000)
    throw new InvalidArgumentError('It is a number of columns, from 1 to 10000.')
  return width
}

export const registerRender: Register = (program, run) => {
  program
    .command('render')
    .summary('show a plan or a state of OpenTofu or Terraform')
    .description(
      'Shows what `tofu show -json` wrote, a plan or a state, as OpenTofu does. Exact with the schemas that `tofu providers schema -json` writes; without them it infers what is a block, a map or a set. With --json the tree of differences.',
    )
    .argument('[file]', 'the JSON of a plan or a state; standard input without it, or for -', '-')
    .option('--schemas <file>', 'the schemas of the providers, as JSON')
    .addOption(
      new Option('--mode <mode>', 'how the plan was made, which it does not say').choices([
        'normal',
        'refresh-only',
        'destroy',
      ]),
    )
    .addOption(
      new Option('--compat <product>', 'whose page it is').choices(['opentofu', 'terraform']).default('opentofu'),
    )
    .option('--width <columns>', 'of prose; that of the terminal, else 78', parseWidth)
    .action((file: string, options: Options) => run(render(file, options)))
}
