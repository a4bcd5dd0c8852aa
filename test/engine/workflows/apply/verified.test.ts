import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { renderApply } from '../../../../core/pages/render/plain/render-applies.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* What an apply says of its result is what a read after it has shown. */

const resource = `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  tags: { method: GET, path: "/things/{name}/tags" }
  create: { method: PUT, path: "/things/{name}" }
  update: { method: PUT, path: "/things/{name}" }
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - name: main
    read: retrieve
    write: { op: update, send: full }
    attributes:
      name: { required: true, immutable: true }
      size: { type: number }
      color: {}
      password: { writeOnly: true, sensitive: true, leftOut: true }
  - { name: tags, read: tags, attributes: { tag: { computed: true } } }
`

type Read = (object: Record<string, Json>) => { readonly status: number; readonly body?: string }

/** Applies a change of the size, and reads as the server answers after the write. */
const applied = async (after: Read, more: Record<string, Json> = {}) => {
  let isWritten = false
  await using server = await startThings({
    before: ({ method }) => {
      isWritten ||= method === 'PUT'
    },
    route: ({ method, url }, state) => {
      if (method !== 'GET') return undefined
      if (url.endsWith('/tags')) return { status: 200, body: '{"tag":"x"}' }
      const { password: _, ...object } = JSON.parse(state.get(url) ?? '{}') as Record<string, Json>
      return isWritten ? after(object) : { status: 200, body: JSON.stringify(object) }
    },
  })
  server.state.set('/things/one', '{"name":"one","size":1}')
  const drive = driveThings(server, resource, { one: { name: 'one', size: 2, ...more } })
  drive.secrets['env:PASSWORD'] = 'hunter2hunter2'
  const apply = await drive.apply((await drive.check()).digest)
  return { apply, page: renderApply(apply) }
}

const whole: Read = (object) => ({ status: 200, body: JSON.stringify(object) })

describe('an apply', () => {
  it('is verified if a read shows all that was sent', async () => {
    const { apply, page } = await applied(whole)
    expect(apply.status).toBe('succeeded')
    expect(page).toContain('verified: 1 command done, and the result matches the configuration\n')
  })

  it('of no command says that there was nothing to send, and not that it is verified', async () => {
    await using server = await startThings()
    server.state.set('/things/one', '{"name":"one","size":1}')
    server.state.set('/things/one/tags', '{"tag":"x"}')
    const drive = driveThings(server, resource, { one: { name: 'one', size: 1 } })
    const apply = await drive.apply((await drive.check()).digest)
    expect(apply).toMatchObject({ status: 'succeeded', outcomes: [] })
    expect(renderApply(apply)).toContain('there was nothing to send')
    expect(renderApply(apply)).not.toContain('verified')
  })

  it('names what no read shows', async () => {
    const { apply, page } = await applied(whole, { password: { secret: 'env:PASSWORD' } })
    expect(apply).toMatchObject({ status: 'succeeded', resources: [{ verdict: 'in_sync', unobserved: ['password'] }] })
    expect(page).toContain(
      'verified: 1 command done, and all of the result that can be read matches the configuration\n',
    )
    expect(page).toMatch(/api_thing\.one +applied +in sync +password cannot be read back/)
  })

  it('is not verified if the read lacks an attribute, and says which', async () => {
    const { apply, page } = await applied(({ name }) => ({ status: 200, body: JSON.stringify({ name }) }))
    expect(apply.status).toBe('not_converged')
    expect(page).toContain('but a new read could not verify everything')
    expect(page).toMatch(/api_thing\.one +applied +read again in part +size could not be read: /)
  })

  it('is not verified if the read could not be made', async () => {
    const { apply, page } = await applied(() => ({ status: 500, body: '{}' }))
    expect(apply.status).toBe('not_converged')
    expect(page).toMatch(/api_thing\.one +applied +could not be read again/)
    expect(page).not.toContain('verified')
  })

  it('says both where one attribute differs and another one could not be read', async () => {
    const lacking: Read = ({ name }) => ({ status: 200, body: JSON.stringify({ name, size: 3 }) })
    const { page } = await applied(lacking, { color: 'red' })
    expect(page).toContain('but a new read still finds a difference and could not verify everything\n')
    expect(page).toMatch(/api_thing\.one +applied +could not be|api_thing\.one +applied +read again in part/)
  })
})
