import { createHmac } from 'node:crypto'
import { Template } from 'aws-cdk-lib/assertions'
import { expect, it } from 'vitest'
import { listRuns } from '../../core/engine/state/runs/runs.ts'
import { keyOf } from '../../core/engine/state/store/limits.ts'
import { memoryStore } from '../../core/engine/state/store/memory.ts'
import type { Store } from '../../core/engine/state/store/store.ts'
import type { Transport } from '../../core/engine/transport/transport.ts'
import { requestApply } from '../../core/engine/workflows/apply/request-apply.ts'
import { resendApplies } from '../../core/engine/workflows/apply/resend-applies.ts'
import { runApply } from '../../core/engine/workflows/apply/run-apply.ts'
import { deliverLeftovers } from '../../core/engine/workflows/check/deliver-alerts.ts'
import { requestCheck } from '../../core/engine/workflows/check/request-check.ts'
import { takeCheck } from '../../core/engine/workflows/check/take-check.ts'
import type { CheckMessage, Deps } from '../../core/engine/workflows/deps.ts'
import { verifyLedger } from '../../core/engine/workflows/records/verify-ledger.ts'
import { enqueueDue } from '../../core/engine/workflows/schedule/enqueue-due.ts'
import { createOverdueWatch, oldestWaitSeconds } from '../../core/engine/workflows/schedule/find-overdue.ts'
import { pullSource } from '../../core/engine/workflows/source/pull-source.ts'
import { removeSource, setSource } from '../../core/engine/workflows/source/source.ts'
import { receiveWebhook } from '../../core/engine/workflows/source/webhook.ts'
import { importState } from '../../core/engine/workflows/state/import-state.ts'
import { exportState } from '../../core/engine/workflows/state/read-state.ts'
import { withinDeadline } from '../../core/engine/workflows/within-deadline.ts'
import { pauseWorkspace, resumeWorkspace } from '../../core/engine/workflows/workspace/manage-workspace.ts'
import { putWorkspace } from '../../core/engine/workflows/workspace/put-workspace.ts'
import { removeWorkspace } from '../../core/engine/workflows/workspace/remove-workspace.ts'
import { rollbackWorkspace, workspaceHistory } from '../../core/engine/workflows/workspace/versions/versions.ts'
import { storeSource } from '../../functions/adapters/store-source.ts'
import { synthesise } from '../builders/aws/template.ts'
import { long } from '../builders/long.ts'
import { githubStandin } from '../builders/servers/github-standin.ts'
import { anAnswer } from '../builders/values/transports.ts'
import { actor, movableClock, testDeps, yaml } from '../builders/workspaces/workspace.ts'

/* The workflows of a whole life, each with the rights that the template gives to its function, and nothing else. */

const template = Template.fromStack(synthesise().stack)

type FunctionName = 'Schedule' | 'Check' | 'Apply' | 'Api' | 'Watch'

interface Statement {
  readonly Action: string | readonly string[]
  readonly Condition?: { readonly 'ForAllValues:StringLike'?: { readonly 'dynamodb:LeadingKeys'?: readonly string[] } }
}

const statementsOf = (name: FunctionName): readonly Statement[] =>
  Object.entries(template.findResources('AWS::IAM::Policy'))
    .filter(([id]) => id.startsWith(`Plumbline${name}Role`))
    .flatMap(([, policy]) => policy['Properties'].PolicyDocument.Statement as Statement[])

const isLike = (pattern: string, text: string): boolean =>
  pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern

const mayUse = (name: FunctionName, action: string, partition: string): boolean =>
  statementsOf(name).some(
    ({ Action, Condition }) =>
      [Action].flat().includes(`dynamodb:${action}`) &&
      (Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? []).some((each) => isLike(each, partition)),
  )

/** The queues whose addresses a function has; the rights go with them, in one place of the stack. */
const queuesOf = (name: FunctionName): readonly string[] =>
  Object.entries(template.findResources('AWS::Lambda::Function'))
    .filter(([id]) => id.startsWith(`Plumbline${name}`))
    .flatMap(([, each]) => Object.keys(each['Properties'].Environment.Variables as object))

const writeActions = { put: 'PutItem', delete: 'DeleteItem', check: 'ConditionCheckItem' } as const

const denied: string[] = []

