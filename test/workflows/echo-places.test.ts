import { writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { asAppError } from '../../core/errors.ts'
import { renderPlan } from '../../core/render/index.ts'
import { renderAlert } from '../../core/render/render-alert.ts'
import { renderApply } from '../../core/render/render-applies.ts'
import { renderLedger } from '../../core/render/render-ledger.ts'
import { readLedger } from '../../core/state/ledger.ts'
import { memoryStore } from '../../core/state/memory.ts'
import type { Store } from '../../core/state/store.ts'
import { checkWorkspace } from '../../core/workflows/check-workspace.ts'
import { requestApply } from '../../core/workflows/request-apply.ts'
import { runApply } from '../../core/workflows/run-apply.ts'
import { errorText, errorValue } from '../../functions/cli/error-text.ts'
import { outcomeLine } from '../../functions/cli/outcome-line.ts'
import { paint } from '../../functions/cli/paint.ts'
import { aLoopback } from '../builders/loopback.ts'
import { spellings } from '../builders/spellings.ts'
import { actor, movableClock, temporaryFolder, testDeps, yaml } from '../builders/workspace.ts'

/*
 * A server that knows our key and says it wherever an API can say anything, in whatever spelling: nothing of it may be in what
 * is stored, shown, sent as an alert or thrown.
 */

const canary = 'c4n4ry"sesame/ü +&<1>'

const document = `
provider:
  id: api
  baseUrl: "{with.baseUrl}"
  with: { baseUrl: {}, key: { secret: true } }
  auth: { bearer: { secret: "{with.key}" } }
  pagination: { style: link }
  errors: { message: "" }
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{id}" }
      create: { method: POST, path: /things, produces: { id: id }, wait: { poll: { location: true }, when: [202], state: state, ok: [OK], error: [BAD], message: message, intervalSeconds: 1, timeoutSeconds: 3 } }
      update: { method: PATCH, path: "/things/{id}" }
      delete: { method: DELETE, path: "/things/{id}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    lock: { etag: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes: { name: {}, size: { type: number }, tags: { type: map }, extra: { type: any, partial: true } }
`

type Answer = {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly trailers?: Record<string, string>
  readonly body?: unknown
}
/** What the server says instead, by what it is asked. */
interface Echo {
  readonly list?: (said: string) => Answer
  readonly read?: (said: string) => Answer
  readonly write?: (said: string) => Answer
  readonly poll?: (said: string) => Answer
  /** What stands in a file of the machine. */
  readonly file?: (said: string) => string
}

const thing = { id: 't-1', name: 'a', size: 1 }
const header = (text: string): string => encodeURIComponent(text)

const places: Readonly<Record<string, Echo>> = {
  'the text of a failure': { read: (said) => ({ status: 500, headers: { 'content-type': 'text/plain' }, body: said }) },
  'the JSON of a failure': { read: (said) => ({ status: 500, body: { error: { detail: said } } }) },
  'a page of HTML': { read: (said) => ({ headers: { 'content-type': 'text/html' }, body: `<p>${said}</p>` }) },
  'JSON that is cut off': { read: (said) => ({ headers: { 'x-raw': '1' }, body: `{"name":"${said}` }) },
  'a value': { read: (said) => ({ body: { ...thing, extra: { note: said } } }) },
  'the name of a member': { read: (said) => ({ body: { ...thing, extra: { [said]: 1 } } }) },
  'the key of a map': { read: (said) => ({ body: { ...thing, tags: { [said]: 'x' } } }) },
  'an id': { list: (said) => ({ body: [{ ...thing, id: said }] }), read: (said) => ({ body: { ...thing, id: said } }) },
  'an ETag': { read: (said) => ({ headers: { etag: `"${header(said)}"` }, body: thing }) },
  'a trailer': { read: (said) => ({ trailers: { etag: `"${header(said)}"` }, body: thing }) },
  'another header': { read: (said) => ({ status: 503, headers: { 'x-debug': header(said) }, body: {} }) },
  'the address of a next page': {
    list: (said) => ({ headers: { link: `<http://x.test/?${header(said)}>; rel="next"` }, body: [thing] }),
  },
  'the address of a next page here': {
    list: (said) => ({ headers: { link: `</nowhere?${header(said)}>; rel="next"` }, body: [thing] }),
  },
  'a redirect': { read: (said) => ({ status: 302, headers: { location: `http://127.0.0.1:9/${header(said)}` } }) },
  'a redirect here': { read: (said) => ({ status: 302, headers: { location: `/gone?k=${header(said)}` } }) },
  'the name of what nobody declared': { list: (said) => ({ body: [thing, { id: 't-2', name: said }] }) },
  'the refusal of a write': { write: (said) => ({ status: 422, body: { error: said } }) },
  'the id of what was made': { write: (said) => ({ status: 201, body: { id: said } }) },
  'the Location of what was begun': {
    write: (said) => ({ status: 202, headers: { location: `/jobs/${header(said)}` }, body: { id: 't-9' } }),
  },
  'the state of a job': {
    write: () => ({ status: 202, headers: { location: '/jobs/1' }, body: { id: 't-9' } }),
    poll: (said) => ({ body: { state: said, message: said } }),
  },
  'the content of a file': { file: (said) => `key = ${said}\n` },
  'the reason of a job': {
    write: () => ({ status: 202, headers: { location: '/jobs/1' }, body: { id: 't-9' } }),
    poll: (said) => ({ body: { state: 'BAD', message: `no: ${said}` } }),
  },
}

const listenerOf = (echo: Echo, said: string): RequestListener => {
  const made = { ...thing }
  return (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const own: Answer =
      request.method !== 'GET'
        ? (echo.write?.(said) ?? { status: 200, body: made })
        : path === '/things'
          ? (echo.list?.(said) ?? { body: echo.write === undefined ? [made] : [] })
          : path.startsWith('/jobs')
            ? (echo.poll?.(said) ?? { status: 500, body: { path: request.url } })
            : (echo.read?.(said) ?? { body: made })
    const isRaw = typeof own.body === 'string'
    const { 'x-raw': _raw, ...headers } = { 'content-type': 'application/json', ...own.headers } as Record<
      string,
      string
    >
    response.writeHead(own.status ?? 200, {
      ...headers,
      ...(own.trailers ? { trailer: Object.keys(own.trailers).join() } : {}),
    })
    response.write(isRaw ? String(own.body) : JSON.stringify(own.body ?? null))
    if (own.trailers) response.addTrailers(own.trailers)
    response.end()
  }
}

const paints = paint(false)

/** As a process tells what ended it, for people and with `--json`. */
const onTerminal = (error: Error): readonly unknown[] => {
  const own = asAppError(error)
  return [errorText(own, false), errorValue(own)]
}

const disposable = (folder: ReturnType<typeof temporaryFolder>) => ({
  path: folder.path,
  [Symbol.dispose]: () => folder.remove(),
})

const recording = (inner: Store) => {
  const stored: unknown[] = []
  const write: Store['write'] = (writes) => {
    stored.push(...writes)
    return inner.write(writes)
  }
  return { stored, store: { ...inner, write } }
}

/** One check, an apply of what it plans, and another check; all that came out of them. */
const runOver = async (echo: Echo, said: string): Promise<string> => {
  await using server = await aLoopback(listenerOf(echo, said))
  using folder = disposable(temporaryFolder())
  if (echo.file !== undefined) writeFileSync(join(folder.path, 'motd'), echo.file(said))
  const { stored, store } = recording(memoryStore(movableClock()))
  const bundle = yaml(
    JSON.stringify({
      workspace: 'things',
      unmanaged: 'report',
      providers: {
        host: { source: 'host', with: { root: folder.path } },
        api: {
          source: 'rest',
          definition: './a.provider.yaml',
          with: { baseUrl: server.url, key: { secret: 'env:KEY' } },
        },
      },
      resources: [
        { type: 'api_thing', name: 'a', spec: { name: 'a', size: 2 } },
        ...(echo.file === undefined
          ? []
          : [{ type: 'host_file', name: 'motd', spec: { path: 'motd', content: 'tea' } }]),
      ],
    }),
    { 'a.provider.yaml': document },
  )
  const given = testDeps({ bundle, store })
  Object.assign(given.secrets, { 'env:KEY': canary })
  const { deps } = given
  const out: unknown[] = []
  const check = () =>
    checkWorkspace({ workspace: 'things', trigger: 'cli', actor }, deps).catch((error: unknown) => error as Error)
  const first = await check()
  out.push(first)
  if (!(first instanceof Error) && first.plan !== undefined) {
    out.push(renderPlan(first.plan, { format: 'text' }), renderPlan(first.plan, { format: 'json' }))
    const digest = first.plan.digests.commands
    const applied = await requestApply({ workspace: 'things', mode: 'execute', digest, reason: 'r', actor }, deps)
      .then(({ id }) => runApply({ workspace: 'things', apply: id }, deps))
      .catch((error: unknown) => error as Error)
    out.push(applied, applied instanceof Error ? '' : renderApply(applied))
  }
  out.push(
    await check(),
    given.alerts,
    given.alerts.map((alert) => renderAlert(alert, { form: 'text' })),
    given.progress,
    ...out.filter((each) => each instanceof Error).flatMap(onTerminal),
    given.progress.map((event) => (event.step === 'outcome' ? outcomeLine(event, undefined, paints) : '')),
  )
  const entries = await Array.fromAsync(readLedger(deps.store, 'things'))
  out.push(entries, renderLedger(entries), stored)
  return out
    .map((each) => (typeof each === 'string' ? each : `${JSON.stringify(each)}\n${inspect(each, { depth: null })}`))
    .join('\n')
}

describe.each(Object.entries(places))('%s', (_, echo) => {
  it('says no secret, in none of the spellings', async () => {
    const leaks: string[] = []
    for (const [name, spell] of Object.entries(spellings)) {
      const said = spell(canary)
      const out = await runOver(echo, said)
      if (echo.file !== undefined) expect(out).toContain('host_file.motd')
      const forms = [canary, said, header(said), JSON.stringify(said).slice(1, -1), encodeURIComponent(canary)]
      if (forms.some((form) => out.includes(form))) leaks.push(name)
    }
    expect(leaks).toEqual([])
  }, 120_000)
})

it('a Location that looks like a mark carries nothing of another resource away', async () => {
  const urls: string[] = []
  const attack = '/jobs/{after:api_thing.a:/attributes/size}?x={after:other.one:/attributes/password}'
  await using server = await aLoopback((request, response) => {
    urls.push(`${request.method} ${request.url}`)
    const isWrite = request.method === 'POST'
    response.writeHead(isWrite ? 202 : 200, {
      'content-type': 'application/json',
      ...(isWrite ? { location: attack } : {}),
    })
    response.end(JSON.stringify(isWrite ? { id: 't-9' } : request.url?.startsWith('/jobs') ? { state: 'OK' } : []))
  })
  const bundle = yaml(
    JSON.stringify({
      workspace: 'things',
      providers: {
        api: {
          source: 'rest',
          definition: './a.provider.yaml',
          with: { baseUrl: server.url, key: { secret: 'env:KEY' } },
        },
      },
      resources: [{ type: 'api_thing', name: 'a', spec: { name: 'a', size: 2 } }],
    }),
    { 'a.provider.yaml': document },
  )
  const { deps, secrets } = testDeps({ bundle })
  Object.assign(secrets, { 'env:KEY': canary })
  const { plan } = await checkWorkspace({ workspace: 'things', trigger: 'cli', actor }, deps)
  const digest = plan?.digests.commands ?? ''
  const { id } = await requestApply({ workspace: 'things', mode: 'execute', digest, reason: 'r', actor }, deps)
  await runApply({ workspace: 'things', apply: id }, deps)
  const polled = urls.filter((url) => url.includes('/jobs'))
  expect(polled.length).toBeGreaterThan(0)
  for (const url of polled) expect(decodeURIComponent(url)).toBe(`GET ${attack}`)
})
