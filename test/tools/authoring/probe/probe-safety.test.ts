import { describe, expect, it } from 'vitest'
import type { Request, Response } from '../../../../core/engine/schema/command.ts'
import { isObject, type JsonObject } from '../../../../core/engine/schema/json.ts'
import { renderProbe } from '../../../../core/pages/render/plain/authoring/render-probe.ts'
import type { ProbeInput } from '../../../../core/tools/authoring/probe/probe-provider.ts'
import { lawCases } from '../../../builders/laws.ts'
import { eachOf, long } from '../../../builders/long.ts'
import { operationsAt, probing } from '../../../builders/workspaces/probing.ts'

const document = (
  attributes: string,
): string => `provider: { id: api, baseUrl: "http://api.test", reads: { absent: [404] } }
resources:
  api_org:
    operations: ${operationsAt('/orgs/{name}')}
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - { name: main, read: retrieve, write: { op: update }, attributes: { name: { required: true, in: path }, ${attributes} } }
  api_rest:
    operations: ${operationsAt('/rests/{name}')}
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - { name: main, read: retrieve, write: { op: update }, attributes: { name: { required: true, in: path }, note: {} } }
`

interface Habits {
  /** Members that a new object has. */
  readonly made?: JsonObject
  /** The status with which a PATCH of an object is refused, if it is. */
  readonly refuse?: (object: JsonObject, body: JsonObject) => number | undefined
  /** Objects that no read shows. */
  readonly hides?: (object: JsonObject) => boolean
}

const server = ({ made = {}, refuse, hides }: Habits) => {
  const objects = new Map<string, JsonObject>()
  const patches: JsonObject[] = []
  const sent: string[] = []
  const send = async ({ method, url, body: given }: Request): Promise<Response> => {
    const path = new URL(url).pathname
    const answer = (status: number, body: JsonObject | null = null): Response => ({ status, headers: {}, body })
    const object = objects.get(path)
    const body = isObject(given) ? given : {}
    if (method !== 'GET') sent.push(`${method} ${path.split('/')[1]}`)
    if (method === 'PUT') {
      objects.set(path, { name: path.split('/').at(-1) ?? '', ...made, ...body })
      return answer(201)
    }
    if (object === undefined || hides?.(object)) return answer(404, {})
    if (method === 'GET') return answer(200, object)
    const status = object['blocked'] === true ? 409 : method === 'PATCH' ? refuse?.(object, body) : undefined
    if (method === 'PATCH') patches.push(body)
    if (status !== undefined) return answer(status, { detail: 'no' })
    if (method === 'DELETE') objects.delete(path)
    else objects.set(path, { ...object, ...body })
    return answer(method === 'DELETE' ? 204 : 200)
  }
  return { objects, patches, sent, send }
}

const probe = async (attributes: string, habits: Habits, more: Partial<ProbeInput> = {}) => {
  const api = server(habits)
  const report = await probing(document(attributes), api.send, more)
  const skipped = report.skipped.map(({ type, attribute, detail }) => `${type}.${attribute ?? ''}: ${detail}`)
  return { ...api, report, skipped }
}

