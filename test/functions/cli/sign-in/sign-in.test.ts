import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { authenticate } from '../../../../functions/api/middleware/authenticate.ts'
import { long } from '../../../builders/long.ts'
import { browse, freePort, startIssuer } from '../../../builders/servers/issuer.ts'
import { runCommand, startCommand } from '../../../builders/workspaces/command.ts'

let issuer: Awaited<ReturnType<typeof startIssuer>>
let port: number
let home: string
let api: Server
let endpoint: string
/** What the endpoint tells everybody about signing in. */
let told: Readonly<Record<string, string>>
/** The tokens that the endpoint got. */
let shown: string[]

/** Verifies a token as API Gateway does, and answers as the route does. */
const serveApi = async (): Promise<void> => {
  const keys = createRemoteJWKSet(new URL(`${issuer.url}/jwks`))
  api = createServer(async (request, response) => {
    if (request.url === '/v1/sign-in') return response.end(JSON.stringify(told))
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const verified = await jwtVerify(token, keys, { issuer: issuer.url, audience: issuer.audience }).catch(
      () => undefined,
    )
    shown.push(token)
    if (verified === undefined) return response.writeHead(401).end()
    const { actor, rights } = authenticate({ jwt: { claims: verified.payload } }, { SCOPE_PREFIX: '' })
    return response.end(JSON.stringify({ subject: actor.subject, issuer: actor.issuer, rights }))
  })
  api.listen(0, '127.0.0.1')
  await once(api, 'listening')
  endpoint = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
}

const start = async (options: Parameters<typeof startIssuer>[1] = {}) => {
  issuer = await startIssuer(port, options)
  await serveApi()
}
const variables = () => ({ HOME: home, XDG_CONFIG_HOME: join(home, 'config') })
const run = (...args: readonly string[]) =>
  runCommand(['--endpoint', endpoint, ...args], { folder: home, variables: variables() })
const first = () => ['--issuer', issuer.url, '--client-id', 'plumbline', '--port', String(port)]
const file = () => join(home, 'config', 'plumbline', 'sign-in.json')

/** Starts a sign-in, and lets somebody answer it. */
const login = async (answer: (line: string) => Promise<unknown>, ...args: readonly string[]) => {
  const running = await startCommand(['--endpoint', endpoint, 'login', '--no-browser', ...args], {
    folder: home,
    variables: variables(),
  })
  const [line] = (await once(running.child.stderr as NonNullable<typeof running.child.stderr>, 'data')) as [Buffer]
  await answer(String(line).trim())
  return running.ended
}
const asMona = (line: string) => browse(line.replace('sign in at ', ''), 'mona')

beforeEach(async () => {
  shown = []
  told = {}
  port = await freePort()
  home = await mkdtemp(join(tmpdir(), 'plumbline-sign-in-'))
})
afterEach(async () => {
  api.closeAllConnections()
  api.close()
  await issuer.close()
  await rm(home, { recursive: true })
})

describe('signing in at a deployment', () => {
  test('takes the browser there and back, and keeps the tokens where only this user reads them', long, async () => {
    await start()
    const { code, stdout, stderr } = await login(asMona, ...first())
    expect([code, stdout]).toEqual([0, expect.stringContaining(`mona at ${endpoint}`)])
    expect(stdout).toMatch(/read +\*\n.*check +\*\n.*apply +\*/s)
    expect((await stat(file())).mode & 0o777).toBe(0o600)
    const [token = ''] = shown
    expect([token.split('.').length, `${stdout}${stderr}`.includes(token)]).toEqual([3, false])
    const who = await run('whoami', '--json')
    expect(JSON.parse(who.stdout)).toMatchObject({ subject: 'mona', issuer: issuer.url, expiresAt: expect.any(String) })
    // The issuer and the client are remembered.
    expect((await login(asMona, '--port', String(port))).code).toBe(0)
  })

  test('needs nothing but the endpoint where the deployment says who its issuer is', long, async () => {
    await start()
    told = { issuer: issuer.url, clientId: 'plumbline', scope: 'openid offline_access read' }
    const { code, stdout } = await login(asMona, '--port', String(port))
    expect([code, stdout]).toEqual([0, expect.stringMatching(/mona at [^\n]*\n {2}read +\*\n$/)])
  })

  test('works with a code on another device', long, async () => {
    await start()
    const { code, stdout } = await login(
      (line) => {
        const [, url = '', user_code = ''] = /open (\S+) and type (\S+)/.exec(line) ?? []
        return browse(url, 'hubot', { user_code })
      },
      ...first(),
      '--device',
    )
    expect([code, stdout]).toEqual([0, expect.stringContaining('hubot at')])
  })

  test('renews a token that ends, and says so when it cannot', long, async () => {
    await start({ tokenSeconds: 30 })
    await login(asMona, ...first())
    const before = await readFile(file(), 'utf8')
    expect((await run('whoami')).code).toBe(0)
    expect(await readFile(file(), 'utf8')).not.toBe(before)
    expect(new Set(shown).size).toBe(2)
    const kept = JSON.parse(await readFile(file(), 'utf8'))
    kept.endpoints[endpoint].refreshToken = 'canary-of-a-token'
    await writeFile(file(), JSON.stringify(kept))
    const { code, stderr } = await run('whoami')
    expect([code !== 0, stderr]).toEqual([true, expect.stringContaining('SIGN_IN_EXPIRED')])
    expect(stderr).toContain('invalid_grant')
    expect(stderr).not.toContain('canary')
  })

  test('ends with a logout, which revokes the tokens', long, async () => {
    await start()
    await login(asMona, ...first())
    const { refreshToken } = JSON.parse(await readFile(file(), 'utf8')).endpoints[endpoint]
    expect((await run('logout')).stdout).toContain('signed out')
    expect(await readFile(file(), 'utf8')).not.toContain(refreshToken)
    expect((await run('whoami')).stderr).toContain('UNAUTHENTICATED')
    const again = await fetch(`${issuer.url}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: 'plumbline' }),
    })
    expect(await again.json()).toMatchObject({ error: 'invalid_grant' })
    expect((await run('logout')).stdout).toContain('nobody was signed in')
  })

  test('believes no answer that it did not ask for, and waits on', async () => {
    await start()
    const { code } = await login(
      async (line) => {
        const forged = await fetch(`http://127.0.0.1:${port}/callback?code=x&state=y`)
        expect(forged.status).toBe(400)
        return asMona(line)
      },
      ...first(),
    )
    expect(code).toBe(0)
  })

  test('says what the issuer refused', long, async () => {
    await start()
    const deny = (line: string) => {
      const state = new URL(line.replace('sign in at ', '')).searchParams.get('state')
      return fetch(
        `http://127.0.0.1:${port}/callback?error=access_denied&state=${state}&iss=${encodeURIComponent(issuer.url)}`,
      )
    }
    const { code, stderr } = await login(deny, ...first())
    expect([code !== 0, stderr]).toEqual([true, expect.stringMatching(/SIGN_IN_REFUSED/)])
    expect(stderr).toContain('access_denied')
    expect((await run('login')).stderr).toContain('pass --issuer and --client-id')
    expect((await run('login', '--issuer', 'http://issuer.acme.example', '--client-id', 'x')).stderr).toContain(
      'is not an https address',
    )
  })
})