/** The store as a function may use it: what it may not is noted, and refused as AWS would. */
const rightsOf = (name: FunctionName, inner: Store): Store => {
  const need = (action: string, pk: string): void => {
    if (mayUse(name, action, pk)) return
    denied.push(`${name} ${action} ${pk}`)
    throw new Error(`AccessDenied: ${name} ${action} ${pk}`)
  }
  return {
    get: async (key) => {
      need('GetItem', key.pk)
      return inner.get(key)
    },
    query: async (query) => {
      need('Query', query.pk)
      return inner.query(query)
    },
    write: async (writes) => {
      for (const write of writes) need(writeActions[write.kind], keyOf(write).pk)
      return inner.write(writes)
    },
  }
}

const slowDocument = `
provider: { id: things, baseUrl: "http://api.test", reads: { list: { bytes: 1000000, seconds: 60 }, conditional: strong } }
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

const gitHost = async () => {
  const token = 'ghp_a_token_of_this_test'
  const github = await githubStandin({ token })
  return { url: github.url, push: github.push, token, [Symbol.asyncDispose]: () => github.close() }
}

const open = () => {
  const clock = movableClock()
  const inner = memoryStore(clock)
  const sizes = new Map(Array.from({ length: 90 }, (_, n) => [`t${n}`, n === 5 ? 2 : 1]))
  const world = { answerMs: 1_000 }
  const send: Transport['send'] = async ({ method, url, body }, signal) => {
    clock.forward(world.answerMs)
    signal?.throwIfAborted()
    const name = url.split('/').at(-1) ?? ''
    if (method !== 'GET') sizes.set(name, Number((body as { size: number }).size))
    const size = sizes.get(name)
    return anAnswer(200, { name, size: size ?? 0 }, { 'content-type': 'application/json', etag: `"${name}-${size}"` })
  }
  const resources = [...sizes.keys()].map((name) => ({ type: 'api_thing', name, spec: { name, size: 1 } }))
  const providers = { api: { source: 'rest', definition: './api.yaml' } }
  const about = { workspace: 'one', schedule: 'rate(1 hour)', limits: { time: '2h' }, providers, resources }
  const bundle = yaml(JSON.stringify(about), { 'api.yaml': slowDocument })
  const given = testDeps({ clock, bundle, transport: () => ({ send }) })
  const as = (name: FunctionName): Deps => {
    const { queue } = given.deps
    const has = (variable: string): void => {
      if (queuesOf(name).includes(variable)) return
      denied.push(`${name} SendMessage ${variable}`)
      throw new Error(`${name} has no ${variable}`)
    }
    return {
      ...given.deps,
      limits: { ...given.deps.limits, concurrency: 1 },
      store: rightsOf(name, inner),
      queue: {
        checks: async (messages) => {
          has('CHECK_QUEUE_URL')
          return queue.checks(messages)
        },
        apply: async (message) => {
          has('APPLY_QUEUE_URL')
          return queue.apply(message)
        },
      },
    }
  }
  return { ...given, clock, world, bundle, as }
}

it(
  'every function has the rights that its workflows need, from the push of a workspace to its removal',
  long,
  async () => {
    const { as, clock, queued, world, bundle, warnings } = open()
    const invoke = <Value>(name: FunctionName, work: (deps: Deps) => Promise<Value>): Promise<Value> =>
      withinDeadline({ of: 'this invocation', ms: 100_000 }, as(name), work)
    const check = async (message?: CheckMessage): Promise<readonly string[]> => {
      const kinds: string[] = []
      for (let next = message ?? queued.check.pop(); next !== undefined; next = queued.check.pop()) {
        const one = next
        kinds.push((await invoke('Check', (deps) => takeCheck(one, deps))).kind)
      }
      return kinds
    }
    await invoke('Api', (deps) => putWorkspace({ bundle, actor }, deps))
    clock.forward(3_700_000)
    await invoke('Schedule', (deps) => enqueueDue({}, deps))
    expect(await check()).toEqual(['goes_on', 'checked'])
    await invoke('Api', (deps) => requestCheck({ workspace: 'one', actor }, deps))
    world.answerMs = 0
    expect(await check()).toEqual(['checked'])
    const { items } = await invoke('Api', (deps) => listRuns(deps.store, 'one', { limit: 1 }))
    const digest = items[0]?.digests?.commands ?? ''
    for (const mode of ['check', 'execute'] as const) {
      const { id } = await invoke('Api', (deps) =>
        requestApply({ workspace: 'one', mode, digest, reason: 'test', actor }, deps),
      )
      const applied = await invoke('Apply', (deps) => runApply({ workspace: 'one', applyId: id, patient: true }, deps))
      expect(applied.status).toBe('succeeded')
    }
    // One whose message is lost, until the schedule gives it up.
    await invoke('Api', (deps) =>
      requestApply({ workspace: 'one', mode: 'check', digest, reason: 'test', actor }, deps),
    )
    let stranded = 0
    for (let tick = 0; tick < 8; tick += 1) {
      clock.forward(7_200_000)
      stranded += (await invoke('Schedule', (deps) => resendApplies(deps))).stranded.length
    }
    expect(stranded).toBe(1)
    const asked = { workspace: 'one', actor, reason: 'test' }
    const document = await invoke('Api', (deps) => exportState(deps.store, 'one'))
    await invoke('Api', (deps) => importState({ ...asked, source: { document } }, deps))
    await invoke('Api', (deps) => pauseWorkspace(asked, deps))
    await invoke('Api', (deps) => resumeWorkspace(asked, deps))
    const other = { ...bundle, files: { ...bundle.files, 'api.yaml': `${slowDocument}# other` } }
    await invoke('Api', (deps) => putWorkspace({ bundle: other, actor }, deps))
    await invoke('Api', (deps) => rollbackWorkspace({ ...asked, version: 1 }, deps))
    await invoke('Api', (deps) => workspaceHistory({ workspace: 'one', limit: 5 }, deps))
    await invoke('Api', (deps) => requestCheck({ workspace: 'one', actor, refresh: false }, deps))
    expect(await check()).toEqual(['checked'])
    await invoke('Api', (deps) => verifyLedger({ workspace: 'one' }, deps))
    await invoke('Schedule', (deps) => resendApplies(deps))
    await invoke('Schedule', (deps) => deliverLeftovers(deps))
    const findOverdue = createOverdueWatch()
    for (let call = 0; call < 2; call += 1) await invoke('Watch', (deps) => findOverdue({ marginMs: 1 }, deps))
    await invoke('Watch', (deps) => oldestWaitSeconds(deps))
    await invoke('Api', (deps) => removeWorkspace({ workspace: 'one', actor, reason: 'done' }, deps))
    expect({ denied, warnings }).toEqual({ denied: [], warnings: [] })
  },
)