describe('a probe that changes objects', () => {
  it('restores each trial before the next one', long, async () => {
    const { patches, report, objects } = await probe(
      'size: { type: number, default: 7 }, note: {}, colour: { values: [red, green], default: red }',
      { made: { size: 7, note: 'n', colour: 'red' } },
    )
    expect(patches.slice(0, 6)).toEqual([
      { size: 2 },
      { size: 7 },
      { note: expect.stringContaining('plumbline-probe') },
      { note: 'n' },
      { colour: 'green' },
      { colour: 'red' },
    ])
    expect(report).toMatchObject({ left: [], interrupted: false })
    expect(report.stuck).toBeUndefined()
    expect([...objects]).toEqual([])
  })

  it('restores other attributes that a trial changed', long, async () => {
    const habits: Habits = { made: { size: 1, colour: 'red' } }
    const api = await probe('size: { type: number }, colour: {}', {
      ...habits,
      refuse: (object, body) => {
        if ('size' in body && body['size'] !== 1) Object.assign(object, { colour: 'black' })
        return undefined
      },
    })
    expect(api.patches[1]).toEqual({ size: 1, colour: 'red' })
    expect(api.report.findings.map(({ code }) => code)).toContain('sideEffect')
  })

  it(
    'restores an object without the members that the server sets, and proposes no default with them',
    long,
    async () => {
      const { report, patches, skipped } = await probe(
        'hook: { type: object, attributes: { url: {}, is_safe: { type: boolean, computed: true } } }',
        { made: { hook: { url: 'http://a.test', is_safe: false } } },
      )
      expect(report.stuck).toBeUndefined()
      expect(skipped).toEqual([])
      expect(patches[1]).toMatchObject({ hook: { url: 'http://a.test' } })
      expect(report.findings[0]).toMatchObject({ attribute: 'hook', add: { default: { url: 'http://a.test' } } })
    },
  )

  it('does not take an attribute that changes with each write for a result of the trial', long, async () => {
    const { report, patches } = await probe('serial: { type: number }, note: {}, colour: {}', {
      made: { serial: 1, note: 'n', colour: 'red' },
      refuse: (object, body) => {
        Reflect.deleteProperty(body, 'serial')
        Object.assign(object, { serial: Number(object['serial']) + 1 })
        return undefined
      },
    })
    expect(report.stuck).toBeUndefined()
    expect(patches.filter(({ colour }) => colour !== undefined)).toHaveLength(2)
  })

  it('tries a secret that the server made, and cannot restore what no answer shows', long, async () => {
    const { report, patches } = await probe('hash: { sensitive: true }, note: {}', {
      made: { hash: 'made-by-the-server', note: 'n' },
      refuse: (_, { hash }) => (hash === null ? 400 : undefined),
    })
    expect(report.stuck).toBeUndefined()
    expect(patches.slice(0, 3).map((body) => Object.keys(body))).toEqual([['hash'], ['note'], ['note']])
    expect(report.left).toEqual([])
  })

  it(
    'ends at once where it cannot restore an object, and names what is left changed and how to undo it',
    long,
    async () => {
      const once = new Set<string>()
      const { report, patches, sent, skipped } = await probe('mode: { values: [a, b], default: a }, note: {}', {
        made: { mode: 'a', note: 'n' },
        refuse: (_, body) => {
          if (!('mode' in body) || once.size === 0) {
            once.add('mode')
            return undefined
          }
          return 409
        },
      })
      expect(patches).toEqual([{ mode: 'b' }, { mode: 'a' }])
      expect(report.stuck).toMatchObject({
        type: 'api_org',
        attribute: 'mode',
        was: 'a',
        is: 'b',
        undo: [expect.stringMatching(/^PATCH http:\/\/api\.test\/orgs\/plumbline-probe-\w+ \{"mode":"a"\}$/)],
      })
      expect(skipped.at(-1)).toBe('api_rest.: the probe has stopped: api_org.mode could not be set back')
      expect(sent).not.toContain('PUT rests')
      const told = renderProbe(report)
      expect(told).toMatch(/left changed {2}api_org name=plumbline-probe-\w+: mode is "b" and was "a": /)
      expect(told).toMatch(/to undo: PATCH http:\/\/api\.test\/orgs\/plumbline-probe-\w+ \{"mode":"a"\}/)
    },
  )

  it(
    'sends the undo to an object that nobody can see any more, and reports where that does not help',
    long,
    async () => {
      const attributes = 'mode: { values: [a, b], default: a }'
      const habits = { made: { mode: 'a' }, hides: ({ mode }: JsonObject) => mode === 'b' }
      const { report, sent } = await probe(attributes, habits)
      expect(report.stuck).toMatchObject({ attribute: 'mode', was: 'a', detail: 'the object cannot be read since' })
      expect(report.stuck?.undo).toEqual([expect.stringMatching(/^PATCH .* \{"mode":"a"\}$/)])
      expect(report.left.map(({ detail }) => detail)).toEqual([
        'it cannot be found since mode was set: it may still exist',
      ])
      expect(sent.filter((each) => each === 'PUT orgs')).toHaveLength(2)
    },
  )
})

const switches = [
  'blocked',
  'archived',
  'is_disabled',
  'suspended',
  'lockedAt',
  'frozen',
  'deactivated',
  'deletion_protection',
]

