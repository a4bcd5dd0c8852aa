import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tokenOf } from '../builders/aws/api-event.ts'
import { browse, freePort, startIssuer } from '../builders/servers/issuer.ts'
import { runCommand, startCommand } from '../builders/workspaces/command.ts'
import { type Cloud, openCloud } from './cloud/cloud.ts'
import { type Deployment, functionNames, runDeployment } from './cloud/deployment.ts'
import { startGateway } from './cloud/gateway.ts'
import { startThings, type Things } from './cloud/things.ts'

/* One drift on its way through the deployed stack: schedule, queue, check, table, topic, subscriber, check mode, approval, apply, ledger. */

/** The `cdk.json` of docs/operations.md, word by word. */
const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const documented = JSON.parse(/```json\n([^`]*)```/.exec(operations)?.[1] ?? '') as {
  readonly app: string
  readonly context: { readonly plumbline: Readonly<Record<string, unknown>> }
}
const settings = documented.context.plumbline
const token = 'canary-token-of-the-deployed-target'
const definition = `
provider: { id: things, with: { host: {}, token: { secret: true } }, baseUrl: "{with.host}", auth: { bearer: { secret: "{with.token}" } } }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: POST, path: /things }
      update: { method: PATCH, path: "/things/{name}" }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: { immutable: true }, size: { type: number } } }]
`

let cloud: Cloud
let stage: Deployment
let things: Things

const configuration = (size: number): string => {
  const reached = (secret: string) => ({
    source: 'rest',
    definition: './api.yaml',
    with: { host: things.url, token: { secret } },
  })
  return JSON.stringify({
    workspace: 'acme',
    schedule: 'rate(1 hour)',
    providers: {
      api: reached('ssm:/plumbline/acme/token'),
      other: reached('secretsmanager:plumbline/acme/token'),
    },
    resources: [
      { type: 'api_thing', name: 'one', provider: 'api', spec: { name: 'one', size } },
      { type: 'api_thing', name: 'two', provider: 'other', spec: { name: 'two', size: 5 } },
    ],
  })
}

/** A person of the group of owners, as the pool of users and API Gateway tell the function. */
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const scope = 'openid plumbline/read plumbline/check plumbline/apply plumbline/irreversible plumbline/configure'
const as = (subject: string, body?: unknown) => {
  const authorizer = tokenOf(scope, subject)
  const claims = { ...authorizer.jwt.claims, 'cognito:groups': ['plumbline-owners'] }
  return {
    authorizer,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${part({})}.${part(claims)}.c2ln` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}
const get = (path: string) => stage.ask('GET', `/v1/workspaces/acme${path}`, as('ada@acme.example'))
const push = (size: number) =>
  stage.ask(
    'PUT',
    '/v1/workspaces/acme',
    as('ada@acme.example', {
      entry: 'plumbline.yaml',
      files: { 'plumbline.yaml': configuration(size), 'api.yaml': definition },
    }),
  )
const post = (path: string, body: unknown) =>
  stage.ask('POST', `/v1/workspaces/acme${path}`, as('ada@acme.example', body))
const newestRun = async () => {
  const { body } = await get('/runs?limit=1')
  return (body['items'] as readonly { id: string; status: string; digests?: { commands: string } }[])[0]
}

beforeAll(async () => {
  cloud = await openCloud()
  await cloud.cdk('bootstrap')
  await cloud.cdk('deploy', settings)
  stage = await runDeployment(cloud)
  things = await startThings(token)
})
afterAll(async () => {
  await things?.close()
  await stage?.stop()
  await cloud?.close()
})

it('a workspace is pushed, and its first check finds what is missing', async () => {
  await stage.putSecret('ssm:/plumbline/acme/token', token)
  await stage.putSecret('secretsmanager:plumbline/acme/token', token)
  expect(await push(1)).toMatchObject({ status: 200 })
  await stage.tick('schedule')
  await stage.work()
  expect(await newestRun()).toMatchObject({ status: 'changes' })
})

it('plumbline login gets a token of an issuer, and the deployed API believes it with the rights of its groups', async () => {
  const port = await freePort()
  const scopes = scope.split(' ').slice(1)
  const claims = { 'cognito:groups': ['plumbline-operators'] }
  const issuer = await startIssuer(port, { scopes, claims })
  const open = ['/v1/health', '/v1/openapi.json', '/v1/sign-in']
  const gateway = await startGateway(stage.call, { issuer: issuer.url, audience: issuer.audience, open })
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-login-'))
  const at = { folder, variables: { HOME: folder, XDG_CONFIG_HOME: folder, PLUMBLINE_ENDPOINT: gateway.url } }
  const told = (await (await fetch(`${gateway.url}/v1/sign-in`)).json()) as { readonly scope: string }
  expect(told.scope).toBe(scope)
  const client = ['--issuer', issuer.url, '--client-id', 'plumbline', '--scope', told.scope, '--port', String(port)]
  const login = await startCommand(['login', '--no-browser', ...client], at)
  const [line] = (await once(login.child.stderr as NonNullable<typeof login.child.stderr>, 'data')) as [Buffer]
  await browse(String(line).trim().replace('sign in at ', ''), 'mona')
  const { code, stdout } = await login.ended
  expect([code, stdout]).toEqual([0, expect.stringMatching(/mona at .*read +\*\n.*check +\*\n.*apply +\*\n?$/s)])
  const runs = await runCommand(['runs', 'acme', '--json'], at)
  expect(runs.stdout).toContain('"status":')
  const out = await runCommand(['logout'], at)
  expect(out.stdout).toContain('signed out')
  expect((await runCommand(['runs', 'acme'], at)).stderr).toContain('UNAUTHENTICATED')
  await gateway.close()
  await issuer.close()
  await rm(folder, { recursive: true })
})

