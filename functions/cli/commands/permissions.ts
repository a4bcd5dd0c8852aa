import { resolve } from 'node:path'
import { listPermissions, renderPermissions, sources } from '#core'
import { placesIn, readFolder } from '../../adapters/files/config-source.ts'
import { providersHere } from '../../adapters/packages/installed.ts'
import type { Context, Exit } from '../context.ts'
import { inFolder } from '../terminal/error-folder.ts'
import { givenValues } from '../workspace/given-values.ts'
import { command, folderArgument, variableOptions } from './command.ts'

const permissions = async (context: Context, folder: string): Promise<Exit> => {
  const { host, output } = context
  const deps = {
    providers: providersHere(host.variables),
    sources,
    clock: host.clock,
    ...placesIn(host.variables),
  }
  const path = resolve(host.folder, folder)
  const values = await givenValues(context)
  const report = await inFolder(path, context, async () => listPermissions(await readFolder(path, values, deps), deps))
  output.answer(report, () => renderPermissions(report, { color: output.color }))
  return 0
}

export const commands = [
  command({
    name: 'permissions',
    example: 'plumbline permissions ./acme',
    description:
      'Adds up the permissions that a check and an apply need, for the resource types that the configuration uses, as the provider documents state them. Works offline.',
    argument: [...folderArgument, '.'],
    options: variableOptions,
    run: permissions,
  }),
]
