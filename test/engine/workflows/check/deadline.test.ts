import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { listApplies } from '../../../../core/engine/state/applies/applies.ts'
import { listRuns } from '../../../../core/engine/state/runs/runs.ts'
import type { Transport } from '../../../../core/engine/transport/transport.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import type { Deps } from '../../../../core/engine/workflows/deps.ts'
import { withinDeadline } from '../../../../core/engine/workflows/within-deadline.ts'
import { anAlert } from '../../../builders/values/records.ts'
import { anAnswer } from '../../../builders/values/transports.ts'
import { actor, movableClock, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const wholeMs = 100_000
/** A fifth of it is kept for storing. */
const workMs = 80_000

const document = (auth: string) => `
provider: { id: things, baseUrl: "http://api.test"${auth}, pagination: { style: page, param: page, pages: pages } }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: POST, path: /things }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true } } }]
  api_listed:
    operations: { list: { method: GET, path: /listed }, create: { method: POST, path: /listed }, delete: { method: DELETE, path: "/listed/{name}" } }
    identity: { keys: [name] }
    lookup: { list: { items: items }, match: [name] }
    parts: [{ name: main, read: list, attributes: { name: { required: true, immutable: true } } }]
`
const workspace = (providers: string, resource: string) =>
  `workspace: one\nproviders: { ${providers} }\nresources: [{ ${resource} }]\n`

const api = 'api: { source: rest, definition: ./api.yaml }'
const signingIn = 'api: { source: rest, definition: ./api.yaml, with: { s: { secret: "env:S" } } }'
const thing = 'type: api_thing, name: a, spec: { name: a }'
const listed = 'type: api_listed, name: a, spec: { name: a }'
const signIn =
  ', with: { s: { secret: true } }, auth: { login: { url: /login, body: { password: "{with.s}" }, token: token } }'

const never = (): Promise<never> => new Promise(() => {})
const answering: Transport['send'] = async ({ url }) => {
  const { pathname, searchParams } = new URL(url)
  if (pathname === '/listed') return anAnswer(200, { items: [{ name: `n${searchParams.get('page')}` }], pages: 3 })
  return anAnswer(200, { name: pathname.split('/').at(-1) ?? '' })
}

type Hang = (heard: () => void) => Promise<never>

/** Where a check waits on something outside, and what becomes of it when that never answers. */
const places: Readonly<
  Record<
    string,
    {
      readonly providers?: string
      readonly resource?: string
      readonly auth?: string
      readonly hang: (deps: Deps, hang: () => Promise<never>) => Partial<Deps>
      readonly ends: 'unchecked' | 'stored' | 'rejects'
    }
  >
> = {
  'a read': { hang: (_, hang) => ({ transport: () => ({ send: hang }) }), ends: 'unchecked' },
  'a read that heeds no signal, after others': {
    resource: listed,
    hang: (_, hang) => ({
      transport: () => ({
        send: (request, signal) => (request.url.includes('page=2') ? hang() : answering(request, signal)),
      }),
    }),
    ends: 'unchecked',
  },
  'a sign-in': {
    auth: signIn,
    hang: (_, hang) => ({
      secrets: { resolve: async () => 'a long secret' },
      transport: () => ({
        send: (request, signal) => (request.effect === 'signIn' ? hang() : answering(request, signal)),
      }),
    }),
    ends: 'unchecked',
  },
  'a secret': { auth: signIn, hang: (_, hang) => ({ secrets: { resolve: hang } }), ends: 'unchecked' },
  'a file': {
    providers: 'files: { source: host, with: { root: /srv } }',
    resource: 'type: host_file, name: a, spec: { path: a, content: x }',
    hang: (_, hang) => ({ transport: () => ({ send: hang }) }),
    ends: 'unchecked',
  },
  'its configuration': { hang: (_, hang) => ({ config: { load: hang } }), ends: 'rejects' },
  'reading the store': { hang: ({ store }, hang) => ({ store: { ...store, get: hang } }), ends: 'rejects' },
  'a query of the store': { hang: ({ store }, hang) => ({ store: { ...store, query: hang } }), ends: 'rejects' },
  'writing to the store': { hang: ({ store }, hang) => ({ store: { ...store, write: hang } }), ends: 'rejects' },
  'sending the alert': { hang: (_, hang) => ({ alerts: { publish: hang } }), ends: 'stored' },
}

const open = (place: (typeof places)[string], onHang: (clock: ReturnType<typeof movableClock>) => void) => {
  const { auth = '', providers = auth === '' ? api : signingIn, resource = thing, hang } = place
  const clock = movableClock()
  const given = testDeps({
    clock,
    bundle: yaml(workspace(providers, resource), { 'api.yaml': document(auth) }),
    transport: () => ({ send: async () => anAnswer(404, { detail: 'not there' }) }),
  })
  const hanging: Hang = (heard) => {
    // Whoever waits is waiting by then.
    void turn().then(heard)
    return never()
  }
  const deps = { ...given.deps, ...hang(given.deps, () => hanging(() => onHang(clock))) }
  return { ...given, clock, deps }
}

describe('a check that waits for something that never answers', () => {
  it.each(Object.entries(places))('ends in time: %s', async (_, place) => {
    const { deps, clock } = open(place, (each) => each.forward(place.ends === 'unchecked' ? workMs : wholeMs))
    const begun = clock.monotonic()
    const checking = withinDeadline({ of: 'this invocation', ms: wholeMs }, deps, (own) =>
      checkWorkspace({ workspace: 'one', trigger: 'cli', actor }, own),
    )
    if (place.ends === 'rejects') await expect(checking).rejects.toMatchObject({ code: 'DEADLINE_REACHED' })
    else {
      const { run, plan } = await checking.catch((error: unknown) => {
        if (place.ends === 'unchecked') throw error
        return { run: undefined, plan: undefined }
      })
      if (place.ends === 'unchecked') {
        expect(run?.status).toBe('incomplete')
        expect(plan?.unchecked.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^(deadline|secret)$/)])
      }
      expect((await listRuns(deps.store, 'one', { limit: 5 })).items).toHaveLength(1)
    }
    expect(clock.monotonic() - begun).toBeLessThanOrEqual(wholeMs)
  })
})

