import { resolve } from 'node:path'
import { defined, palette, renderIssues, reviewBundle, sources } from '#core'
import { placesIn, readFolder } from '../../adapters/files/config-source.ts'
import { providersHere } from '../../adapters/packages/installed.ts'
import type { Context, Exit } from '../context.ts'
import { inFolder } from '../terminal/error-folder.ts'
import { givenValues } from '../workspace/given-values.ts'
import { command, folderArgument, variableOptions } from './command.ts'

const validate = async (context: Context, folder: string): Promise<Exit> => {
  const { host, output } = context
  const deps = {
    providers: providersHere(host.variables),
    sources,
    clock: host.clock,
    ...placesIn(host.variables),
  }
  const path = resolve(host.folder, folder)
  const values = await givenValues(context)
  const { configuration, rules, warnings, notes } = await inFolder(path, context, async () =>
    reviewBundle(await readFolder(path, values, deps), deps),
  )
  const { workspace, schedule, resources, providers } = configuration
  const value = {
    valid: true,
    workspace,
    ...defined({ schedule }),
    providers: providers.map(({ alias, source }) => ({ alias, source })),
    resources: resources.map(({ address }) => address),
    ...defined({ rules: rules.length === 0 ? undefined : rules.map(({ address }) => address) }),
    ...defined({
      warnings: warnings.length === 0 ? undefined : warnings,
      notes: notes.length === 0 ? undefined : notes,
    }),
  }
  const { bold, green, dim } = palette(output.color)
  const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
  const count = [counted(resources.length, 'resource'), ...(rules.length === 0 ? [] : [counted(rules.length, 'rule')])]
  const valid = `${green('valid')}  ${bold(workspace)}  ${dim([...count, schedule ?? 'no schedule'].join(', '))}`
  const listed = (issues: typeof notes, noun: 'warning' | 'note'): string =>
    issues.length === 0 ? '' : `\n${renderIssues(issues, { color: output.color, noun })}`
  output.answer(value, () => `${valid}${listed(warnings, 'warning')}${listed(notes, 'note')}`)
  return 0
}

export const commands = [
  command({
    name: 'validate',
    example: 'plumbline validate ./acme',
    description:
      'Reads a configuration and lists every problem with its file and line. Works offline and stores nothing.',
    argument: [...folderArgument, '.'],
    options: variableOptions,
    run: validate,
  }),
]
