import { CommanderError } from 'commander'
import { AppError, asAppError, defined } from '#core'
import { asRefused } from '../adapters/files/system-errors.ts'
import type { Context, Exit } from './context.ts'
import type { Host } from './process/host.ts'
import type { Work } from './register.ts'
import { chooseStore } from './state/choose-store.ts'
import { errorText, errorValue } from './terminal/error-text.ts'
import { createOutput, type Output } from './terminal/output.ts'

export interface Globals {
  readonly json?: boolean
  readonly color?: boolean
  readonly endpoint?: string
  readonly token?: string
  readonly store?: string
}

const variable = ({ variables }: Host, name: string): string | undefined => variables[name] || undefined

const endpointOf = (host: Host, given: Globals): { endpoint?: Context['endpoint'] & {} } => {
  const url = given.endpoint ?? variable(host, 'PLUMBLINE_ENDPOINT')
  if (url === undefined) return {}
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new AppError('USAGE', { detail: `the endpoint "${url}" is not an http or https address` })
  const bare = url.replace(/\/+$/, '')
  const named = given.token ?? variable(host, 'PLUMBLINE_TOKEN')
  return { endpoint: { url: bare, token: async () => named ?? (await tokenOf(bare, host)) } }
}

/** Of an earlier `plumbline login`. */
const tokenOf = async (endpoint: string, host: Host): Promise<string | undefined> => {
  const { signedIn } = await import('./sign-in/token-of.ts')
  return signedIn(endpoint, host)
}

const asRefusal = (error: unknown): AppError =>
  error instanceof CommanderError
    ? new AppError('USAGE', { detail: error.message.replace(/^error: /, '').trim() }, { cause: error })
    : asAppError(asRefused(error))

const tell = (error: unknown, output: Output): Exit => {
  const refusal = asRefusal(error)
  if (output.json) output.answer(errorValue(refusal), () => '')
  else output.note(errorText(refusal, output.noteColor))
  return refusal.exit
}

const runIn = async (host: Host, given: Globals, { work, output }: { work: Work; output: Output }): Promise<Exit> => {
  const endpoint = endpointOf(host, given)
  await using store = await chooseStore(given.store, variable(host, 'PLUMBLINE_STORE'), host)
  if (given.store !== undefined && given.endpoint !== undefined)
    throw new AppError('USAGE', { detail: '--store is of this machine, and --endpoint of another: remove one' })
  return await work({
    host: { ...host, invocation: `${host.invocation}${store.words ?? ''}` },
    output,
    ...endpoint,
    ...defined({
      storeFolder: store.folder,
      storeTable: store.table,
      keepsNothing: endpoint.endpoint ? undefined : store.keepsNothing,
    }),
  })
}

export const runWork = async (host: Host, given: Globals, work: Work): Promise<Exit> => {
  const output = createOutput(host, { json: given.json === true, color: given.color })
  try {
    return await runIn(host, given, { work, output })
  } catch (error) {
    return tell(error, output)
  }
}

/** True if the words contain --json, even if they are invalid otherwise. */
const wantsJson = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--')
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json')
}

export const refuse = (error: unknown, host: Host): Exit =>
  tell(error, createOutput(host, { json: wantsJson(host.argv), color: undefined }))