type Called = (deps: Deps) => Promise<unknown>

/** Every way in which work reaches something outside: how it is called, and what stands there instead. */
const ports: Readonly<Record<string, readonly [Called, (reached: Reached) => Partial<Deps>]>> = {
  'the store, one item': [({ store }) => store.get(key), (reached) => storing({ get: (_, signal) => reached(signal) })],
  'the store, a query': [
    ({ store }) => store.query({ pk: 'a' }),
    (reached) => storing({ query: (_, signal) => reached(signal) }),
  ],
  'the store, a write': [
    ({ store }) => store.write([{ kind: 'delete', key }]),
    (reached) => storing({ write: (_, signal) => reached(signal) }),
  ],
  'the configuration': [
    ({ config }) => config.load('one'),
    (reached) => ({ config: { load: (_, signal) => reached(signal) } }),
  ],
  'a secret': [
    ({ secrets }) => secrets.resolve('env:S'),
    (reached) => ({ secrets: { resolve: (_, signal) => reached(signal) } }),
  ],
  'an alert': [
    ({ alerts }) => alerts.publish(anAlert(1)),
    (reached) => ({ alerts: { publish: (_, signal) => reached(signal) } }),
  ],
  'a message of a check': [
    ({ queue }) => queue.checks([]),
    (reached) => ({ queue: { checks: (_, signal) => reached(signal), apply: never } }),
  ],
  'a message of an apply': [
    ({ queue }) => queue.apply({ workspace: 'one', applyId: 'a' }),
    (reached) => ({ queue: { apply: (_, signal) => reached(signal), checks: never } }),
  ],
  'a target': [
    ({ transport }) => transport({ fileRoots: [] }).send({ effect: 'read', method: 'GET', url: 'http://api.test/' }),
    (reached) => ({ transport: () => ({ send: (_, signal) => reached(signal) }) }),
  ],
}

type Reached = (signal: AbortSignal | undefined) => Promise<never>
const key = { pk: 'a', sk: 'b' }
const storing = (store: Partial<Deps['store']>): Partial<Deps> => ({
  store: { get: never, query: never, write: never, ...store },
})

describe('work that has ended while something of it still waits', () => {
  it.each(Object.entries(ports))('is cut off, and begins nothing more: %s', async (_, [call, standIn]) => {
    const signals: (AbortSignal | undefined)[] = []
    const { deps } = testDeps(
      standIn((signal) => {
        signals.push(signal)
        return never()
      }),
    )
    const left = await withinDeadline({ of: 'the work' }, deps, async (own) => {
      const waits = call(own)
      waits.catch(() => {})
      await turn()
      return { again: () => call(own), waits }
    })
    expect(signals.map((signal) => signal?.aborted)).toEqual([true])
    await expect(left.waits).rejects.toMatchObject({ code: 'INTERRUPTED' })
    await expect(left.again()).rejects.toMatchObject({ code: 'INTERRUPTED' })
    expect(signals).toHaveLength(1)
  })
})

