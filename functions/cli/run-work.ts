import { resolve } from 'node:path'
import { CommanderError } from 'commander'
import { AppError, asAppError, baseUrlFault, defined } from '#core'
import { asRefused } from '../adapters/files/system-errors.ts'
import type { Endpoint, Exit, SignRequest } from './context.ts'
import type { Host } from './process/host.ts'
import { isLoopback } from './process/loopback.ts'
import type { Work } from './register.ts'
import { chooseStore } from './state/choose-store.ts'
import { errorText, errorValue } from './terminal/error-text.ts'
import { createOutput, type Output } from './terminal/output.ts'

export interface Globals {
  readonly json?: boolean
  readonly color?: boolean
  readonly endpoint?: string
  readonly token?: string
  readonly sign?: string
  readonly store?: string
  readonly root?: string
}

const variable = ({ variables }: Host, name: string): string | undefined => variables[name] || undefined

const endpointOf = (host: Host, given: Globals): { endpoint?: Endpoint } => {
  const url = given.endpoint ?? variable(host, 'PLUMBLINE_ENDPOINT')
  if (url === undefined && given.sign !== undefined)
    throw new AppError('USAGE', { detail: '--sign signs requests to an endpoint; name it with --endpoint' })
  if (url === undefined) return {}
  refuseUnsafe(url)
  const bare = url.replace(/\/+$/, '')
  const named = given.token ?? variable(host, 'PLUMBLINE_TOKEN')
  const token = async () => named ?? (await tokenOf(bare, host))
  return { endpoint: { url: bare, token, ...signOf(bare, named, { host, given }) } }
}

/** What may hold a password or a token is not shown. */
const shownUrl = (url: string): string => (/[@?#]/.test(url) ? 'that was given' : `"${url}"`)

/** Throws USAGE. */
const refuseUnsafe = (url: string): void => {
  const parsed = URL.parse(url)
  if (parsed === null || baseUrlFault(url) === 'form')
    throw new AppError('USAGE', {
      detail: `the endpoint ${shownUrl(url)} is not an http or https address without ?, # and spaces`,
    })
  if (parsed.username !== '' || parsed.password !== '')
    throw new AppError('USAGE', {
      detail: `the endpoint at ${parsed.host} has a user or a password in it: remove them`,
    })
  if (parsed.protocol === 'http:' && !isLoopback(parsed))
    throw new AppError('USAGE', {
      detail: `the endpoint ${shownUrl(url)} is not an https address: a token would be readable on its way`,
    })
}

/** Throws USAGE. */
const signOf = (
  endpoint: string,
  token: string | undefined,
  { host, given }: { readonly host: Host; readonly given: Globals },
): Pick<Endpoint, 'sign'> => {
  const kind = given.sign ?? variable(host, 'PLUMBLINE_SIGN')
  if (kind === undefined) return {}
  const name = given.sign === undefined ? 'PLUMBLINE_SIGN' : '--sign'
  if (kind !== 'aws') throw new AppError('USAGE', { detail: `${name} is "${kind}"; write aws` })
  if (token !== undefined) {
    const other = given.token === undefined ? 'PLUMBLINE_TOKEN' : '--token'
    throw new AppError('USAGE', { detail: `${name} and ${other} are two ways to say who you are: remove one` })
  }
  let made: Promise<SignRequest> | undefined
  return { sign: () => (made ??= import('./sign-in/sign-request.ts').then((file) => file.createSign(endpoint, host))) }
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

/** The option is the variable, because every reader of a folder knows that. */
const variablesFor = ({ variables, folder }: Host, { root }: Globals): Host['variables'] => {
  const named = root ?? variables['PLUMBLINE_ROOT']
  return named ? { ...variables, PLUMBLINE_ROOT: resolve(folder, named) } : variables
}

const runIn = async (host: Host, given: Globals, { work, output }: { work: Work; output: Output }): Promise<Exit> => {
  const endpoint = endpointOf(host, given)
  await using store = await chooseStore(given.store, variable(host, 'PLUMBLINE_STORE'), host)
  if (given.store !== undefined && given.endpoint !== undefined)
    throw new AppError('USAGE', { detail: '--store is of this machine, and --endpoint of another: remove one' })
  return await work({
    host: { ...host, variables: variablesFor(host, given), invocation: `${host.invocation}${store.words ?? ''}` },
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
