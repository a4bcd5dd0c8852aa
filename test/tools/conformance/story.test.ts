import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { requestApply } from '../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import { loadProviders } from '../../../core/providers/load-providers.ts'
import { startAcme } from '../../builders/servers/acme-apps.ts'
import { acme, acmeToken } from '../../builders/workspaces/acme-case.ts'
import { actor, testDeps, yaml } from '../../builders/workspaces/workspace.ts'

const root = join(import.meta.dirname, '../../..')

const opened = async (url: string, size: number, region = 'eu') => {
  const registry = { ...(await loadProviders()), acme }
  const opened = testDeps({
    providers: async () => registry,
    bundle: yaml(`workspace: shop
providers:
  acme: { source: acme, with: { baseUrl: "${url}", token: { secret: "env:ACME_TOKEN" } } }
resources:
  - type: acme_app
    name: main
    spec: { name: shop, region: ${region}, size: ${size}, plugins: { search: 1.0.0 } }
`),
  })
  opened.secrets['env:ACME_TOKEN'] = acmeToken
  return opened
}

const check = async ({ deps }: Awaited<ReturnType<typeof opened>>) => {
  const { run, plan } = await checkWorkspace({ workspace: 'shop', trigger: 'cli', actor }, deps)
  if (plan === undefined) return expect.unreachable(run.error?.message)
  return { status: run.status, actions: plan.changes.map(({ action }) => action), digest: run.digests?.commands, plan }
}

const apply = async ({ deps }: Awaited<ReturnType<typeof opened>>, digest: string | undefined) => {
  const { id: applyId } = await requestApply(
    { workspace: 'shop', mode: 'execute', digest: digest ?? '', reason: 'test', actor },
    deps,
  )
  return runApply({ workspace: 'shop', applyId, patient: true }, deps)
}

describe('the provider of the tutorial', () => {
  it('goes from a create through drift to in sync, and creates again what cannot be modified', async () => {
    await using server = await startAcme(acmeToken)
    const first = await opened(server.url, 2)
    const created = await check(first)
    expect(created).toMatchObject({ actions: ['create'] })
    expect(server.seen.every(({ method }) => method === 'GET')).toBe(true)
    await apply(first, created.digest)
    expect(server.apps.get('shop')).toEqual({ region: 'eu', size: 2, plugins: { search: '1.0.0' } })
    expect(await check(first)).toMatchObject({ status: 'in_sync', actions: [] })

    server.apps.set('shop', { region: 'eu', size: 9, plugins: { foreign: '1' } })
    const drifted = await check(first)
    expect(drifted).toMatchObject({ actions: ['update'] })
    expect(
      drifted.plan.commands.map(({ request }) => `${request.method} ${String(request.url).replace(server.url, '')}`),
    ).toEqual(['PUT /apps/shop/size', 'DELETE /apps/shop/plugins/foreign', 'PUT /apps/shop/plugins/search'])
    await apply(first, drifted.digest)
    expect(await check(first)).toMatchObject({ status: 'in_sync', actions: [] })

    first.current.bundle = (await opened(server.url, 2, 'us')).current.bundle
    const moved = await check(first)
    expect(moved).toMatchObject({ actions: ['replace'] })
    await apply(first, moved.digest)
    expect(server.apps.get('shop')).toMatchObject({ region: 'us' })
    expect(await check(first)).toMatchObject({ status: 'in_sync', actions: [] })
    expect(JSON.stringify(first.alerts)).not.toContain(acmeToken)
  })

  it('is the code of the page', () => {
    const page = readFileSync(join(root, 'docs/writing-a-provider.md'), 'utf8')
    for (const name of ['provider.mjs', 'provider.test.mjs'])
      expect(page).toContain(readFileSync(join(root, 'examples/acme-provider', name), 'utf8'))
    const code = readFileSync(join(root, 'examples/acme-provider/provider.mjs'), 'utf8').split('\n')
    expect(code.filter((line) => !/^\s*(\/\/.*|\/\*\*.*)?$/.test(line)).length).toBeLessThanOrEqual(60)
  })
})