describe('an apply', () => {
  const approved = async (document_ = document('')) => {
    const clock = movableClock()
    const writes: string[] = []
    const there = new Set<string>()
    const onRequest: { call?: (method: string) => Promise<never> | undefined } = {}
    const send: Transport['send'] = async (request) => {
      await onRequest.call?.(request.method)
      const name = new URL(request.url).pathname.split('/').at(-1) ?? ''
      if (request.method === 'GET')
        return there.has(name) ? anAnswer(200, { name }) : anAnswer(404, {}, { 'content-type': 'application/json' })
      const body = request.body as { name: string }
      writes.push(body.name)
      there.add(body.name)
      return anAnswer(201, body)
    }
    const resources = ['a', 'b', 'c'].map((name) => `{ type: api_thing, name: ${name}, spec: { name: ${name} } }`)
    const bundle = yaml(`workspace: one\nproviders: { ${api} }\nresources: [${resources.join(', ')}]\n`, {
      'api.yaml': document_,
    })
    const given = testDeps({ clock, bundle, transport: () => ({ send }) })
    const { run } = await checkWorkspace({ workspace: 'one', trigger: 'cli', actor }, given.deps)
    const digest = run.digests?.commands ?? ''
    const { id } = await requestApply({ workspace: 'one', mode: 'execute', digest, reason: 'test', actor }, given.deps)
    const work = (ms: number) =>
      withinDeadline({ of: 'this invocation', ms }, given.deps, (own) =>
        runApply({ workspace: 'one', applyId: id }, own),
      )
    return { ...given, clock, writes, work, onRequest }
  }

  it('begins no write whose time limit is longer than the time that is left, and hands over', async () => {
    const { work, writes, onRequest, clock, queued } = await approved()
    let reads = 0
    // The read right before the second command takes all but 25 s: a write may take 30.
    onRequest.call = (method) => {
      if (method === 'GET' && writes.length === 1 && ++reads === 2) clock.forward(880_000 - 25_000)
      return undefined
    }
    expect(await work(900_000)).toMatchObject({ status: 'queued' })
    expect(writes).toEqual(['a'])
    expect(queued.apply).toHaveLength(2)
    delete onRequest.call
    expect(await work(900_000)).toMatchObject({ status: 'succeeded' })
    expect(writes).toEqual(['a', 'b', 'c'])
  })

  it.each([
    ['the poll of a wait', ', wait: { poll: retrieve, state: name, ok: [a, b, c], intervalSeconds: 1 }'],
    ['the read after the last write', ''],
  ])('hands over in time where %s never answers, and nothing is sent twice', async (_, wait) => {
    const waited = document('').replace('path: /things }', `path: /things${wait} }`)
    expect(waited.includes('wait:')).toBe(wait !== '')
    const { work, writes, onRequest, clock, queued, deps } = await approved(waited)
    const begun = clock.monotonic()
    const hangsAfter = wait === '' ? 3 : 1
    onRequest.call = (method) => {
      if (method !== 'GET' || writes.length < hangsAfter) return undefined
      void turn().then(() => clock.forward(880_000))
      return never()
    }
    expect(await work(900_000)).toMatchObject({ status: 'queued' })
    expect(clock.monotonic() - begun).toBeLessThanOrEqual(900_000)
    expect((await listApplies(deps.store, 'one', { limit: 5 })).items).toMatchObject([{ status: 'queued' }])
    expect(queued.apply).toHaveLength(2)
    expect(writes).toHaveLength(hangsAfter)
    delete onRequest.call
    expect(await work(900_000)).toMatchObject({ status: 'succeeded' })
    expect(writes).toEqual(['a', 'b', 'c'])
  })

  it('ends with a reason where a write does not fit in all the time that there is', async () => {
    const { work, writes } = await approved()
    const ended = await work(30_000)
    expect(ended).toMatchObject({ status: 'failed', finishedAt: expect.any(String) })
    expect(ended.error?.message).toContain('lower `timeoutMs` of the provider')
    expect(writes).toEqual([])
  })

  it('ends where reading leaves no time, however often it is tried', async () => {
    const { work, writes, onRequest, clock } = await approved()
    onRequest.call = () => {
      clock.forward(200_000)
      return undefined
    }
    const ended = await work(900_000)
    expect(ended).toMatchObject({ status: 'refused', error: { code: 'TARGET_UNREAD' } })
    expect(ended.outcomes.every(({ status }) => status !== 'unknown')).toBe(true)
    expect(writes).toEqual([])
  })
})
