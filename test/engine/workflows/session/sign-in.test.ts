import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { UnknownReason } from '../../../../core/engine/schema/resource.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import { type Shop, shopKey, startShop } from '../../../builders/servers/fake-api.ts'
import { aLoopback } from '../../../builders/servers/loopback.ts'
import { aSilence } from '../../../builders/servers/silence.ts'
import { digestOf, driveShop } from '../../../builders/workspaces/shop-workspace.ts'
import { movableClock } from '../../../builders/workspaces/workspace.ts'

const resources = Array.from(
  { length: 5 },
  (_, n) => `{ type: shop_list, name: l${n}, spec: { name: n${n}, colour: red } }`,
)

const grant: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ access_token: 'token-1', token_type: 'Bearer' }))
}

/** A shop behind an issuer of tokens; the shop takes only `valid.token`. */
const start = async (listener: RequestListener, more: Parameters<typeof driveShop>[2] = {}) => {
  const shop = await startShop()
  const issuer = await aLoopback(listener)
  const drive = driveShop(shop, resources, more)
  const { entry, files } = drive.current.bundle
  const auth = `auth: { oauth2: { tokenUrl: "${issuer.url}/token", clientId: shop, clientSecret: "{with.key}", client: body } }`
  const document = (files['shop.provider.yaml'] ?? '').replace(/auth: .*/, () => auth)
  drive.current.bundle = { entry, files: { ...files, 'shop.provider.yaml': document } }
  const valid = { token: 'token-1' }
  shop.behaviour.fault = ({ authorization }) =>
    authorization === `Bearer ${valid.token}` ? undefined : { kind: 'answer', status: 401 }
  return {
    ...drive,
    shop,
    issuer,
    valid,
    [Symbol.asyncDispose]: async () => {
      await issuer[Symbol.asyncDispose]()
      await shop[Symbol.asyncDispose]()
    },
  }
}

const stock = ({ state }: Shop): void => {
  for (let n = 0; n < 5; n += 1) state.lists.set(n, { id: n, name: `n${n}`, colour: 'red' })
}

describe('a workspace whose API wants tokens', () => {
  it('signs in once for a check, and nothing that writes reaches the API', async () => {
    await using given = await start(grant)
    const { run, plan } = await given.check()
    expect([run.status, plan?.commands.length]).toEqual(['changes', 5])
    expect(given.issuer.seen).toMatchObject([
      {
        method: 'POST',
        url: '/token',
        body: `grant_type=client_credentials&client_id=shop&client_secret=${encodeURIComponent(shopKey.value).replaceAll('%20', '+')}`,
      },
    ])
    expect(given.shop.writes()).toEqual([])
  })

  it('shows the commands with references, and applies them', async () => {
    await using given = await start(grant)
    const found = await given.check()
    expect(found.plan?.commands[0]?.request.auth).toMatchObject({
      kind: 'oauth2',
      clientSecret: { $secret: shopKey.source },
    })
    expect(await given.apply(digestOf(found))).toMatchObject({ status: 'succeeded' })
    expect((await given.check()).run.status).toBe('in_sync')
  })

  it('goes on where its token ends in the middle of a listing', async () => {
    let issued = 0
    await using given = await start((_, response) => {
      issued += 1
      given.valid.token = `token-${issued}`
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ access_token: `token-${issued}`, expires_in: 3600 }))
    })
    stock(given.shop)
    const { fault } = given.shop.behaviour
    given.shop.behaviour.fault = (request, earlier) => {
      if (earlier.length === 1) given.valid.token = 'another'
      return fault(request, earlier)
    }
    expect((await given.check()).run.status).toBe('in_sync')
    expect(issued).toBe(2)
  })

  it('sends a write once more with a new token, and only once', async () => {
    let issued = 0
    await using given = await start((_, response) => {
      issued += 1
      given.valid.token = `token-${issued}`
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ access_token: `token-${issued}` }))
    })
    const found = await given.check()
    const { fault } = given.shop.behaviour
    let isRefused = false
    given.shop.behaviour.fault = (request, earlier) => {
      if (request.method === 'POST' && !isRefused) {
        isRefused = true
        given.valid.token = 'another'
      }
      return fault(request, earlier)
    }
    expect(await given.apply(digestOf(found))).toMatchObject({ status: 'succeeded' })
    expect([...given.shop.state.lists.values()].map(({ name }) => name)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4'])
  })

  const answer =
    (status: number, body: string, type = 'application/json'): RequestListener =>
    (_, response) =>
      response.writeHead(status, { 'content-type': type }).end(body)
  const silence = aSilence((url) => url.endsWith('/token'))
  it.each<[string, RequestListener, string, number, UnknownReason]>([
    ['refuses', answer(401, '{"error":"invalid_client"}'), 'answered 401 (invalid_client)', 1, 'unauthorised'],
    ['is broken', answer(503, 'x', 'text/plain'), 'answered 503', 3, 'server_error'],
    ['answers garbage', answer(200, '<html>', 'text/html'), 'without a token', 1, 'bad_body'],
    ['answers JSON that is cut off', answer(200, '{"access_to'), 'was not understood', 1, 'bad_body'],
    ['is down', (request) => request.socket.resetAndDestroy(), 'got no answer', 3, 'network'],
    ['is silent', () => silence.heard(), 'got no answer', 3, 'timeout'],
  ])('knows nothing where the issuer %s, and does not try for each object', async (_, listener, words, tries, why) => {
    await using given = await start(listener, why === 'timeout' ? { wire: silence.wire } : {})
    stock(given.shop)
    const { run, plan } = await given.check()
    expect(run.status).toBe('incomplete')
    expect(plan?.unchecked.map(({ reason }) => reason)).toEqual(Array(5).fill(why))
    expect(plan?.unchecked[0]?.detail).toMatch(new RegExp(`sign-in failed: POST .*${words.replace(/[()]/g, '\\$&')}`))
    expect(plan?.commands).toEqual([])
    expect([given.issuer.seen.length, given.shop.received.length]).toEqual([tries, 0])
  })

  it('fails its writes where nobody can sign in any more', async () => {
    let isDown = false
    const store = memoryStore(movableClock())
    await using given = await start((request, response) => (isDown ? answer(400, '{}') : grant)(request, response), {
      store,
    })
    const found = await given.check()
    const { id } = await given.request(digestOf(found))
    const { fault } = given.shop.behaviour
    given.shop.behaviour.fault = (request, earlier) => {
      if (request.method === 'POST') {
        isDown = true
        given.valid.token = 'another'
      }
      return fault(request, earlier)
    }
    const done = await given.runAgain(id)
    expect(done.status).toBe('failed')
    expect(done.outcomes[0]).toMatchObject({ status: 'failed', detail: expect.stringContaining('sign-in failed') })
    expect(given.shop.state.lists.size).toBe(0)
  })

  it('does not sign in for ever where no token is taken', async () => {
    await using given = await start(grant)
    given.valid.token = 'another'
    const { plan } = await given.check()
    expect(plan?.unchecked.map(({ reason }) => reason)).toEqual(Array(5).fill('unauthorised'))
    expect(given.issuer.seen).toHaveLength(2)
  })
})