it('a check has the right to update a configuration that is in a Git repository', async () => {
  await using github = await gitHost()
  const { as, secrets, queued } = open()
  secrets['env:TOKEN'] = github.token
  secrets['env:HOOK'] = 'a secret of more than a few letters'
  denied.splice(0)
  const inRepository = (name: FunctionName): Deps => ({
    ...as(name),
    config: storeSource(as(name).store),
    transport: testDeps().deps.transport,
    limits,
  })
  const limits = { concurrency: 4, leaseMs: 30_000 }
  const repository = { repository: 'acme/config', ref: 'main', apiUrl: github.url }
  const source = { github: { ...repository, token: { secret: 'env:TOKEN' }, webhookSecret: { secret: 'env:HOOK' } } }
  await setSource({ workspace: 'kept', actor, source }, inRepository('Api'))
  for (const content of ['1', '2']) {
    github.push({ 'plumbline.yaml': `workspace: kept\n# ${content}\nproviders: {}\nresources: []\n` })
    const body = JSON.stringify({ ref: 'refs/heads/main', after: content, repository: { full_name: 'acme/config' } })
    const signature = `sha256=${createHmac('sha256', secrets['env:HOOK']).update(body).digest('hex')}`
    await receiveWebhook({ workspace: 'kept', body, signature }, inRepository('Api'))
    const message = queued.check.pop()
    const taken = message && (await takeCheck(message, inRepository('Check'), pullSource))
    expect(taken).toMatchObject({ kind: 'checked', run: { status: 'in_sync' } })
  }
  await removeSource({ workspace: 'kept', actor }, inRepository('Api'))
  await removeWorkspace({ workspace: 'kept', actor, reason: 'done' }, inRepository('Api'))
  expect(denied).toEqual([])
})
