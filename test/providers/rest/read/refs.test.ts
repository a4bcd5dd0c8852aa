import { describe, expect, it } from 'vitest'
import type { Response } from '../../../../core/engine/schema/command.ts'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { renderPlan } from '../../../builders/values/rendered.ts'
import { anApi, configureText, linesOf } from '../../../builders/workspaces/rest.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* Customers, tenants and groups by name: the worked outcomes W1-W11 of a Waldur project, and what narrows a search. */
const base = 'http://api.test'
const document = `
provider: { id: waldur, baseUrl: "${base}", pagination: { style: link, maxPages: 2 } }
resolvers:
  flavour:
    list: { method: GET, path: /flavours/, query: { name_exact: "{value}" } }
    retrieve: { method: GET, path: "/flavours/{value}/" }
resources:
  waldur_customer:
    operations:
      list: { method: GET, path: /customers/ }
      retrieve: { method: GET, path: "/customers/{uuid}/" }
      create: { method: POST, path: /customers/, produces: { uuid: uuid, url: url } }
      delete: { method: DELETE, path: "/customers/{uuid}/" }
    identity: { keys: [name] }
    lookup: { list: { query: { name_exact: "{name}" } }, match: [name] }
    serverId: { uuid: uuid, url: url }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true } } }]
  waldur_project:
    operations:
      list: { method: GET, path: /projects/ }
      retrieve: { method: GET, path: "/projects/{uuid}/" }
      create: { method: POST, path: /projects/ }
      update: { method: PATCH, path: "/projects/{uuid}/" }
      move: { method: POST, path: "/projects/{uuid}/move_project/" }
      delete: { method: DELETE, path: "/projects/{uuid}/" }
    identity: { keys: [customer, name] }
    lookup:
      list: { query: { name_exact: "{name}", customer: "{refs.customer.uuid?}" } }
      match: [customer, name]
      where: { is_removed: false }
    serverId: { uuid: uuid }
    actions: { move: { on: [customer], op: move, body: { customer: "{desired.customer}" } } }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes:
          name: {}
          customer: { ref: { type: waldur_customer, emit: url } }
          description: {}
          end_date: { leftOut: true }
          kind: { immutable: true }
  waldur_group:
    operations:
      list: { method: GET, path: /groups/ }
      retrieve: { method: GET, path: "/groups/{uuid}/" }
      create: { method: POST, path: "/customers/{refs.customer.uuid}/groups/" }
      update: { method: PATCH, path: "/groups/{uuid}/" }
      delete: { method: DELETE, path: "/groups/{uuid}/" }
    identity: { keys: [name] }
    lookup: { list: { query: { name_exact: "{name}" } }, match: [name] }
    serverId: { uuid: uuid }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes:
          name: {}
          customer: { immutable: true, ref: { type: waldur_customer, emit: url } }
          project: { ref: { type: waldur_project, emit: uuid, scope: { customer_uuid: "{refs.customer.uuid}" } } }
          flavours: { type: set, element: { ref: { resolver: flavour, emit: url } } }
          rules:
            type: list
            element: { type: object, attributes: { port: { type: number }, flavour: { ref: { resolver: flavour, emit: uuid } } } }
`

const customer = (id: string, name = 'Acme') => ({ uuid: id, url: `${base}/customers/${id}/`, name })
const acme = customer('c1')
const project = { uuid: 'p1', name: 'P', customer: acme.url, description: 'old', kind: 'default', is_removed: false }

type Answers = Readonly<Record<string, Partial<Response>>>
const ok = (body: Json): Partial<Response> => ({ status: 200, body })
const customers: Answers = {
  'GET /customers/?name_exact=Acme': ok([acme]),
  'GET /customers/c1/': ok(acme),
}
const found: Answers = {
  ...customers,
  'GET /projects/?name_exact=P&customer=c1': ok([project]),
  'GET /projects/p1/': ok(project),
}

const check = async (resources: readonly JsonObject[], answers: Answers) => {
  const api = anApi(answers)
  const config = {
    workspace: 'w',
    providers: { waldur: { source: 'rest', definition: './api.provider.yaml' } },
    resources: resources.map((each, index) => ({ name: `r${index}`, ...each })),
  }
  const bundle = yaml(JSON.stringify(config), { 'api.provider.yaml': document })
  const given = testDeps({ bundle, wire: () => api })
  const { plan, run } = await checkWorkspace({ workspace: 'w', trigger: 'cli', actor }, given.deps)
  if (plan === undefined) throw new Error(run.error?.message)
  const asked = api.sent.map(({ method, url }) => `${method} ${url.replace(base, '')}`)
  return { plan, run, lines: linesOf(plan.commands), asked, unchecked: plan.unchecked[0] }
}

