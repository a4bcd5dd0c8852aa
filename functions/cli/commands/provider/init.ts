import { dirname, relative, resolve, sep } from 'node:path'
import type { InitializedProvider } from '#authoring'
import { AppError, defined, type Palette, palette } from '#core'
import { writeDocument } from '../../../adapters/files/keep-file.ts'
import type { Context, Exit } from '../../context.ts'
import type { Host } from '../../process/host.ts'
import { isAddress, readText } from '../../terminal/read-text.ts'
import { collect, command, option } from '../command.ts'

interface InitOptions {
  readonly resource?: readonly string[]
  readonly out?: string
}

/** Returns the description as `provider.openapi` names it, relative to the place of the document. */
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

const leftOutText = ({ leftOut, notes }: InitializedProvider, { dim, yellow }: Palette): string => {
  const reasons = [...new Set(leftOut.map(({ reason }) => reason))]
  return [
    ...reasons.flatMap((reason) => [
      `${yellow('left out')}, ${reason}:`,
      ...leftOut.filter((one) => one.reason === reason).map(({ path }) => dim(`  ${path}`)),
    ]),
    ...notes.map(({ pointer, message }) => `${yellow('the description is odd')} at ${pointer}: ${message}`),
  ].join('\n')
}

const init = async (
  { host, output }: Context,
  description: string,
  { resource = [], out }: InitOptions,
): Promise<Exit> => {
  const { initProvider } = await import('#authoring')
  const openapi = namedFrom(description, out, host)
  const drafted = initProvider(await readText(description, host), { resources: resource, ...defined({ openapi }) })
  refuseNothing(drafted, description)
  const { types, leftOut, notes, text } = drafted
  if (out !== undefined) await write(out, text, host)
  if (output.json) {
    const written = out === undefined ? { text } : { file: out }
    output.answer({ types, leftOut, notes, ...written }, () => '')
    return 0
  }
  const left = leftOutText(drafted, palette(output.noteColor))
  if (left !== '') output.note(left)
  if (out === undefined) {
    output.raw(text)
    return 0
  }
  const decisions = text.match(/# decide:/g)?.length ?? 0
  const { bold, green } = palette(output.color)
  const names = types.map(({ type }) => type).join(', ')
  output.text(`${green('written')}  ${bold(out)}  ${names}; ${decisions} to decide (grep "decide:")\n`)
  return 0
}

export const providerInitCommand = command({
  name: 'provider init',
  example: 'plumbline provider init openapi.json --out acme.provider.yaml',
  summary: 'write a first provider document from an OpenAPI description',
  description:
    'Writes a first provider document from an OpenAPI description: Swagger 2.0, OpenAPI 3.0 or 3.1, JSON or YAML. A comment "decide:" marks each place that needs a decision. Reports on standard error what it left out, and why.',
  argument: ['<description>', 'a file, an http or https address, or - for standard input'],
  options: [
    option('-r, --resource <name>', 'a type, a collection (pets) or a path; repeatable', collect),
    option('-o, --out <file>', 'new file to write (default: standard output)'),
  ],
  run: init,
})
