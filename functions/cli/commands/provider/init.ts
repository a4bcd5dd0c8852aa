import { dirname, relative, resolve, sep } from 'node:path'
import type { InitializedProvider } from '#authoring'
import { AppError, defined } from '#core'
import { writeDocument } from '../../../adapters/files/keep-file.ts'
import type { Host } from '../../process/host.ts'
import { type Paint, paint } from '../../terminal/paint.ts'
import { collect, groupOf, type Register, type Run } from '../command.ts'
import { providerSummary } from './check.ts'
import { isAddress, readText } from './read-text.ts'

interface Options {
  readonly resource?: readonly string[]
  readonly out?: string
}

/** As `provider.openapi` names the description, from where the document will be. */
const namedFrom = (description: string, out: string | undefined, { folder }: Host): string | undefined => {
  if (description === '-' || isAddress(description)) return description === '-' ? undefined : description
  const from = out === undefined ? folder : dirname(resolve(folder, out))
  const path = relative(from, resolve(folder, description)).split(sep).join('/')
  return path.startsWith('.') ? path : `./${path}`
}

const refuseNothing = (drafted: InitializedProvider, description: string): void => {
  if (drafted.unknown.length > 0) {
    const known = drafted.known.length === 0 ? 'there are none' : `there are: ${drafted.known.join(', ')}`
    throw new AppError('USAGE', { detail: `${description} has no resource ${drafted.unknown.join(', ')}; ${known}` })
  }
  if (drafted.types.length > 0) return
  const reasons = drafted.leftOut.map(({ path, reason }) => `\n  ${path}: ${reason}`).join('')
  throw new AppError('USAGE', { detail: `nothing in ${description} can be managed as a resource${reasons}` })
}

const write = async (file: string, text: string, { folder }: Host): Promise<void> => {
  const path = resolve(folder, file)
  if (!(await writeDocument(path, text)))
    throw new AppError('USAGE', { detail: `${path} exists already; name another file, or move it away` })
}

/** Paths under their reasons, the commonest reason last. */
const leftOutText = ({ leftOut, notes }: InitializedProvider, { dim, warn }: Paint): string => {
  const reasons = [...new Set(leftOut.map(({ reason }) => reason))]
  return [
    ...reasons.flatMap((reason) => [
      `${warn('left out')}, ${reason}:`,
      ...leftOut.filter((one) => one.reason === reason).map(({ path }) => dim(`  ${path}`)),
    ]),
    ...notes.map(({ pointer, message }) => `${warn('the description is odd')} at ${pointer}: ${message}`),
  ].join('\n')
}

const init =
  (description: string, { resource = [], out }: Options): Run =>
  async ({ host, output }) => {
    const { initProvider } = await import('#authoring')
    const openapi = namedFrom(description, out, host)
    const drafted = initProvider(await readText(description, host), {
      resources: resource,
      ...defined({ openapi }),
    })
    refuseNothing(drafted, description)
    if (out !== undefined) await write(out, drafted.text, host)
    const left = leftOutText(drafted, paint(output.noteColor))
    if (left !== '' && !output.json) output.note(left)
    if (output.json) {
      const { types, leftOut, notes, text } = drafted
      output.answer({ types, leftOut, notes, ...(out === undefined ? { text } : { file: out }) }, () => '')
    } else if (out === undefined) output.raw(drafted.text)
    else {
      const decisions = drafted.text.match(/# decide:/g)?.length ?? 0
      const { strong, good } = paint(output.color)
      const names = drafted.types.map(({ type }) => type).join(', ')
      output.answer(
        undefined,
        () => `${good('written')}  ${strong(out)}  ${names}; ${decisions} to decide (grep "decide:")`,
      )
    }
    return 0
  }

export const registerProviderInit: Register = (program, run) => {
  groupOf(program, 'provider', providerSummary)
    .command('init')
    .summary('write a first provider document from an OpenAPI description')
    .description(
      'Writes a first provider document from an OpenAPI description: Swagger 2.0, OpenAPI 3.0 or 3.1, JSON or YAML. Comments with "decide:" stand where a person must. What was left out, and why, is told on standard error.',
    )
    .argument('<description>', 'a file, an http or https address, or - for standard input')
    .option('-r, --resource <name>', 'a type, a collection (pets) or a path; more than once', collect)
    .option('-o, --out <file>', 'the file to write, which must not exist; standard output without it')
    .action((description: string, options: Options) => run(init(description, options)))
}
