import { resolve } from 'node:path'
import { readFolder } from '../../adapters/config-source.ts'
import { paint } from '../paint.ts'
import { readConfiguration } from '../read-configuration.ts'
import type { Register, Run } from './command.ts'

const validate =
  (folder = '.'): Run =>
  async ({ host, output }) => {
    const path = resolve(host.folder, folder)
    const configuration = await readConfiguration(await readFolder(path))
    const { workspace, schedule, resources } = configuration
    const value = {
      valid: true,
      workspace,
      ...(schedule === undefined ? {} : { schedule }),
      providers: configuration.providers.map(({ alias, source }) => ({ alias, source })),
      resources: resources.map(({ address }) => address),
    }
    const { strong, good, dim } = paint(output.color)
    const count = `${resources.length} resource${resources.length === 1 ? '' : 's'}`
    output.answer(
      value,
      () => `${good('valid')}  ${strong(workspace)}  ${dim([count, schedule ?? 'no schedule'].join(', '))}`,
    )
    return 0
  }

export const registerValidate: Register = (program, run) => {
  program
    .command('validate')
    .summary('say whether a configuration is right')
    .description('Reads a configuration and names every problem at its place. Asks no target and keeps nothing.')
    .argument('[folder]', 'with plumbline.yaml, .json or .jsonc', '.')
    .action((folder: string) => run(validate(folder)))
}
