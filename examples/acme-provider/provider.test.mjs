import { describe, it } from 'node:test'
import { describeProvider } from '@plumbline/cli/testing'
import { provider } from './provider.mjs'

/** The API of Acme, as far as the provider uses it. With a real server, use one that a test may change. */
const acme = () => {
  const apps = new Map()
  const answer = (status, body = null) => ({ status, headers: { 'content-type': 'application/json' }, body })
  const send = async ({ method, url, body }) => {
    const [, , name, member, plugin] = new URL(url).pathname.split('/').map(decodeURIComponent)
    const app = apps.get(name)
    if (app === undefined && (member !== undefined || method !== 'PUT')) return answer(404)
    if (method === 'GET') return answer(200, structuredClone(app))
    if (member === 'size') app.size = body.value
    else if (member === 'plugins' && method === 'PUT') app.plugins[plugin] = body.value
    else if (member === 'plugins') delete app.plugins[plugin]
    else if (method === 'DELETE') apps.delete(name)
    else apps.set(name, { plugins: {}, ...body })
    return answer(204)
  }
  return { send }
}

const shop = { name: 'shop', region: 'eu', size: 1, plugins: { search: '1.0.0' } }

const setup = async () => {
  const configured = provider.configure({ with: { baseUrl: 'https://api.acme.example' } })
  return {
    type: configured.provider.types.acme_app,
    transport: acme(),
    declared: [shop, { ...shop, size: 2 }, { ...shop, plugins: { cache: '2.0.0' } }, { ...shop, region: 'us' }],
    other: { ...shop, name: 'another' },
  }
}

describeProvider('acme_app', setup, { describe, it })