const aProject = (spec: JsonObject = {}, more: JsonObject = {}) => ({
  type: 'waldur_project',
  spec: { name: 'P', customer: 'Acme', ...spec },
  ...more,
})

describe('a reference that is resolved', () => {
  const answers = { ...found, 'GET /projects/?name_exact=P&customer=c1': ok([]) }

  it('shows the name beside the id, in the plan and its commands, in every form', async () => {
    const { plan } = await check([aProject()], answers)
    expect(plan.references).toEqual([
      { address: 'waldur_project.r0', path: ['customer'], value: acme.url, name: 'Acme' },
    ])
    for (const format of ['text', 'markdown', 'html'] as const) {
      const page = renderPlan(plan, { format, width: 1000 })
      expect(page).toContain('(Acme)')
      expect(page.replaceAll(/<[^>]*>|`/g, '')).toContain(`${acme.url} is Acme`)
    }
    expect(JSON.parse(renderPlan(plan, { format: 'json' })).plumbline.references).toEqual(plan.references)
  })

  it('changes no digest and no request', async () => {
    const [byName, byUrl] = [
      await check([aProject()], answers),
      await check([aProject({ customer: acme.url })], answers),
    ]
    expect(byUrl.plan.references).toBeUndefined()
    expect(byUrl.plan.digests).toEqual(byName.plan.digests)
    expect(byUrl.plan.commands).toEqual(byName.plan.commands)
    expect(JSON.stringify(byName.plan.commands)).not.toContain('Acme')
  })

  it('is not mentioned in the plan where nothing differs', async () => {
    expect((await check([aProject()], found)).plan.references).toBeUndefined()
  })
})

describe('a project of a customer by name', () => {
  const made = { name: 'P', customer: acme.url }
  it.each<[string, JsonObject, Answers, readonly unknown[]]>([
    [
      'W1',
      aProject({ description: 'd' }),
      { ...found, 'GET /projects/?name_exact=P&customer=c1': ok([]) },
      [['POST /projects/', { ...made, description: 'd' }]],
    ],
    ['W2', aProject(), found, []],
    [
      'W3',
      aProject({ description: 'new', end_date: '2027-01-31' }),
      found,
      [['PATCH /projects/p1/', { description: 'new', end_date: '2027-01-31' }]],
    ],
    [
      'W7',
      aProject(),
      { ...found, 'GET /projects/?name_exact=P&customer=c1': ok([{ ...project, is_removed: true }]) },
      [['POST /projects/', made]],
    ],
    ['W8', aProject({}, { absent: true }), found, [['DELETE /projects/p1/']]],
    [
      'W9',
      aProject({ end_date: null }),
      { ...found, 'GET /projects/p1/': ok({ ...project, end_date: '2026-12-31' }) },
      [['PATCH /projects/p1/', { end_date: null }]],
    ],
    [
      'W10',
      aProject({ customer: 'Other' }),
      {
        ...found,
        'GET /customers/?name_exact=Other': ok([customer('c2', 'Other')]),
        'GET /projects/?name_exact=P&customer=c2': ok([project]),
      },
      [['POST /projects/', { name: 'P', customer: `${base}/customers/c2/` }]],
    ],
  ])('is planned as the worked example says: %s', async (_name, resource, answers, lines) => {
    expect((await check([resource], answers)).lines).toEqual(lines)
  })

  it('W2: is in sync after three reads, and shows the customer as the API does', async () => {
    const { run, asked } = await check([aProject()], found)
    expect(run.status).toBe('in_sync')
    expect(asked).toEqual([
      'GET /customers/?name_exact=Acme',
      'GET /projects/?name_exact=P&customer=c1',
      'GET /projects/p1/',
    ])
  })

  it('W4: a kind that cannot change is reported', async () => {
    const { plan } = await check([aProject({ kind: 'other' })], found)
    expect([plan.changes[0]?.blocked?.reason, plan.commands]).toEqual(['immutable', []])
  })

  const unknown: [string, Answers, string, RegExp, number][] = [
    [
      'W5: two of that name',
      { 'GET /customers/?name_exact=Acme': ok([acme, customer('c2')]) },
      'ambiguous',
      /customer: which waldur_customer is "Acme"\? 2 are/,
      1,
    ],
    [
      'W6: a project list that is forbidden',
      { ...customers, 'GET /projects/?name_exact=P&customer=c1': { status: 403 } },
      'forbidden',
      /403/,
      2,
    ],
    [
      'none of that name, nor id',
      {
        'GET /customers/?name_exact=Acme': ok([customer('c9', 'Acme Ltd')]),
        'GET /customers/': ok([customer('c9', 'Acme Ltd')]),
      },
      'unresolved',
      /which waldur_customer is "Acme"\? there is none/,
      3,
    ],
    [
      'a search that fails',
      { 'GET /customers/?name_exact=Acme': { status: 503 } },
      'server_error',
      /which waldur_customer is "Acme"\? .*503/,
      4,
    ],
    [
      'a search that answers no list',
      { 'GET /customers/?name_exact=Acme': ok({ a: 1 }) },
      'bad_body',
      /a list was expected/,
      1,
    ],
    [
      'more pages than are read',
      {
        'GET /customers/?name_exact=Acme': { ...ok([]), headers: { link: `<${base}/customers/?page=2>; rel="next"` } },
        'GET /customers/?page=2': { ...ok([]), headers: { link: `<${base}/customers/?page=3>; rel="next"` } },
      },
      'page_limit',
      /./,
      2,
    ],
  ]
  it.each(unknown)('%s is unchecked, and nothing is planned', async (_name, answers, reason, detail, reads) => {
    const { unchecked, plan, asked, run } = await check([aProject()], answers)
    expect(unchecked).toMatchObject({ reason, detail: expect.stringMatching(detail) })
    expect([plan.changes, plan.commands, run.status, asked.length]).toEqual([[], [], 'incomplete', reads])
  })

  it.each([
    ['its id', 'c1'],
    ['its URL', acme.url],
  ])('is found by %s', async (_name, value) => {
    expect(
      (await check([aProject({ customer: value })], { ...found, 'GET /customers/?name_exact=c1': ok([]) })).run.status,
    ).toBe('in_sync')
  })

  it('is searched by id first where the name looks like an id', async () => {
    const id = '0d1f2a3b4c5d4e6f8a9b0c1d2e3f4a5b'
    const named = { ...found, [`GET /customers/?name_exact=${id}`]: ok([{ ...acme, name: id }]) }
    const { run, asked } = await check([aProject({ customer: id })], named)
    expect(run.status).toBe('in_sync')
    expect(asked.slice(0, 2)).toEqual([`GET /customers/${id}/`, `GET /customers/?name_exact=${id}`])
  })

  it('is never searched on another host, and only its own host is asked for such a URL', async () => {
    const { unchecked, asked } = await check([aProject({ customer: 'https://evil.test/customers/c1/' })], found)
    expect(unchecked?.detail).toContain('another host')
    expect(asked).toEqual(['GET /customers/'])
  })

  it('is searched once for several resources that use the same name', async () => {
    const { asked } = await check([aProject(), aProject({ name: 'Q' })], found)
    expect(asked.filter((line) => line.startsWith('GET /customers'))).toHaveLength(1)
  })

  it('can be of a customer that the same plan creates, by a reference of the configuration', async () => {
    const resources = [
      { type: 'waldur_customer', name: 'new', spec: { name: 'New' } },
      aProject({ customer: '${resource.waldur_customer.new.url}' }),
      { type: 'waldur_group', spec: { name: 'G', customer: '${resource.waldur_customer.new.url}' } },
    ]
    const answers = { 'GET /customers/?name_exact=New': ok([]), 'GET /groups/?name_exact=G': ok([]) }
    const { lines, plan } = await check(resources, answers)
    expect(plan.unchecked).toEqual([])
    expect(lines.map(([line]) => line)).toEqual([
      'POST /customers/',
      'POST /customers/(known after apply: waldur_customer.new /ids/uuid)/groups/',
      'POST /projects/',
    ])
  })

  it('counts as gone with a missing customer, where it must exist', async () => {
    const { run, plan } = await check([aProject({}, { absent: true })], {
      'GET /customers/?name_exact=Acme': ok([]),
      'GET /customers/': ok([]),
    })
    expect([run.status, plan.commands]).toEqual(['in_sync', []])
  })
})

describe('references that depend on each other, in lists and inside objects', () => {
  const flavour = (id: string, name: string) => ({ uuid: id, url: `${base}/flavours/${id}/`, name })
  const live = {
    uuid: 'g1',
    name: 'G',
    customer: acme.url,
    project: 'p1',
    flavours: [flavour('f2', 'large'), flavour('f1', 'small')],
    rules: [{ port: 80, flavour: 'f1' }],
  }
  const answers: Answers = {
    ...customers,
    'GET /groups/?name_exact=G': ok([live]),
    'GET /groups/g1/': ok(live),
    // The server ignores the filter that it does not know.
    'GET /projects/?name_exact=P&customer_uuid=c1': ok([
      { ...project, uuid: 'p9', customer_uuid: 'c9' },
      { ...project, customer_uuid: 'c1' },
    ]),
    'GET /flavours/?name_exact=small': ok([flavour('f1', 'small'), flavour('f3', 'smaller')]),
    'GET /flavours/?name_exact=large': ok([flavour('f2', 'large')]),
  }
  // The list of projects has a customer filter of its own, which is not known here and left out.
  const group = (spec: JsonObject = {}) => ({
    type: 'waldur_group',
    spec: {
      name: 'G',
      customer: 'Acme',
      project: 'P',
      flavours: ['small', 'large'],
      rules: [{ port: 80, flavour: 'small' }],
      ...spec,
    },
  })

  it('are compared in the form of the API', async () => {
    const { run, plan } = await check([group()], answers)
    expect([plan.unchecked, plan.changes]).toEqual([[], []])
    expect(run.status).toBe('in_sync')
  })

  it('are sent in the form of the API', async () => {
    const { lines } = await check([group({ flavours: ['large'], rules: [{ port: 80, flavour: 'large' }] })], answers)
    expect(lines).toEqual([
      ['PATCH /groups/g1/', { flavours: [flavour('f2', '').url], rules: [{ port: 80, flavour: 'f2' }] }],
    ])
  })

  it('are unknown where one of many is, or where the value that restricts them is missing', async () => {
    const one = await check([group({ flavours: ['small', 'huge'] })], {
      ...answers,
      'GET /flavours/?name_exact=huge': ok([]),
    })
    expect(one.unchecked?.detail).toMatch(/flavours: which flavour is "huge"/)
    const { customer: _, ...spec } = group().spec as JsonObject
    const narrow = await check([{ type: 'waldur_group', spec }], answers)
    expect(narrow.unchecked?.detail).toMatch(/scope customer_uuid is not known/)
  })
})

describe('a document with a wrong reference', () => {
  const cases: [string, string, string, RegExp][] = [
    [
      'no such type',
      'ref: { type: waldur_customer, emit: url }',
      'ref: { type: waldur_nobody, emit: url }',
      /no type "waldur_nobody"/,
    ],
    ['no such resolver', 'resolver: flavour, emit: url', 'resolver: flavor, emit: url', /no resolver "flavor"/],
    ['neither', 'ref: { resolver: flavour, emit: uuid }', 'ref: { emit: uuid }', /to a type or by a resolver/],
    [
      'no such key',
      'ref: { type: waldur_customer, emit: url }',
      'ref: { type: waldur_customer, by: title, emit: url }',
      /no attribute "title"/,
    ],
    [
      'a scope of nothing',
      '{refs.customer.uuid}" } } }\n          flavours',
      '{refs.nobody.uuid}" } } }\n          flavours',
      /is of no attribute/,
    ],
    [
      'scopes in a circle',
      'customer: { immutable: true, ref: { type: waldur_customer, emit: url }',
      'customer: { immutable: true, ref: { type: waldur_customer, emit: url, scope: { p: "{refs.project.uuid}" } }',
      /depends on itself/,
    ],
    [
      'a list as a whole',
      'flavours: { type: set, element: { ref: { resolver: flavour, emit: url } } }',
      'flavours: { type: set, ref: { resolver: flavour, emit: url } }',
      /refers to nothing as a whole/,
    ],
    [
      'a resolver that asks nothing',
      'retrieve: { method: GET, path: "/flavours/{value}/" }',
      'retrieve: { method: GET, path: "/flavours/" }',
      /finds the same object/,
    ],
    [
      'a resolver that writes',
      'retrieve: { method: GET, path: "/flavours/{value}/" }',
      'retrieve: { method: POST, path: "/flavours/{value}/" }',
      /must be a read/,
    ],
  ]
  it.each(cases)('is refused with its place: %s', (_name, from, to, message) => {
    expect(document).toContain(from)
    const configured = configureText(document.replace(from, to), {})
    const issues = configured.ok ? [] : configured.issues
    expect(issues.map((issue) => issue.message).join('\n')).toMatch(message)
    expect(issues[0]?.line).toBeGreaterThan(1)
  })
})
