// A provider for the apps of Acme: an app has a region, a size, and plugins that are installed one by one.
const reasons = { 401: 'unauthorised', 403: 'forbidden', 429: 'rate_limited' }
const unknown = (reason, detail) => ({ kind: 'unknown', reason, detail })

/** What an answer proves: an object, that there is none, or nothing. */
const judge = ({ status, body }) => {
  if (status === 404) return { kind: 'absent' }
  const reason = reasons[status] ?? (status >= 500 ? 'server_error' : 'unexpected_status')
  if (status !== 200) return unknown(reason, `the API answered ${status}`)
  return typeof body === 'object' && body ? { kind: 'present', body } : unknown('bad_body', 'the body is no object')
}

const attributes = {
  name: { type: 'string', identity: true, required: true, immutable: true },
  region: { type: 'string', required: true, immutable: true }, // a change re-creates the app
  size: { type: 'number', required: true }, // a change modifies it
  plugins: { type: 'map', element: { type: 'string' } }, // versions by name, each with a life of its own
}

const appType = (baseUrl, auth) => {
  const request = (method, { name }, path = [], body = undefined) => {
    const url = [`${baseUrl}/apps`, ...[name, ...path].map(encodeURIComponent)].join('/')
    return { method, url, effect: method === 'GET' ? 'read' : 'write', ...(body && { body }), ...auth }
  }
  const set = (app, path, value) =>
    value === undefined ? request('DELETE', app, path) : request('PUT', app, path, { value })
  const change = (app, footprint, path, was, is) => {
    const draft = { action: 'update', description: `set ${path.join(' ')}`, footprint, grade: 'reversible' }
    return was === is ? [] : [{ ...draft, request: set(app, path, is), inverse: set(app, path, was) }]
  }
  const modify = (app, was, is) => [
    ...change(app, { sets: ['size'] }, ['size'], was.size, is.size),
    ...Object.keys({ ...was.plugins, ...is.plugins }).flatMap((name) =>
      change(app, { affects: ['plugins'] }, ['plugins', name], was.plugins?.[name], is.plugins?.[name]),
    ),
  ]
  const create = (app) => {
    const draft = { action: 'create', description: 'create the app', grade: 'reversible' }
    const put = request('PUT', app, [], { region: app.region, size: app.size })
    const first = { ...draft, footprint: { sets: ['region', 'size'] }, request: put, inverse: request('DELETE', app) }
    return [first, ...modify(app, { size: app.size }, app)]
  }
  const removal = { action: 'delete', description: 'delete the app', grade: 'irreversible' }
  const remove = (app) => ({ ...removal, request: request('DELETE', app) })
  const read = async ({ attributes: app }, { transport, signal }) => {
    const found = judge(await transport.send(request('GET', app), signal))
    return found.kind === 'present' ? { kind: 'present', attributes: { ...found.body, name: app.name } } : found
  }
  const commands = ({ action, before, after }) => {
    if (action === 'create') return create(after)
    if (action === 'delete') return [remove(before)]
    return action === 'replace' ? [remove(before), ...create(after)] : modify(after, before, after)
  }
  return { name: 'acme_app', schema: { attributes }, lifecycle: { onImmutable: 'replace' }, read, commands }
}

export const provider = {
  configure: ({ with: { baseUrl, token } }) => {
    const auth = { kind: 'header', name: 'Authorization', template: 'Bearer {secret}', secret: token }
    return { ok: true, provider: { types: { acme_app: appType(baseUrl, token && { auth }) } } }
  },
}
