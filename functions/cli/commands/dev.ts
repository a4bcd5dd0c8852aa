import { AppError, defined } from '#core'
import type { DevOptions } from '../process/host.ts'
import { collect, httpAddress, type Register, type Run, wholeNumber } from './command.ts'

interface Options extends Pick<DevOptions, 'port' | 'every'> {
  readonly webhook?: readonly string[]
}

const dev =
  (folder: string | undefined, { port, every, webhook = [] }: Options): Run =>
  async ({ host, output, endpoint }) => {
    if (endpoint !== undefined)
      throw new AppError('USAGE', { detail: 'dev runs on this machine only; remove --endpoint' })
    if (output.json) throw new AppError('USAGE', { detail: 'dev has no --json' })
    const { color, width } = output
    await host.dev({
      port,
      every,
      webhooks: webhook,
      color,
      width,
      say: (text) => output.text(`${text}\n`),
      ...defined({ folder }),
    })
    return 0
  }

export const registerDev: Register = (program, run) => {
  program
    .command('dev')
    .summary('run everything on this machine')
    .description(
      'Runs schedule, checks, applies, alerts and the HTTP API on this machine, with the configuration of the folder, or an example where there is none. Ends with Ctrl-C; everything is kept in .plumbline.',
    )
    .argument('[folder]', 'with plumbline.yaml, .json or .jsonc')
    .option('--port <number>', 'of the HTTP API; 0 takes any', wholeNumber(0, 65_535), 8787)
    .option('--every <seconds>', 'between two checks; 0 leaves it to the schedule', wholeNumber(0, 86_400), 5)
    .option('--webhook <url>', 'also send alerts there; may be repeated', (url: string, before?: readonly string[]) =>
      collect(httpAddress(url), before),
    )
    .action((folder: string | undefined, options: Options) => run(dev(folder, options)))
}
