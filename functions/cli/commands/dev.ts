import { AppError } from '#core'
import type { DevOptions } from '../../dev/dev.ts'
import type { Context, Exit } from '../context.ts'
import { collect, command, folderArgument, httpAddress, option, variableOptions, wholeNumber } from './command.ts'

const runDev = async (
  context: Context,
  folder: string | undefined,
  options: Omit<DevOptions, 'folder'>,
): Promise<Exit> => {
  const { output, endpoint } = context
  if (endpoint !== undefined)
    throw new AppError('USAGE', { detail: 'dev runs on this machine only; remove --endpoint' })
  if (context.storeTable !== undefined)
    throw new AppError('USAGE', { detail: 'dev keeps its store on this machine; pass --store <folder>' })
  if (output.json) throw new AppError('USAGE', { detail: 'dev has no --json' })
  const { dev } = await import('../../dev/dev.ts')
  await dev({ ...options, folder }, context)
  return 0
}

export const commands = [
  command({
    name: 'dev',
    example: 'plumbline dev --every 60 --webhook http://127.0.0.1:9000/',
    description:
      'Runs schedule, checks, applies, alerts and the HTTP API on this machine, for the configuration of the folder; without a configuration it creates an example. Stores everything in .plumbline. Stop it with Ctrl-C.',
    argument: folderArgument,
    options: [
      option('--port <number>', 'port of the HTTP API; 0 for any free port', wholeNumber(0, 65_535)).default(8787),
      option(
        '--every <seconds>',
        'seconds between two checks; 0 for the schedule alone',
        wholeNumber(0, 86_400),
      ).default(5),
      option(
        '--webhook <url>',
        'also send alerts to this address; repeatable',
        (url: string, before?: readonly string[]) => collect(httpAddress(url), before),
      ),
      ...variableOptions,
    ],
    run: runDev,
  }),
]