const approve = async (mode: 'check' | 'execute', digest: string) => {
  const { body } = await stage.ask(
    'POST',
    '/v1/workspaces/acme/apply',
    as('grace@acme.example', { mode, digest, reason: 'as asked' }),
  )
  await stage.work()
  return get(`/applies/${String(body['id'])}`)
}

it('check mode lists the commands and sends none; the approved ones are sent', async () => {
  const digest = (await newestRun())?.digests?.commands ?? ''
  expect(await approve('check', digest)).toMatchObject({ body: { status: 'succeeded', mode: 'check' } })
  expect(things.writes).toEqual([])
  expect(await approve('execute', digest)).toMatchObject({ body: { status: 'succeeded' } })
  expect(things.writes).toEqual(['POST /things', 'POST /things'])
})

it('a drift is found, told, approved and repaired, and the ledger proves it', async () => {
  await stage.ask('POST', '/v1/workspaces/acme/check', as('ada@acme.example'))
  await stage.work()
  expect(await newestRun()).toMatchObject({ status: 'in_sync' })
  await stage.alerts()
  things.held.set('one', { name: 'one', size: 7 })
  await stage.ask('POST', '/v1/workspaces/acme/check', as('ada@acme.example'))
  await stage.work()
  const run = await newestRun()
  expect(run).toMatchObject({ status: 'changes' })
  const alerts = await stage.alerts()
  expect(alerts).toMatchObject([{ workspace: 'acme', kind: 'opened', about: 'drift' }])
  expect(await approve('execute', run?.digests?.commands ?? '')).toMatchObject({ body: { status: 'succeeded' } })
  expect(things.held.get('one')).toEqual({ name: 'one', size: 1 })
  const { body } = await get('/ledger?limit=100')
  const sent = JSON.stringify(body)
  expect(sent).toContain('grace@acme.example')
  expect(sent).toContain('PATCH')
  expect(await get('/ledger/verify')).toMatchObject({ status: 200, body: { ok: true } })
  await stage.tick('watch')
})

it('an alert that the topic refuses waits in the table, and the schedule sends it', async () => {
  await stage.alerts()
  stage.fail('sns')
  things.held.set('one', { name: 'one', size: 8 })
  await stage.ask('POST', '/v1/workspaces/acme/check', as('ada@acme.example'))
  await stage.work()
  expect(await stage.alerts()).toEqual([])
  stage.fail()
  await stage.tick('schedule')
  expect(await stage.alerts()).toMatchObject([{ workspace: 'acme', kind: 'opened', about: 'drift' }])
})

const minutesSince = (began: number): number => (performance.now() - began) / 60_000
const untilDone = async (): Promise<void> => {
  while ((await stage.attempt()).done === 0) await setTimeout(1_000)
}

it('a check that fails for a moment is done again within two minutes', async () => {
  await stage.ask('POST', '/v1/workspaces/acme/check', as('ada@acme.example'))
  stage.fail('dynamodb')
  const began = performance.now()
  expect(await stage.attempt()).toEqual({ done: 0, failed: 1 })
  stage.fail()
  await untilDone()
  const minutes = minutesSince(began)
  process.stdout.write(`\na check that failed once: ${minutes.toFixed(1)} minutes until it is done\n`)
  expect(minutes).toBeLessThan(2)
})

it('an apply whose process is killed is continued within eight minutes, and its workspace is free again', async () => {
  const digest = (await newestRun())?.digests?.commands ?? ''
  const body = { mode: 'execute', digest, reason: 'as asked' }
  const { body: apply } = await stage.ask('POST', '/v1/workspaces/acme/apply', as('grace@acme.example', body))
  const arrived = Promise.withResolvers<void>()
  things.hold(arrived.resolve)
  const attempt = stage.attempt()
  await arrived.promise
  await stage.kill('apply')
  expect(await attempt).toEqual({ done: 0, failed: 1 })
  const hidden = await stage.passVisibility('apply')
  const began = performance.now()
  await untilDone()
  const minutes = hidden / 60 + minutesSince(began)
  process.stdout.write(`\na killed apply: ${minutes.toFixed(1)} minutes until it is continued\n`)
  expect(minutes).toBeLessThan(8)
  expect(await get(`/applies/${String(apply['id'])}`)).toMatchObject({ body: { finishedAt: expect.any(String) } })
  await stage.ask('POST', '/v1/workspaces/acme/check', as('ada@acme.example'))
  await stage.work()
  const left = await newestRun()
  if (left?.status === 'changes') await approve('execute', left.digests?.commands ?? '')
  expect(things.held.get('one')).toEqual({ name: 'one', size: 1 })
})

