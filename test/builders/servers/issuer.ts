import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** A certified issuer (oidc-provider), and a browser that signs somebody in at its pages. */

const audience = 'https://plumbline.test'

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

export const freePort = async (): Promise<number> => {
  const server = createServer()
  const port = await listening(server)
  server.close()
  await once(server, 'close')
  return port
}

interface IssuerOptions {
  readonly tokenSeconds?: number
  /** The scopes of the API. */
  readonly scopes?: readonly string[]
  /** Further claims of its tokens. */
  readonly claims?: Readonly<Record<string, unknown>>
}

export const startIssuer = async (
  redirectPort: number,
  { tokenSeconds = 600, scopes = ['read', 'check', 'apply'], claims = {} }: IssuerOptions = {},
) => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const provider = new Provider(url, {
    clients: [
      {
        client_id: 'plumbline',
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        redirect_uris: [`http://localhost:${redirectPort}/callback`],
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        response_types: ['code'],
      },
    ],
    scopes: ['openid', 'offline_access', ...scopes],
    extraTokenClaims: () => claims,
    cookies: { keys: ['a key of a test'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    issueRefreshToken: () => true,
    features: {
      devInteractions: { enabled: true },
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: scopes.join(' '),
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: tokenSeconds,
        }),
      },
    },
  })
  const server = createServer(provider.callback())
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url,
    audience,
    close: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const hidden = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )

/** Follows what a person would: all redirects, the form of the sign-in, and that of the consent. Ends at the last page. */
export const browse = async (from: string, user: string, typed: Record<string, string> = {}): Promise<string> => {
  const jar = new Map<string, string>()
  const visit = async (url: string, form?: Record<string, string>): Promise<{ url: string; page: string }> => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    const next = response.headers.get('location')
    if (next !== null) return visit(new URL(next, url).href)
    return { url, page: await response.text() }
  }
  let at = await visit(from)
  for (let step = 0; step < 6; step += 1) {
    const action = /<form[^>]* action="([^"]*)"/.exec(at.page)?.[1]
    if (action === undefined) return at.page
    at = await visit(new URL(action, at.url).href, { ...hidden(at.page), login: user, password: 'x', ...typed })
  }
  return at.page
}
