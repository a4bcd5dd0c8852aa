import type { ProviderFactory, ResourceType } from '../../../core/engine/provider/provider.ts'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import type { ProviderCase } from '../../../core/tools/conformance/index.ts'
import { createTransport } from '../../../functions/adapters/transport/index.ts'
import { startAcme } from '../servers/acme-apps.ts'

// @ts-expect-error: an author's file, without types
const written = (await import('../../../examples/acme-provider/provider.mjs')) as { provider: ProviderFactory }

/** The provider of the tutorial. */
export const acme = written.provider

export const acmeToken = 't0ken-of-acme'

const acmeType = (given: JsonObject): ResourceType => {
  const configured = acme.configure({
    alias: 'acme',
    with: given,
    position: { file: 'plumbline.yaml', line: 1, column: 1 },
    files: { get: () => undefined, refusal: (name) => ({ message: name, fix: '' }) },
  })
  const type = configured.ok ? configured.provider.types['acme_app'] : undefined
  if (type === undefined) throw new Error('no type')
  return type
}

const app = { name: 'a shop', region: 'eu', size: 1, plugins: { search: '1.0.0' } }

/** In front of a server of its own. `change` makes another provider of it. */
export const acmeCase = async (
  change: (type: ResourceType) => ResourceType = (type) => type,
): Promise<ProviderCase> => {
  const server = await startAcme(acmeToken)
  return {
    type: change(acmeType({ baseUrl: server.url, token: { $secret: 'env:ACME_TOKEN' } })),
    transport: createTransport({})({ fileRoots: [] }),
    declared: [
      app,
      { ...app, size: 2 },
      { ...app, size: 2, plugins: { search: '1.1.0', cache: '2.0.0' } },
      { ...app, size: 2, plugins: { cache: '2.0.0' } },
      { ...app, region: 'us' },
    ],
    other: { ...app, name: 'another' },
    secrets: { 'env:ACME_TOKEN': acmeToken },
    end: () => server[Symbol.asyncDispose](),
  }
}
