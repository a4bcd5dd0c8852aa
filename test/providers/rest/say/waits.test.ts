import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* What a document says of operations that are objects of their own: jobs, tasks, orders. */

interface Job {
  left: number
  readonly act: () => void
}

interface JobsOptions {
  /** A job that is over is not there any more. */
  readonly forgets?: boolean
  /** Where a write tells its job. */
  readonly tells?: 'body' | 'location'
  readonly ends?: 'DONE' | 'FAILED'
}

/** Each write only begins a job, which does what was asked for when it was looked at twice. */
const aServer = async ({ forgets = false, tells = 'body', ends = 'DONE' }: JobsOptions = {}) => {
  const jobs = new Map<string, Job>()
  const polls: string[] = []
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      const [, kind, id = ''] = url.split('/')
      if (kind === 'jobs') {
        polls.push(url)
        const job = jobs.get(id)
        if (job === undefined) return { status: 404, body: '{"error":"no such job"}' }
        job.left -= 1
        if (job.left > 0) return { status: tells === 'location' ? 202 : 200, body: '{"state":"RUNNING"}' }
        if (job.left === 0 && ends === 'DONE') job.act()
        if (forgets) jobs.delete(id)
        return forgets ? { status: 404, body: '{"error":"no such job"}' } : { status: 200, body: `{"state":"${ends}"}` }
      }
      if (method === 'GET') {
        if (url !== '/things') return undefined
        return { status: 200, body: `[${[...state.values()].join(',')}]` }
      }
      const job = `j${jobs.size + polls.length + 1}`
      const path = method === 'POST' ? `/things/${(JSON.parse(body) as { name: string }).name}` : url
      const made = (): string => {
        const before = JSON.parse(state.get(path) ?? '{}') as JsonObject
        return JSON.stringify({ ...before, id: path.split('/').at(-1), ...(JSON.parse(body) as JsonObject) })
      }
      const act = method === 'DELETE' ? () => void state.delete(path) : () => void state.set(path, made())
      jobs.set(job, { left: 3, act })
      return { status: 202, body: JSON.stringify({ job }), headers: { location: `/jobs/${job}` } }
    },
  })
  return Object.assign(server, { jobs, polls })
}

const resource = (wait: string) => (wait.includes('op: job') ? whole(wait) : withoutJob(whole(wait)))
const whole = (wait: string) => `
operations:
  list: { method: GET, path: /things }
  retrieve: { method: GET, path: "/things/{id}" }
  job: { method: GET, path: "/jobs/{job}" }
  create: { method: POST, path: /things }
  update: { method: PATCH, path: "/things/{id}" }
  delete: { method: DELETE, path: "/things/{id}" }
identity: { keys: [name] }
lookup: { list: {}, match: [name] }
serverId: { id: id }
wait: ${wait}
parts:
  - { name: main, read: retrieve, write: { op: update }, attributes: { name: { immutable: true }, size: { type: number } } }
`
/** Nothing gives `{job}` a value where nobody polls it. */
const withoutJob = (text: string): string => text.replace(/\n {2}job: .*/, '')
const job = 'poll: { op: job, from: { job: job } }, intervalSeconds: 1, timeoutSeconds: 20'
const states = 'state: state, ok: [DONE], error: [FAILED]'

describe('a write whose end is shown by an operation', () => {
  eachOf(
    it,
    2,
  )<[string, string, JobsOptions]>([
    ['by its state', `{ ${job}, ${states} }`, {}],
    ['by its state, then by the object', `[{ ${job}, ${states} }, { poll: retrieve }]`, {}],
    [
      'by a status at its Location',
      '{ poll: { location: true }, intervalSeconds: 1, timeoutSeconds: 20 }',
      {
        tells: 'location',
      },
    ],
    ['by being forgotten', `{ ${job}, ${states}, forgotten: done }`, { forgets: true }],
    [
      'by being forgotten at its Location',
      '{ poll: { location: true }, forgotten: done, intervalSeconds: 1, timeoutSeconds: 20 }',
      { tells: 'location', forgets: true },
    ],
  ])('is waited for: %s', async (_, wait, options) => {
    await using server = await aServer(options)
    const it = driveThings(server, resource(wait), { a: { name: 'a', size: 1 } })
    expect(await it.apply((await it.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(server.polls).toHaveLength(3)
    it.want({ a: { name: 'a', size: 2 } })
    expect(await it.apply((await it.check()).digest)).toMatchObject({ status: 'succeeded' })
    it.want({})
    expect(await it.apply((await it.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(server.polls).toHaveLength(9)
    expect(server.state.size).toBe(0)
    expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
  })

  it('fails as the operation says, a delete too', async () => {
    await using server = await aServer({ ends: 'FAILED' })
    server.state.set('/things/a', '{"id":"a","name":"a","size":1}')
    const it = driveThings(server, resource(`{ ${job}, ${states} }`), { a: { name: 'a', size: 1 } })
    await it.check()
    it.want({})
    const { outcomes } = await it.apply((await it.check()).digest)
    expect(outcomes).toMatchObject([{ status: 'failed', detail: expect.stringContaining('it is FAILED') }])
    expect(server.state.size).toBe(1)
  })

  it('is done as a delete where its Location is gone with the object', async () => {
    await using server = await aServer({ tells: 'location', forgets: true })
    server.state.set('/things/a', '{"id":"a","name":"a","size":1}')
    const wait = '{ poll: { location: true }, intervalSeconds: 1, timeoutSeconds: 20 }'
    const it = driveThings(server, resource(wait), { a: { name: 'a', size: 1 } })
    await it.check()
    it.want({})
    expect(await it.apply((await it.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(server.state.size).toBe(0)
  })

  it('is unknown where the operation is forgotten and shows nothing', async () => {
    await using server = await aServer({ forgets: true })
    const wait = `{ ${job}, ${states}, forgotten: unknown }`
    const it = driveThings(server, resource(wait), { a: { name: 'a', size: 1 } })
    const { outcomes } = await it.apply((await it.check()).digest)
    const detail = expect.stringContaining('its result is unknown')
    expect(outcomes).toMatchObject([{ status: 'unknown', detail }])
    expect(server.polls).toHaveLength(3)
  })

  it('is polled until its time is over where the document does not say what a missing operation means', async () => {
    await using server = await aServer({ forgets: true })
    const it = driveThings(server, resource(`{ ${job}, ${states} }`), { a: { name: 'a', size: 1 } })
    const { outcomes } = await it.apply((await it.check()).digest)
    expect(outcomes).toMatchObject([{ status: 'unknown', detail: expect.stringContaining('not done after 20 s') }])
  })

  it.each([
    ['forgotten is of a poll of the object', '{ poll: retrieve, forgotten: done }', /use .*gone.* for its absence/],
    ['both', `{ ${job}, ${states}, gone: success, forgotten: done }`, /both gone and forgotten/],
  ])('is refused as a definition: %s', async (_, wait, message) => {
    await using server = await aServer()
    const it = driveThings(server, resource(wait), { a: { name: 'a' } })
    await expect(it.check()).rejects.toThrow(message)
  })
})
