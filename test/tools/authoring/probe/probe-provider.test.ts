import { describe, expect, it } from 'vitest'
import type { Request, Response } from '../../../../core/engine/schema/command.ts'
import { isObject, type JsonObject } from '../../../../core/engine/schema/json.ts'
import { renderProbe } from '../../../../core/pages/render/plain/authoring/render-probe.ts'
import { long } from '../../../builders/long.ts'
import { probing, tryProbing } from '../../../builders/workspaces/probing.ts'

const text = `provider: { id: api, baseUrl: "http://api.test", reads: { absent: [404] } }
resources:
  api_box:
    operations:
      list: { method: GET, path: /boxes }
      retrieve: { method: GET, path: "/boxes/{name}" }
      create: { method: PUT, path: "/boxes/{name}" }
      update: { method: PATCH, path: "/boxes/{name}" }
      delete: { method: DELETE, path: "/boxes/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    discover: { op: list }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes:
          name: { required: true, in: path }
          kind: {}
          colour: { required: true }
          size: { type: number }
          made: {}
          hits: { type: number }
          word: { sensitive: true }
          tags: { type: list, element: {} }
          plain: { default: "" }
          settled: { default: "x" }
          home: {}
  api_item:
    operations:
      retrieve: { method: GET, path: "/boxes/{box}/items/{name}" }
      create: { method: PUT, path: "/boxes/{box}/items/{name}" }
      delete: { method: DELETE, path: "/boxes/{box}/items/{name}" }
    identity: { keys: [box, name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        attributes: { box: { required: true, in: path, refersTo: { type: api_box } }, name: { required: true, in: path } }
  api_fixed:
    operations: { retrieve: { method: GET, path: "/fixed/{name}" }, create: { method: PUT, path: "/fixed/{name}" } }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { preventDelete: true }
    parts: [{ name: main, read: retrieve, attributes: { name: { required: true, in: path } } }]
`

/** A server with habits. */
const server = (
  habits: {
    readonly stays?: boolean
    readonly lowers?: boolean
    readonly full?: boolean
    readonly pages?: boolean
  } = {},
) => {
  const objects = new Map<string, JsonObject>()
  objects.set('/boxes/theirs', { name: 'theirs', colour: 'red' })
  const sent: Request[] = []
  let hits = 0
  const answer = (status: number, body: JsonObject | null = null): Response => ({ status, headers: {}, body })
  const store = (path: string, body: JsonObject): void => {
    const tags = Array.isArray(body['tags']) ? { tags: (body['tags'] as string[]).toSorted() } : {}
    const { word: _, settled: __, home: ___, ...own } = body
    objects.set(path, { ...own, ...tags, settled: 'x', home: 'eu', colour: String(body['colour']).toLowerCase() })
  }
  const read = (path: string): Response => {
    hits += 1
    if (path === '/boxes') {
      const items = [...objects].flatMap(([key, value]) => (/^\/boxes\/[^/]+$/.test(key) ? [value] : []))
      const more = habits.pages ? { link: '</boxes?page=2>; rel="next"' } : {}
      return { status: 200, headers: more, body: items }
    }
    const found = objects.get(path)
    return found === undefined ? answer(404, {}) : answer(200, { ...found, hits, extra: 1 })
  }
  const send = async (request: Request): Promise<Response> => {
    sent.push(request)
    const asked = new URL(request.url).pathname
    const path = habits.lowers && request.method === 'PUT' ? asked.toLowerCase() : asked
    const body = isObject(request.body) ? request.body : {}
    if (request.method === 'GET') return read(path)
    if (request.method === 'DELETE') {
      if (habits.stays) return answer(500)
      return answer(objects.delete(path) ? 204 : 404)
    }
    if (request.method === 'PUT') {
      if (habits.full) return answer(422, { message: 'there is no room' })
      if (path.startsWith('/boxes/') && !path.includes('/items/') && body['kind'] === undefined)
        return answer(422, { message: 'kind is missing' })
      const name = path.split('/').at(-1) ?? ''
      store(path, { size: 7, made: `at ${sent.length}`, plain: '', ...body, name })
      return answer(201)
    }
    const there = objects.get(path)
    store(path, { ...there, ...body, ...(there?.['made'] === undefined ? {} : { made: there['made'] }) })
    return answer(200)
  }
  return { objects, sent, send }
}

const writes = ({ sent }: ReturnType<typeof server>) => sent.filter(({ method }) => method !== 'GET')

