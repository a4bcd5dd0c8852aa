import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { asAppError } from '../../../../core/engine/errors/errors.ts'
import { readLedger } from '../../../../core/engine/state/ledger.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import type { Store } from '../../../../core/engine/state/store/store.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { palette } from '../../../../core/pages/render/characters/palette.ts'
import { renderAlert } from '../../../../core/pages/render/plain/render-alert.ts'
import { renderApply } from '../../../../core/pages/render/plain/render-applies.ts'
import { renderLedger } from '../../../../core/pages/render/plain/render-ledger.ts'
import { errorText, errorValue } from '../../../../functions/cli/terminal/error-text.ts'
import { outcomeLine } from '../../../../functions/cli/terminal/progress.ts'
import { spellings } from '../../../builders/generators/spellings.ts'
import { lawCases } from '../../../builders/laws.ts'
import { canary, document, type Echo, header, listenerOf, places } from '../../../builders/servers/echo-places.ts'
import { aLoopback } from '../../../builders/servers/loopback.ts'
import { readable } from '../../../builders/values/readable-writes.ts'
import { renderPlan } from '../../../builders/values/rendered.ts'
import { actor, movableClock, temporaryFolder, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/*
 * A server that knows our key and says it wherever an API can say anything, in whatever spelling: nothing of it may be in what
 * is stored, shown, sent as an alert or thrown.
 */

const paints = palette(false)

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
    stored.push(...writes.map(readable))
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
      .then(({ id }) => runApply({ workspace: 'things', applyId: id }, deps))
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

describe.each(Object.entries(places))('a secret that a server repeats in this place (%s)', (_, echo) => {
  it('appears nowhere, in none of its spellings', async () => {
    const leaks: string[] = []
    for (const [name, spell] of lawCases(Object.entries(spellings), 4)) {
      const said = spell(canary)
      const out = await runOver(echo, said)
      if (echo.file !== undefined) expect(out).toContain('host_file.motd')
      const forms = [canary, said, header(said), JSON.stringify(said).slice(1, -1), encodeURIComponent(canary)]
      if (forms.some((form) => out.includes(form))) leaks.push(name)
    }
    expect(leaks).toEqual([])
  })
})

it('a Location that looks like a mark reveals nothing of another resource', async () => {
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
  await runApply({ workspace: 'things', applyId: id }, deps)
  const polled = urls.filter((url) => url.includes('/jobs'))
  expect(polled.length).toBeGreaterThan(0)
  for (const url of polled) expect(decodeURIComponent(url)).toBe(`GET ${attack}`)
})

it('the rest of a secret that a Location holds is no id', async () => {
  const secret = 'Zq9abc/Kx7Wv8-long-Secret'
  await using server = await aLoopback((request, response) => {
    response.writeHead(request.method === 'POST' ? 201 : 200, {
      'content-type': 'application/json',
      ...(request.method === 'POST' ? { location: `/things/${secret}` } : {}),
    })
    response.end(request.method === 'POST' ? '{}' : '[]')
  })
  const definition = document.replace(
    /produces: \{ id: id \}, wait: \{.*\} \}/,
    'produces: { id: { header: Location } } }',
  )
  const { stored, store } = recording(memoryStore(movableClock()))
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
    { 'a.provider.yaml': definition },
  )
  const { deps, secrets } = testDeps({ bundle, store })
  Object.assign(secrets, { 'env:KEY': secret })
  const { plan } = await checkWorkspace({ workspace: 'things', trigger: 'cli', actor }, deps)
  const digest = plan?.digests.commands ?? ''
  const { id } = await requestApply({ workspace: 'things', mode: 'execute', digest, reason: 'r', actor }, deps)
  const applied = await runApply({ workspace: 'things', applyId: id }, deps)
  expect(JSON.stringify(applied)).toContain('succeeded')
  expect(inspect([applied, stored], { depth: null })).not.toContain('Kx7Wv8')
})
