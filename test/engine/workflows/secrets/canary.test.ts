import { inspect } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { AppError } from '../../../../core/engine/errors/errors.ts'
import { ledgerLine } from '../../../../core/engine/ledger/chain.ts'
import type { Request } from '../../../../core/engine/schema/command.ts'
import type { Apply } from '../../../../core/engine/schema/stored/records.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import type { Store } from '../../../../core/engine/state/store/store.ts'
import { toCurl } from '../../../../core/engine/transport/curl/curl.ts'
import { listState, showState } from '../../../../core/engine/workflows/state/read-state.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { renderAlert } from '../../../../core/pages/render/plain/render-alert.ts'
import { renderApply } from '../../../../core/pages/render/plain/render-applies.ts'
import { renderCommands } from '../../../../core/pages/render/plain/render-commands.ts'
import { renderError } from '../../../../core/pages/render/plain/render-error.ts'
import { renderLedger } from '../../../../core/pages/render/plain/render-ledger.ts'
import { renderRun } from '../../../../core/pages/render/plain/render-runs.ts'
import { renderState, renderStateShown } from '../../../../core/pages/render/plain/render-state.ts'
import { testApi } from '../../../builders/aws/api.ts'
import { lawCases, lawStep } from '../../../builders/laws.ts'
import { type Fault, type Received, type Shop, shopKey, startShop } from '../../../builders/servers/fake-api.ts'
import { aLoopback } from '../../../builders/servers/loopback.ts'
import { readable } from '../../../builders/values/readable-writes.ts'
import { formatNames, renderPlan } from '../../../builders/values/rendered.ts'
import { digestOf, driveShop, workspace } from '../../../builders/workspaces/shop-workspace.ts'
import { actor, movableClock } from '../../../builders/workspaces/workspace.ts'

/** What must never be seen: of the environment, of a file, and of the server alone. */
const secrets = {
  [shopKey.source]: shopKey.value,
  'env:LABEL_PASSWORD': 'op3n "sesame" & co/ü',
  'file:/run/secrets/pin': 'pin <4711> 100%\\',
}
const serverOnly = { password: 'old-p4ss "of" the/server+1' }
/** What a server of tokens gives out, in turn: nobody names it. */
const tokens = ['t0ken "of" the/idp+=&1', 't0ken "of" the/idp+=&2', 't0ken "of" the/idp+=&3']
const canaries = [...Object.values(secrets), ...Object.values(serverOnly), ...tokens]

/** JSON text as a value of JSON text, and so on. */
const nested = (text: string, times: number): string =>
  times === 0 ? text : nested(JSON.stringify(text).slice(1, -1), times - 1)

const spellings = (secret: string): readonly string[] => {
  const base64 = Buffer.from(secret).toString('base64')
  const percent = encodeURIComponent(secret)
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...[2, 3, 4].map((times) => nested(secret, times)),
    base64.replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (found) => found.toLowerCase()),
    percent.replaceAll('%20', '+'),
    encodeURI(secret),
    Buffer.from(secret).toString('hex'),
  ]
}

const expectClean = (what: string, said: unknown): void => {
  const text =
    typeof said === 'string' ? said : `${JSON.stringify(said)}\n${inspect(said, { depth: null, showHidden: true })}`
  for (const canary of canaries) {
    for (const spelling of spellings(canary)) {
      expect(text.includes(spelling) ? `${what} says ${spelling}` : '').toBe('')
    }
  }
}

const label = (name: string, more: string) =>
  `{ type: shop_label, name: ${name}, spec: { name: ${name}, ${more}, password: { secret: "env:LABEL_PASSWORD" }, pin: { secret: "file:/run/secrets/pin" } } }`

/** One is made, one changes its password, one is replaced, and one has a password that nobody declares. */
const resources = [
  label('made', 'text: all, kind: "sent as ${workspace}"'),
  label('changed', 'text: all'),
  label('replaced', 'kind: small'),
  '{ type: shop_label, name: plain, spec: { name: plain, text: all } }',
]

const stock = ({ state }: Shop): void => {
  state.labels.set('changed', { name: 'changed', text: 'all', ...serverOnly })
  state.labels.set('replaced', { name: 'replaced', kind: 'big', ...serverOnly })
  // Nobody declares `kind` there, and it repeats the secret of another.
  const kind = `sent with ${secrets['env:LABEL_PASSWORD']}`
  state.labels.set('plain', { name: 'plain', text: 'nothing', kind, ...serverOnly })
}

/** Everything that the store was ever given. */
const recording = (inner: Store) => {
  const stored: unknown[] = []
  const store: Store = {
    ...inner,
    write: (writes) => {
      stored.push(...writes.map(readable))
      return inner.write(writes)
    },
  }
  return { store, stored }
}

/** It says back whatever it is sent, and refuses nobody. */
const issuer = await aLoopback((request, response) => {
  const token = tokens[issuer.seen.length % tokens.length] ?? ''
  const { headers } = request
  response.writeHead(200, { 'content-type': 'application/json', 'x-token': token })
  response.end(JSON.stringify({ access_token: token, refresh_token: token, seen: headers.authorization }))
})
afterAll(() => issuer[Symbol.asyncDispose]())