it('a message that never can be processed is a dead letter at once, and the others go on', async () => {
  await stage.poison('check', '{ "workspace": 7')
  expect(await stage.attempt()).toEqual({ done: 1, failed: 0 })
  expect(await stage.deadLetters('check')).toEqual([{ body: '{ "workspace": 7', code: 'REQUEST_INVALID' }])
})

it('the API carries the rest of the life of a workspace', async () => {
  const why = { reason: 'as asked' }
  await push(2)
  const { body: versions } = await get('/versions')
  expect(versions['items']).toHaveLength(2)
  await post('/rollback', { ...why, version: 1 })
  const { body: state } = await get('/state')
  await post('/state/import', { ...why, state })
  await post('/state/forget', { ...why, addresses: ['api_thing.two'] })
  await post('/pause', why)
  await post('/resume', why)
  expect(await get('/episodes')).toMatchObject({ status: 200 })
  expect(await stage.ask('GET', '/v1/workspaces', as('ada@acme.example'))).toMatchObject({ body: { items: [{}] } })
  await stage.ask('DELETE', '/v1/workspaces/acme?reason=done', as('ada@acme.example'))
  await stage.tick('schedule')
  await stage.tick('watch')
})

it('no secret is in a log, and no function did what it may not', () => {
  for (const name of functionNames) expect(stage.log(name)).not.toContain(token)
  expect(stage.denied).toEqual([])
})

/** Rights that this life does not use, and who does. */
const usedElsewhere: Readonly<Record<string, string>> = {
  'logs:CreateLogStream': 'Lambda itself',
  'logs:PutLogEvents': 'Lambda itself',
  'sqs:ReceiveMessage': 'the event source of Lambda',
  'sqs:DeleteMessage': 'the event source of Lambda',
  'sqs:GetQueueUrl': 'the event source of Lambda',
  'sqs:GetQueueAttributes': 'the event source of Lambda',
  'sqs:ChangeMessageVisibility': 'the event source of Lambda',
  'schedule dynamodb:ConditionCheckItem': 'an apply that was given up: test/infra/rights.test.ts',
  'check dynamodb:ConditionCheckItem': 'a configuration that is kept in a repository: test/infra/rights.test.ts',
  'check sqs:SendMessage': 'a check that goes on in another invocation: test/infra/rights.test.ts',
  'apply sqs:SendMessage': 'an apply that goes on in another invocation: test/infra/rights.test.ts',
  'api ssm:GetParameter': 'a webhook: test/infra/rights.test.ts',
  'api secretsmanager:GetSecretValue': 'a webhook: test/infra/rights.test.ts',
}

it('every action that a role grants is used', () => {
  const [used, unused] = [stage.used(), stage.unused()]
  const actionsOf = (rights: readonly string[]) => new Set(rights.map((right) => right.split(' ')[0] ?? ''))
  const idle = functionNames.flatMap((name) =>
    [...actionsOf(unused[name]).difference(actionsOf(used[name]))]
      .filter((action) => !(action in usedElsewhere) && !(`${name} ${action}` in usedElsewhere))
      .map((action) => `${name} ${action}`),
  )
  process.stdout.write(`\nused: ${JSON.stringify(used, null, 1)}\nnot used here: ${JSON.stringify(unused, null, 1)}\n`)
  expect(idle).toEqual([])
})

it('a new stack over the table of a deleted one goes on where that one ended', async () => {
  const definitionOf = (name: string) => configuration(3).replace('"workspace":"acme"', `"workspace":"${name}"`)
  await stage.ask(
    'PUT',
    '/v1/workspaces/later',
    as('ada@acme.example', {
      entry: 'plumbline.yaml',
      files: {
        'plumbline.yaml': definitionOf('later').replaceAll('plumbline/acme/', 'plumbline/later/'),
        'api.yaml': definition,
      },
    }),
  )
  await stage.putSecret('ssm:/plumbline/later/token', token)
  await stage.putSecret('secretsmanager:plumbline/later/token', token)
  const check = async () => {
    await stage.ask('POST', '/v1/workspaces/later/check', as('ada@acme.example'))
    await stage.work()
    const { body } = await stage.ask('GET', '/v1/workspaces/later/runs?limit=5', as('ada@acme.example'))
    return body['items'] as readonly { status: string; digests: { plan: string } }[]
  }
  const [before] = await check()
  const kept = await stage.stored()
  await stage.stop()
  await cloud.cdk('destroy', settings)
  await cloud.cdk('deploy', { ...settings, ...kept })
  stage = await runDeployment(cloud)
  const [after, ...earlier] = await check()
  expect(earlier).toHaveLength(1)
  // The same key makes the same digests of secrets, so the plan is the same.
  expect(after?.digests).toEqual(before?.digests)
  expect(stage.denied).toEqual([])
})