describe('a probe', () => {
  it('finds what the document does not say, at its place, and leaves nothing behind', long, async () => {
    const api = server()
    const report = await probing(text, api.send, { given: { api_box: { colour: ['Red', 'Blue'] } } })
    const lines = text.split('\n')
    const found = report.findings.map(({ attribute, add, line }) => [
      attribute,
      add,
      attribute === undefined || (lines[line - 1] ?? '').includes(`${attribute}:`),
    ])
    expect(found).toEqual([
      [undefined, undefined, true],
      ['kind', { required: true }, true],
      ['colour', { normalise: ['lower'] }, true],
      ['size', { default: 7 }, true],
      ['made', { computed: true }, true],
      ['hits', { computed: true }, true],
      ['word', { writeOnly: true }, true],
      ['tags', { type: 'set' }, true],
      ['settled', undefined, true],
      // Always there and never taken over: the server's own, and not a default.
      ['home', { computed: true }, true],
      [undefined, undefined, true],
    ])
    expect(report).toMatchObject({ left: [], interrupted: false, skipped: [{ type: 'api_fixed' }] })
    expect([...api.objects.keys()]).toEqual(['/boxes/theirs'])
    expect(writes(api).every(({ url }) => url.includes('plumbline-probe-'))).toBe(true)
  })

  it('sends nothing but reads before somebody agrees', async () => {
    const api = server()
    const asked: unknown[] = []
    const confirm = async (objects: unknown) => {
      asked.push(objects)
      return false
    }
    expect(await tryProbing(text, api.send, { confirm })).toBeUndefined()
    expect(asked).toMatchObject([
      [{ type: 'api_box' }, { type: 'api_box' }, { type: 'api_item' }, { type: 'api_item' }],
    ])
    expect(writes(api)).toEqual([])
  })

  it('removes what it created when it is interrupted', long, async () => {
    const api = server()
    let asked = 0
    const shouldStop = () => {
      asked += 1
      return asked > 3
    }
    const report = await probing(text, api.send, { shouldStop })
    expect(report).toMatchObject({ interrupted: true, left: [] })
    expect(report.made.length).toBeGreaterThan(0)
    expect([...api.objects.keys()]).toEqual(['/boxes/theirs'])
  })

  it('names what it could not remove', long, async () => {
    const api = server({ stays: true })
    const report = await probing(text, api.send, { types: ['api_item'] })
    expect(report.left.map(({ type }) => type)).toEqual(['api_item', 'api_item', 'api_box'])
    expect(renderProbe(report)).toContain('left behind  api_item box=plumbline-probe-')
  })

  it('finds its object again under the spelling of the server', long, async () => {
    const api = server({ lowers: true })
    const given = { api_box: { name: ['Probe-{suffix}'] } }
    const report = await probing(text, api.send, { types: ['api_box'], given })
    expect(report.findings).toContainEqual(
      expect.objectContaining({ attribute: 'name', add: { normalise: ['lower'] } }),
    )
    expect(report.left).toEqual([])
    expect([...api.objects.keys()]).toEqual(['/boxes/theirs'])
  })

  it('creates nothing inside of an object that could not be created', async () => {
    const api = server({ full: true })
    const report = await probing(text, api.send)
    expect(report).toMatchObject({ made: [], left: [] })
    expect(renderProbe(report)).toContain('nothing created')
    expect(report.skipped.map(({ type }) => type)).toEqual(expect.arrayContaining(['api_box', 'api_item']))
    expect(writes(api).filter(({ url }) => url.includes('/items/'))).toEqual([])
  })

  it('proposes how to describe the pages of a list that says it goes on', long, async () => {
    const report = await probing(text, server({ pages: true }).send, { types: ['api_box'] })
    expect(report.findings).toContainEqual(
      expect.objectContaining({
        code: 'unlisted',
        message: expect.stringContaining('pagination, for example { style: link }'),
      }),
    )
    const whole = await probing(text, server().send, { types: ['api_box'] })
    expect(whole.findings.map(({ code }) => code)).not.toContain('unlisted')
  })

  it('leaves existing objects alone', async () => {
    const api = server()
    const report = await probing(text, api.send, { types: ['api_box'], given: { api_box: { name: ['theirs'] } } })
    expect(report).toMatchObject({ made: [], skipped: [{ detail: expect.stringContaining('exists already') }] })
    expect(writes(api)).toEqual([])
  })

  it.each([
    [{ types: ['api_bix'] }, 'api_box'],
    [{ given: { api_bix: {} } }, 'api_box'],
  ])('refuses %j', async (more, message) => {
    await expect(probing(text, server().send, more)).rejects.toThrow(message)
  })
})
