import { resolve } from 'node:path'
import { defined, loadProviders, renderIssues, reviewBundle } from '#core'
import { systemClock } from '../../adapters/clock.ts'
import { readFolder } from '../../adapters/files/config-source.ts'
import { paint } from '../terminal/paint.ts'
import type { Register, Run } from './command.ts'

const validate =
  (folder = '.'): Run =>
  async ({ host, output }) => {
    const path = resolve(host.folder, folder)
    const deps = { providers: loadProviders, clock: systemClock }
    const { configuration, warnings } = await reviewBundle(await readFolder(path), deps)
    const { workspace, schedule, resources } = configuration
    const value = {
      valid: true,
      workspace,
      ...defined({ schedule }),
      providers: configuration.providers.map(({ alias, source }) => ({ alias, source })),
      resources: resources.map(({ address }) => address),
      ...defined({ warnings: warnings.length === 0 ? undefined : warnings }),
    }
    const { strong, good, dim } = paint(output.color)
    const count = `${resources.length} resource${resources.length === 1 ? '' : 's'}`
    const valid = `${good('valid')}  ${strong(workspace)}  ${dim([count, schedule ?? 'no schedule'].join(', '))}`
    const told = warnings.length === 0 ? '' : `\n${renderIssues(warnings, { color: output.color, noun: 'warning' })}`
    output.answer(value, () => `${valid}${told}`)
    return 0
  }

export const registerValidate: Register = (program, run) => {
  program
    .command('validate')
    .summary('validate a configuration')
    .description(
      'Reads a configuration and lists every problem with its file and line. Works offline and stores nothing.',
    )
    .argument('[folder]', 'with plumbline.yaml, .json or .jsonc', '.')
    .action((folder: string) => run(validate(folder)))
}