const bearer = 'send: { header: Authorization, template: "Bearer {token}" }'
const auths: readonly (readonly [string, (text: string) => string])[] = [
  ['with its key in a header', (text) => text],
  [
    'with its key in the URL',
    (text) => text.replace(/auth: .*/, 'auth: { query: { name: key, secret: "{with.key}" } }'),
  ],
  [
    'with a token of OAuth2',
    (text) =>
      text.replace(
        /auth: .*/,
        () => `auth: { oauth2: { tokenUrl: "${issuer.url}/token", clientId: shop, clientSecret: "{with.key}" } }`,
      ),
  ],
  [
    'with a token of a login',
    (text) =>
      text.replace(
        /auth: .*/,
        () =>
          `auth: { login: { url: "${issuer.url}/login", otherHost: true, body: { pass: "{with.key}" }, token: { header: x-token }, ${bearer} } }`,
      ),
  ],
]

const withAuth = ({ current }: ReturnType<typeof driveShop>, change: (text: string) => string): void => {
  const { entry, files } = current.bundle
  // Whatever a failure says is repeated to people, the whole of it.
  const document = change(files['shop.provider.yaml'] ?? '').replace('  reads:', '  errors: { message: "" }\n  reads:')
  current.bundle = { entry, files: { ...files, 'shop.provider.yaml': document } }
}

const echo = ({ url, authorization, body }: Received, state: Shop['state']): string =>
  JSON.stringify({
    seen: { url, authorization },
    stored: JSON.stringify([...state.labels.values()]),
    quoted: body,
    twice: JSON.stringify(body),
  })

type Misbehaviour = (shop: Shop) => (request: Received) => Fault | undefined
const answering =
  (status: number, only: 'GET' | 'write', headers = {}): Misbehaviour =>
  ({ state }) =>
  (request) =>
    (request.method === 'GET') === (only === 'GET')
      ? { kind: 'answer', status, body: echo(request, state), headers }
      : undefined
const token = encodeURIComponent(shopKey.value)

const misbehaviours: readonly (readonly [string, Misbehaviour])[] = [
  ['answers well', () => () => undefined],
  ['refuses every write, repeats what it was sent and what it holds', answering(422, 'write')],
  ['fails every write with the credentials in its answer', answering(500, 'write', { 'content-type': 'text/plain' })],
  ['fails every read with the credentials in its answer', answering(500, 'GET')],
  ['refuses who reads, with the credentials in its answer', answering(401, 'GET')],
  ['refuses who writes, with the credentials in its answer', answering(401, 'write')],
  [
    'sends reads somewhere else, the token in the URL',
    answering(302, 'GET', { location: `http://127.0.0.1:9/?token=${token}` }),
  ],
  [
    'sends reads on to itself for ever, the token in the URL',
    answering(302, 'GET', { location: `/again?token=${token}` }),
  ],
  ['sends writes somewhere else, the token in the URL', answering(307, 'write', { location: `/again?token=${token}` })],
  ['answers HTML that holds the credentials', answering(200, 'GET', { 'content-type': 'text/html' })],
  [
    'answers JSON that is cut off behind the credentials',
    ({ state }) =>
      (request) =>
        request.method === 'GET' ? { kind: 'answer', status: 200, body: echo(request, state).slice(0, -2) } : undefined,
  ],
  [
    'loses every answer to a write',
    () =>
      ({ method }) =>
        method === 'GET' ? undefined : { kind: 'lost' },
  ],
]

const applyOf = (said: unknown): Apply | undefined => (said instanceof Error ? undefined : (said as Apply))

