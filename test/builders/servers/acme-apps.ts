import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { type Heard, startServer } from './loopback.ts'

interface App {
  region: string
  size: number
  plugins: Record<string, string>
}

/** The API of examples/acme-provider: apps with a size, and plugins under paths of their own. */
export const startAcme = async (token?: string, host = '127.0.0.1') => {
  const apps = new Map<string, App>()
  const seen: Heard[] = []
  const answer = (heard: Heard): readonly [number, unknown?] => {
    if (token !== undefined && heard.headers.authorization !== `Bearer ${token}`) return [401]
    const [, , name = '', member, plugin] = heard.url.split('/').map(decodeURIComponent)
    const body = heard.body === '' ? {} : (JSON.parse(heard.body) as JsonObject & { value?: never })
    if (name === '') return [200, [...apps.keys()]]
    if (member === undefined) return onApp(apps, heard.method, name, body)
    const app = apps.get(name)
    if (app === undefined) return [404]
    if (member === 'size') app.size = body.value ?? 0
    else if (heard.method === 'PUT') app.plugins[plugin ?? ''] = body.value ?? ''
    else delete app.plugins[plugin ?? '']
    return [204]
  }
  const server = await startServer(
    (heard, response) => {
      seen.push(heard)
      const [status, body] = answer(heard)
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    },
    { port: 0, host },
  )
  return Object.assign(server, { apps, seen })
}

const onApp = (apps: Map<string, App>, method: string, name: string, body: JsonObject): readonly [number, unknown?] => {
  const found = apps.get(name)
  if (method === 'GET') return found === undefined ? [404] : [200, found]
  if (method === 'DELETE') return [apps.delete(name) ? 204 : 404]
  apps.set(name, { plugins: {}, ...(body as object) } as App)
  return [201]
}
