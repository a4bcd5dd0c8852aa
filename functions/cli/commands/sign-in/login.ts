import { AppError, printable } from '#core'
import { createClient } from '../../backend/http-client.ts'
import type { Context, Exit } from '../../context.ts'
import { findSession, keepSession } from '../../sign-in/sessions.ts'
import type { SignedIn } from '../../sign-in/signed-in.ts'
import { endpointIn, tellWho } from '../../sign-in/tell-who.ts'
import { command, option, wholeNumber } from '../command.ts'

interface LoginOptions {
  readonly issuer?: string
  readonly clientId?: string
  readonly scope?: string
  readonly port?: number
  readonly device?: boolean
  readonly browser?: boolean
}

/** The rights of Plumbline, and a token that renews them. */
const usualScope = 'openid offline_access read check apply irreversible configure'
const usualPort = 8976

type AskedClient = Pick<SignedIn, 'issuer' | 'clientId' | 'scope'>

/** What the deployment says about itself counts more than an earlier sign-in, and less than what is given. */
const requestOf = async (
  { issuer, clientId, scope }: LoginOptions,
  former: SignedIn | undefined,
  { host, url }: { readonly host: Context['host']; readonly url: string },
): Promise<AskedClient> => {
  const given = {
    issuer: issuer ?? host.variables['PLUMBLINE_ISSUER'],
    clientId: clientId ?? host.variables['PLUMBLINE_CLIENT_ID'],
  }
  const isWhole = given.issuer !== undefined && given.clientId !== undefined
  const told = isWhole
    ? {}
    : await createClient({ url, token: noToken }, host.version).get<Partial<AskedClient>>('/v1/sign-in')
  const found = {
    issuer: given.issuer ?? told.issuer ?? former?.issuer,
    clientId: given.clientId ?? told.clientId ?? former?.clientId,
    scope: scope ?? told.scope ?? former?.scope ?? usualScope,
  }
  if (found.issuer === undefined || found.clientId === undefined)
    throw new AppError('USAGE', {
      detail: 'the deployment names no client for people (its setting signIn); pass --issuer and --client-id',
    })
  return { ...found, issuer: found.issuer, clientId: found.clientId }
}

const noToken = async (): Promise<undefined> => undefined

const login = async (context: Context, options: LoginOptions): Promise<Exit> => {
  const { host, output, endpoint } = context
  if (endpoint?.sign !== undefined)
    throw new AppError('USAGE', {
      detail:
        'login gets a token from an issuer, and --sign aws (or PLUMBLINE_SIGN) signs each request in place of a token: leave one of them out; `plumbline whoami --sign aws` shows who you are',
    })
  const { url } = endpointIn(context)
  const request = await requestOf(options, await findSession(url, host), { host, url })
  const { signInByBrowser, signInByDevice } = await import('../../sign-in/sign-in.ts')
  const { openBrowser } = await import('../../sign-in/open-browser.ts')
  const session = options.device
    ? await signInByDevice(request, host, (address, code) =>
        output.note(`open ${printable(address)} and type ${printable(code)}`),
      )
    : await signInByBrowser({ ...request, port: options.port ?? usualPort }, host, (address) => {
        output.note(`sign in at ${printable(address)}`)
        if (options.browser !== false) openBrowser(address)
      })
  await keepSession(url, session, host)
  return tellWho({ url, token: async () => session.accessToken }, session, context)
}

export const commands = [
  command({
    name: 'login',
    example: 'plumbline login',
    description:
      'Signs in at the issuer of a deployment, with the browser, and keeps the tokens in a file that only you may read. Later commands with the same --endpoint use and renew them.',
    options: [
      option('--issuer <url>', 'the issuer (PLUMBLINE_ISSUER; by default as the deployment says)'),
      option(
        '--client-id <id>',
        'the public client that the issuer knows (PLUMBLINE_CLIENT_ID; by default as the deployment says)',
      ),
      option('--scope <scopes>', `what to ask for (by default as the deployment says, or ${usualScope})`),
      option(
        '--port <number>',
        `port of the redirect http://localhost:<port>/callback (default: ${usualPort})`,
        wholeNumber(1024, 65_535),
      ),
      option('--device', 'type a code on another device, where this one has no browser'),
      option('--no-browser', 'only show the address'),
    ],
    run: (context: Context, _: undefined, options: LoginOptions) => login(context, options),
  }),
]