describe.each(auths)('no secret comes out of a run %s', (_form, auth) => {
  it.each(lawCases(misbehaviours, 2))('where the server %s', async (_, misbehave) => {
    await using shop = await startShop()
    stock(shop)
    const clock = movableClock()
    const { store, stored } = recording(memoryStore(clock))
    const drive = driveShop(shop, resources, { clock, store })
    Object.assign(drive.secrets, secrets)
    withAuth(drive, auth)
    const { deps, check, apply, alerts, progress, queued, current } = drive
    await putWorkspace({ bundle: current.bundle, actor }, deps)

    // Planned while all is well, so that something can be applied to a server that is not.
    const found = await check()
    clock.forward(60_000)
    const kept = await apply(digestOf(found), 'check')
    shop.behaviour.fault = misbehave(shop)
    const done = await apply(digestOf(found)).catch((error: unknown) => error)
    clock.forward(60_000)
    const after = await check().catch((error: unknown) => error as Error)

    const entries = await drive.entries()
    const plans = [found.plan, 'plan' in after ? after.plan : undefined].filter((plan) => plan !== undefined)
    const pages = plans.flatMap((plan) => [
      ...formatNames.map((format) => renderPlan(plan, { format })),
      renderPlan(plan, { format: 'text', color: true }),
      renderCommands(plan.commands),
      ...plan.commands.map(({ request }) => toCurl(request)),
    ])
    const applies = [kept, applyOf(done)].filter((each) => each !== undefined)
    expectClean('the store', stored)
    expectClean('an alert', alerts)
    expectClean(
      'the text of an alert',
      alerts.flatMap((alert) => [renderAlert(alert, { form: 'text' }), renderAlert(alert, { form: 'subject' })]),
    )
    expectClean('progress', progress)
    expectClean('a queue', queued)
    expectClean('an end', [done, after])
    expectClean('the export of the ledger', entries.map(ledgerLine).join('\n'))
    expectClean('the ledger', [renderLedger(entries)])
    expectClean(
      'a line for the shell',
      entries.flatMap(({ command }) => (command ? [toCurl(command['request'] as unknown as Request)] : [])),
    )
    expectClean('a page', pages)
    expectClean(
      'an apply',
      applies.map((each) => renderApply(each)),
    )
    expectClean('a run', [renderRun(found.run)])
    if (done instanceof AppError) expectClean('an error', renderError(done))

    const api = testApi(deps)
    const scope =
      'plumbline/read plumbline/check plumbline/apply plumbline/audit plumbline/admin read check apply audit admin'
    const [run, id] = [found.run.id, kept.id]
    const base = `/v1/workspaces/${workspace}`
    const state = await listState(store, workspace)
    expect(state.resources).not.toEqual([])
    expectClean('the list of what is recorded', renderState(state))
    for (const { address } of state.resources) {
      expectClean('a record', renderStateShown(await showState(store, workspace, address)))
      const { text, status } = await api('GET', `${base}/state/resource`, { scope, query: `address=${address}` })
      expect(status).toBe(200)
      expectClean('a record of the API', text)
    }
    const paths = [
      base,
      `${base}/state`,
      `${base}/state/resources`,
      `${base}/runs`,
      `${base}/runs/${run}`,
      `${base}/runs/${run}/plan`,
      `${base}/applies`,
      `${base}/applies/${id}`,
      `${base}/ledger`,
      `${base}/ledger/export`,
      `${base}/episodes`,
    ]
    for (const path of paths) {
      const { text, status } = await api('GET', path, { scope })
      expect([path, status]).toEqual([path, 200])
      expectClean(path, text)
    }
  })

  it('where the server answers with a secret on the edge of the part that is kept', async () => {
    for (let before = 470; before <= 497; before += 3 * lawStep(4)) {
      await using shop = await startShop()
      const { store, stored } = recording(memoryStore(movableClock()))
      const drive = driveShop(shop, resources, { store })
      Object.assign(drive.secrets, secrets)
      const found = await drive.check()
      const body = JSON.stringify(`${'-'.repeat(before)}${shopKey.value}`)
      shop.behaviour.fault = ({ method }) => (method === 'GET' ? undefined : { kind: 'answer', status: 422, body })
      await drive.apply(digestOf(found))
      expect(JSON.stringify(stored)).toContain('-'.repeat(before))
      expect(JSON.stringify(stored)).not.toContain(`-${shopKey.value.slice(0, 3)}`)
    }
  })

  it('where the server repeats a failure with a secret on the edge of the part that is kept', async () => {
    for (let before = 400; before <= 480; before += 4 * lawStep(5)) {
      await using shop = await startShop()
      const drive = driveShop(shop, ['{ type: shop_list, name: one, spec: { name: one } }'])
      withAuth(drive, auth)
      const body = JSON.stringify(`${'-'.repeat(before)}${shopKey.value}${'-'.repeat(200)}`)
      shop.behaviour.fault = ({ method }) => (method === 'GET' ? { kind: 'answer', status: 500, body } : undefined)
      const { plan } = await drive.check()
      expect(plan?.unchecked[0]?.detail).toContain('-'.repeat(before - 200))
      expect(plan?.unchecked[0]?.detail.length).toBeLessThan(502)
      expect(JSON.stringify(plan)).not.toContain(`-${shopKey.value.slice(0, 2)}`)
    }
  })

  it('although every secret reaches the server, so that the tests above mean something', async () => {
    await using shop = await startShop()
    stock(shop)
    const drive = driveShop(shop, resources)
    Object.assign(drive.secrets, secrets)
    withAuth(drive, auth)
    expect(await drive.apply(digestOf(await drive.check()))).toMatchObject({ status: 'succeeded' })
    const isSigned = ({ authorization, url }: Received): boolean =>
      [shopKey.value, ...tokens].some((key) => authorization === `Bearer ${key}`) ||
      url.includes(`key=${encodeURIComponent(shopKey.value)}`)
    expect(shop.received.every(isSigned)).toBe(true)
    const sent = shop.writes().map(({ body }) => (body === '' ? {} : JSON.parse(body)))
    const password = secrets['env:LABEL_PASSWORD']
    const pin = secrets['file:/run/secrets/pin']
    expect(sent.filter((body) => body['password'] === password && body['pin'] === pin)).toHaveLength(3)
    expect((await drive.check()).run.status).toBe('in_sync')
  })
})