describe('a switch that locks an object', () => {
  it.each(lawCases(switches, 2))('%s is not tried, unless somebody asks for it', async (name) => {
    const attributes = `${name}: { type: boolean, default: false }, note: {}`
    const made = { [name]: false, note: 'n' }
    const { patches, skipped } = await probe(attributes, { made })
    expect(patches.some((body) => name in body)).toBe(false)
    expect(skipped).toEqual([
      `api_org.${name}: setting it may shut the object for good; try it last with --shut, or set one with --set api_org.${name}=...`,
    ])
    const asked = await probe(attributes, { made }, { shut: true })
    expect(asked.patches.slice(2, 4)).toEqual([{ [name]: true }, { [name]: false }])
  })

  it('is not turned on in an open object, by a switch or by a word', long, async () => {
    const { patches, skipped } = await probe(
      'enabled: { type: boolean, default: true }, state: { values: [active, archived], default: active }',
      { made: { enabled: true, state: 'active' } },
    )
    expect(patches.filter((body) => 'enabled' in body || 'state' in body)).toEqual([])
    expect(skipped.map((each) => each.split(':')[0]).toSorted()).toEqual(['api_org.enabled', 'api_org.state'])
  })

  it('is tried if somebody gives the value', async () => {
    const { patches } = await probe(
      'blocked: { values: [no_way, yes_please], default: no_way }',
      { made: { blocked: 'no_way' } },
      { types: ['api_org'], given: { api_org: { blocked: ['no_way', 'yes_please'] } } },
    )
    expect(patches).toEqual([{ blocked: 'yes_please' }, { blocked: 'no_way' }])
  })

  it('is off in a new object', long, async () => {
    const { objects, report } = await probe(
      'blocked: { type: boolean, required: true }, enabled: { type: boolean, required: true }',
      {},
    )
    expect(report.left).toEqual([])
    expect([...objects]).toEqual([])
  })

  it('is reported with what would open the object if it locked it for good', long, async () => {
    const { report } = await probe(
      'blocked: { type: boolean, default: false }',
      { made: { blocked: false } },
      { shut: true },
    )
    expect(report.stuck).toMatchObject({ attribute: 'blocked', was: false, is: true })
    expect(report.stuck?.undo).toEqual([expect.stringMatching(/^PATCH .* \{"blocked":false\}$/)])
    expect(report.left).toHaveLength(1)
  })
})

describe('a refusal that comes again and again', () => {
  const many = 'a: {}, b: {}, c: {}, d: {}, e: {}'
  const made = { a: 'x', b: 'x', c: 'x', d: 'x', e: 'x' }

  eachOf(
    it,
    1,
  )([
    [403, 1, 'the probe has stopped: the server refuses with 403'],
    [422, 2, undefined],
  ])(
    'ends the trials of the operation, and all trials where it is about the caller: %s',
    async (status, types, stopped) => {
      const { patches, skipped, sent } = await probe(many, {
        made,
        refuse: (object) => ('a' in object ? status : undefined),
      })
      expect(patches.slice(0, 3).map((body) => Object.keys(body)[0])).toEqual(['a', 'b', 'c'])
      expect(patches.filter((body) => 'd' in body)).toEqual([])
      expect(skipped.join('\n')).toMatch(
        new RegExp(`was refused 3 times in a row with ${status}: nothing more of it is tried`),
      )
      expect(new Set(sent.map((each) => each.split(' ')[1])).size).toBe(types)
      if (stopped !== undefined) expect(skipped).toContain(`api_rest.: ${stopped}`)
    },
  )

  it('does not end the trials if it is one between others', long, async () => {
    const { patches } = await probe(many, {
      made,
      refuse: (_, body) => ('a' in body || 'c' in body ? 422 : undefined),
    })
    expect(patches.some((body) => 'e' in body)).toBe(true)
  })
})

describe('a value that names another object', () => {
  it.each([
    ['an id by its name', 'flavor_id: {}'],
    ['several ids', 'group_uuids: { type: list, element: {} }'],
    ['a reference of which there is no object', 'kind: { ref: { type: api_rest, emit: name } }'],
  ])('is not judged by an invented one: %s', async (_, attribute) => {
    const name = attribute.split(':')[0] ?? ''
    const { patches, report } = await probe(attribute, { made: { [name]: 'f1' } }, { types: ['api_org'] })
    expect(patches.filter((body) => name in body)).toEqual([])
    expect(report.findings.filter((found) => found.attribute === name && found.code !== 'filledIn')).toEqual([])
  })

  it('is the one that somebody gives', long, async () => {
    const { patches } = await probe(
      'flavor_id: {}',
      { made: { flavor_id: 'f1' } },
      { given: { api_org: { flavor_id: ['f1', 'f2'] } } },
    )
    expect(patches.slice(0, 2)).toEqual([{ flavor_id: 'f2' }, { flavor_id: 'f1' }])
  })
})
