import { AppError, printable } from '#core'
import type { Context, Exit } from '../context.ts'
import { findSession, keepSession } from '../sign-in/sessions.ts'
import type { SignedIn } from '../sign-in/signed-in.ts'
import { endpointIn, tellWho } from '../sign-in/tell-who.ts'
import { command, option, wholeNumber } from './command.ts'

interface LoginOptions {
  readonly issuer?: string
  readonly clientId?: string
  readonly scope?: string
  readonly port?: number
  readonly device?: boolean
  readonly browser?: boolean
}

/** The rights of Plumbline, and a token that renews them. */
const usualScope = 'openid offline_access read check apply'
const usualPort = 8976

const requestOf = (
  { issuer, clientId, scope }: LoginOptions,
  former: SignedIn | undefined,
  { host }: Context,
): Pick<SignedIn, 'issuer' | 'clientId' | 'scope'> => {
  const found = {
    issuer: issuer ?? host.variables['PLUMBLINE_ISSUER'] ?? former?.issuer,
    clientId: clientId ?? host.variables['PLUMBLINE_CLIENT_ID'] ?? former?.clientId,
    scope: scope ?? former?.scope ?? usualScope,
  }
  if (found.issuer === undefined || found.clientId === undefined)
    throw new AppError('USAGE', {
      detail: 'the first sign-in needs --issuer and --client-id; later ones remember them',
    })
  return { ...found, issuer: found.issuer, clientId: found.clientId }
}

const login = async (context: Context, options: LoginOptions): Promise<Exit> => {
  const { host, output } = context
  const { url } = endpointIn(context)
  const request = requestOf(options, await findSession(url, host), context)
  const { signInByBrowser, signInByDevice } = await import('../sign-in/sign-in.ts')
  const { openBrowser } = await import('../sign-in/open-browser.ts')
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
    example: 'plumbline login --issuer https://login.acme.example --client-id plumbline',
    description:
      'Signs in at the issuer of a deployment, with the browser, and keeps the tokens in a file that only you may read. Later commands with the same --endpoint use and renew them.',
    options: [
      option('--issuer <url>', 'the issuer (PLUMBLINE_ISSUER; remembered)'),
      option('--client-id <id>', 'the public client that the issuer knows (PLUMBLINE_CLIENT_ID; remembered)'),
      option('--scope <scopes>', `what to ask for (default: ${usualScope}; remembered)`),
      option(
        '--port <number>',
        `port of the redirect http://127.0.0.1:<port>/callback (default: ${usualPort})`,
        wholeNumber(1024, 65_535),
      ),
      option('--device', 'type a code on another device, where this one has no browser'),
      option('--no-browser', 'only show the address'),
    ],
    run: (context: Context, _: undefined, options: LoginOptions) => login(context, options),
  }),
]
