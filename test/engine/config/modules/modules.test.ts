import { describe, expect, test } from 'vitest'
import type { Issue } from '../../../../core/engine/schema/issue.ts'
import { callsText, placeText } from '../../../../core/engine/values/diagnose.ts'
import { configurationOf, issuesOf } from '../../../builders/workspaces/config.ts'

const zoneModule = `parameters:
  domain: { type: string, validation: { pattern: '^[a-z.]+$' } }
  ttl: { type: number, default: 300 }
resources:
  - { type: pdns_zone, name: main, spec: { name: "\${var.domain}.", ttl: "\${var.ttl}" } }
  - { type: pdns_record, name: www, spec: { zone: "\${resource.pdns_zone.main.id}" }, dependsOn: [pdns_zone.main] }
outputs:
  zone: { value: "\${resource.pdns_zone.main.name}" }
  id: { value: "\${resource.pdns_zone.main.id}", description: of the server }
  both: { value: { name: "\${resource.pdns_zone.main.name}", ttl: "\${var.ttl}" } }
`

const root = (text: string, module = zoneModule, more: Readonly<Record<string, string>> = {}) => ({
  'plumbline.yaml': `workspace: test\n${text}`,
  'modules/zone/module.yaml': module,
  ...more,
})

const told = (...given: Parameters<typeof root>): readonly string[] => issuesOf(root(...given)).map(lineOf)
const lineOf = (issue: Issue): string =>
  `${placeText(issue)} ${issue.message}${issue.calls === undefined ? '' : ` | ${callsText(issue.calls)}`}`

const prod = 'modules: [{ name: prod, source: ./modules/zone, with: { domain: eu.example } }]\n'
const each = `modules:
  - name: prod
    source: ./modules/zone
    forEach: { eu: { ttl: 60 }, us: { ttl: 300 } }
    with: { domain: "\${each.key}.example", ttl: "\${each.value.ttl}" }
`

test('a module declares its resources with its parameters and under its own addresses', () => {
  expect(configurationOf(root(prod)).resources).toMatchObject([
    {
      address: 'module.prod.pdns_zone.main',
      module: 'module.prod',
      name: 'main',
      attributes: { name: 'eu.example.', ttl: 300 },
      position: { file: 'modules/zone/module.yaml', line: 5, calls: [{ module: 'module.prod', line: 2 }] },
    },
    {
      address: 'module.prod.pdns_record.www',
      attributes: { zone: { $ref: 'module.prod.pdns_zone.main', pointer: '/id' } },
      dependsOn: ['module.prod.pdns_zone.main'],
    },
  ])
})

test('a module with forEach declares its resources for each instance', () => {
  const { resources, locate } = configurationOf(root(each))
  expect(resources).toMatchObject([
    { address: 'module.prod["eu"].pdns_zone.main', attributes: { name: 'eu.example.', ttl: 60 } },
    { address: 'module.prod["eu"].pdns_record.www', dependsOn: ['module.prod["eu"].pdns_zone.main'] },
    { address: 'module.prod["us"].pdns_zone.main', attributes: { name: 'us.example.', ttl: 300 } },
    { address: 'module.prod["us"].pdns_record.www', dependsOn: ['module.prod["us"].pdns_zone.main'] },
  ])
  expect(locate('module.prod["us"].pdns_zone.main', ['ttl'])).toEqual({
    file: 'modules/zone/module.yaml',
    line: 5,
    column: 73,
    calls: [{ module: 'module.prod["us"]', file: 'plumbline.yaml', line: 3, column: 5 }],
  })
})

describe('outputs of modules', () => {
  const using = (text: string, calls = prod) =>
    configurationOf(root(`${calls}resources: [{ type: a_b, name: c, spec: { x: "${text}" } }]\n`)).resources.find(
      ({ address }) => address === 'a_b.c',
    )
  test('give a written value, and make a dependency on the module', () => {
    expect(using('${module.prod.zone}')).toMatchObject({
      attributes: { x: 'eu.example.' },
      dependsOn: ['module.prod.pdns_zone.main'],
      refersBy: ['x'],
    })
  })
  test('are references where a value is known only after a read', () => {
    expect(using('${module.prod.id}')).toMatchObject({
      attributes: { x: { $ref: 'module.prod.pdns_zone.main', pointer: '/id' } },
      dependsOn: ['module.prod.pdns_zone.main'],
    })
    expect(using('a-${module.prod.id}')?.attributes['x']).toEqual({
      $concat: ['a-', { $ref: 'module.prod.pdns_zone.main', pointer: '/id' }],
    })
  })
  test('give a member of a value', () => expect(using('${module.prod.both.ttl}')?.attributes['x']).toBe(300))
  test('give the value of one instance', () => {
    expect(using('${module.prod[\\"us\\"].zone}', each)?.attributes['x']).toBe('us.example.')
    expect(using('${module.prod.us.zone}', each)?.attributes['x']).toBe('us.example.')
  })
  test('can be depended on: dependsOn of a module or an instance means all of its resources', () => {
    const depending = (address: string) =>
      configurationOf(
        root(`${each}resources: [{ type: a_b, name: c, spec: {}, dependsOn: ['${address}'] }]\n`),
      ).resources.find((each) => each.address === 'a_b.c')?.dependsOn
    expect(depending('module.prod["us"]')).toEqual([
      'module.prod["us"].pdns_record.www',
      'module.prod["us"].pdns_zone.main',
    ])
    expect(depending('module.prod')).toHaveLength(4)
    expect(depending('module.prod["us"].pdns_zone.main')).toEqual(['module.prod["us"].pdns_zone.main'])
  })
  test.each([
    ['${module.prod.none}', 'module.prod has no output "none"'],
    ['${module.none.zone}', 'there is no module module.none'],
    ['${module.prod.both.none}', 'the output module.prod.both has no none'],
    ['${resource.pdns_zone.main.id}', 'there is no resource pdns_zone.main'],
    ['${var.domain}', 'there is no variable "domain"'],
  ])('refuses the reference %s, and names what is missing', (text, message) => {
    const lines = told(`${prod}resources: [{ type: a_b, name: c, spec: { x: "${text}" } }]\n`)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(message)
  })
})

test('an instance can pass its output to another module, which makes a dependency', () => {
  const text = `modules:
  - { name: one, source: ./modules/zone, with: { domain: one.example } }
  - { name: two, source: ./modules/use, with: { id: "\${module.one.id}", name: "\${module.one.zone}" } }
`
  const use = `parameters: { id: { type: string }, name: { type: string } }
resources:
  - { type: a_b, name: by_id, spec: { x: "\${var.id}" } }
  - { type: a_b, name: by_name, spec: { x: "\${var.name}" } }
`
  const { resources } = configurationOf(root(text, zoneModule, { 'modules/use/module.yaml': use }))
  expect(resources.slice(2)).toMatchObject([
    {
      attributes: { x: { $ref: 'module.one.pdns_zone.main' } },
      dependsOn: ['module.one.pdns_zone.main'],
      refersBy: ['x'],
    },
    { attributes: { x: 'one.example.' }, dependsOn: ['module.one.pdns_zone.main'], refersBy: ['x'] },
  ])
})

describe('nested modules', () => {
  const outer = `parameters: { names: { type: list } }
modules:
  - { name: prod, source: ../zone, forEach: "\${var.names}", with: { domain: "\${each.key}.example" } }
outputs: { eu: { value: "\${module.prod.eu.zone}" } }
`
  const nested = (module = zoneModule) =>
    root('modules: [{ name: prod, source: modules/outer, with: { names: [eu] } }]\n', module, {
      'modules/outer/module.yaml': outer,
    })
  test('may have the same name at different levels', () => {
    expect(configurationOf(nested()).resources.map(({ address }) => address)).toEqual([
      'module.prod.module.prod["eu"].pdns_zone.main',
      'module.prod.module.prod["eu"].pdns_record.www',
    ])
  })
  test('show the whole chain of calls in each problem', () => {
    const [issue] = issuesOf(nested(zoneModule.replace('${var.ttl}" } }\n  -', '${var.none}" } }\n  -')))
    expect(issue && lineOf(issue)).toBe(
      'modules/zone/module.yaml:5:73 there is no variable "none" | module.prod at plumbline.yaml:2:11 -> module.prod.module.prod["eu"] at modules/outer/module.yaml:3:5',
    )
  })
})

describe('the loader of modules', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'a parameter that is not given',
      'modules: [{ name: a, source: modules/zone }]\n',
      ['plumbline.yaml:2:11 the parameter "domain" of modules/zone/module.yaml is not given'],
    ],
    [
      'a parameter that does not exist',
      'modules: [{ name: a, source: modules/zone, with: { domain: a, tll: 1 } }]\n',
      ['plumbline.yaml:2:63 modules/zone/module.yaml has no parameter "tll"'],
    ],
    [
      'a value of another type, and one that is not allowed',
      'modules: [{ name: a, source: modules/zone, with: { domain: A, ttl: soon } }]\n',
      [
        'plumbline.yaml:2:60 the value of variable "domain" does not match its pattern',
        'plumbline.yaml:2:68 the value of variable "ttl" is not a number',
      ],
    ],
    [
      'no such folder',
      'modules: [{ name: a, source: modules/zoen }]\n',
      ['plumbline.yaml:2:30 there is no file modules/zoen/module.yaml'],
    ],
    [
      'a folder outside',
      'modules: [{ name: a, source: ../zone }, { name: b, source: /zone }]\n',
      [
        'plumbline.yaml:2:30 there is no file ../zone/module.yaml',
        'plumbline.yaml:2:60 /zone is outside the folder of the workspace',
      ],
    ],
    [
      'two of one name',
      'modules: [{ name: a, source: modules/zone, with: { domain: a } }, { name: a, source: modules/zone, with: { domain: b } }]\n',
      ['plumbline.yaml:2:75 module.a is declared a second time'],
    ],
    [
      'an unknown key, a missing one and a wrong name',
      'modules: [{ name: a b, source: modules/zone, wiht: {} }, { source: modules/zone }, 5]\n',
      [
        'plumbline.yaml:2:19 modules[0].name is not valid',
        'plumbline.yaml:2:46 unknown key "wiht" in modules[0]',
        'plumbline.yaml:2:58 modules[1].name is missing',
        'plumbline.yaml:2:84 modules[2] must be a mapping, not a number',
      ],
    ],
    [
      'a reference to a module from a provider',
      `${prod}providers: { p: { source: rest, with: { x: "\${module.prod.zone}" } } }\n`,
      ['plumbline.yaml:3:44 only the spec of a resource can refer to module.prod'],
    ],
  ])('refuses a module with its place and reason: %s', (_, text, expected) => expect(told(text)).toEqual(expected))

  test.each<[string, string, readonly string[]]>([
    ['a syntax error', 'resources: [\n', ['modules/zone/module.yaml:2:1 the indentation does not fit']],
    ['a list', '- a', ['modules/zone/module.yaml:1:1 a module must be a mapping of keys to values']],
    ['an unknown key', 'resorces: []\n', ['modules/zone/module.yaml:1:1 unknown key "resorces"']],
    [
      'what is around the module',
      'resources: [{ type: a_b, name: c, spec: { x: "${workspace}", y: "${resource.x_y.z.id}", z: "${each.key}" } }]\n',
      [
        'modules/zone/module.yaml:1:46 a module does not see ${workspace}',
        'modules/zone/module.yaml:1:65 there is no resource module.a["k0"].x_y.z',
        'modules/zone/module.yaml:1:92 there is no "each" here',
      ],
    ],
    [
      'a default that refers to something, an output of nothing',
      'parameters: { x: { type: string, default: "${var.y}" }, y: { type: string, default: "" } }\noutputs: { o: { value: "${var.z}" } }\n',
      [
        'modules/zone/module.yaml:1:43 the default of a variable cannot refer to variable "y"',
        'modules/zone/module.yaml:2:24 there is no variable "z"',
      ],
    ],
  ])('reports a problem in the file of a module once for a thousand instances: %s', (_, module, expected) => {
    const keys = Array.from({ length: 1_000 }, (_each, n) => `k${n}`).join(', ')
    const text = `modules: [{ name: a, source: modules/zone, forEach: [${keys}] }, { name: b, source: modules/zone }]\nresources: [{ type: x_y, name: z, spec: {} }]\n`
    const lines = issuesOf(root(text, module)).map((issue) => `${placeText(issue)} ${issue.message}`)
    expect(lines.map((line) => line.replace(/ \(and the same in .*/, ''))).toEqual(expected)
  })

  test('refuses a module that contains itself, with the chain of calls', () => {
    const lines = told('modules: [{ name: a, source: modules/zone }]\n', 'modules: [{ name: b, source: ../other }]\n', {
      'modules/other/module.yaml': 'modules: [{ name: c, source: ../zone }]\n',
    })
    expect(lines).toEqual([
      'modules/other/module.yaml:1:30 modules/zone/module.yaml contains itself: module.a (plumbline.yaml:2:11) -> module.a.module.b (modules/zone/module.yaml:1:11) -> module.a.module.b.module.c (modules/other/module.yaml:1:11) | module.a at plumbline.yaml:2:11 -> module.a.module.b at modules/zone/module.yaml:1:11',
    ])
    expect(told('modules: [{ name: a, source: modules/zone }]\n', 'modules: [{ name: a, source: . }]\n')).toHaveLength(
      1,
    )
  })

  test('refuses values that go round in a circle through modules', () => {
    const pass = 'parameters: { x: { type: string } }\noutputs: { y: { value: "${var.x}" } }\n'
    const text = `modules:
  - { name: a, source: modules/zone, with: { x: "\${module.b.y}" } }
  - { name: b, source: modules/zone, with: { x: "\${module.a.y}" } }
`
    const lines = told(text, pass)
    expect(lines.join('\n')).toContain('in a circle: modules[0].with.x -> module.b.outputs.y.value')
  })

  test('refuses a resource that gets its own id through its module', () => {
    const module = `parameters: { id: { type: string } }
resources: [{ type: a_b, name: c, spec: { x: "\${var.id}" } }]
outputs: { id: { value: "\${resource.a_b.c.id}" } }
`
    expect(told('modules: [{ name: a, source: modules/zone, with: { id: "${module.a.id}" } }]\n', module)[0]).toContain(
      'module.a.a_b.c refers to its own id',
    )
  })

  test('refuses modules so deep, and keys so long, that no address fits into the store', () => {
    const deep = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, n) => [
        `m${n}/module.yaml`,
        `modules: [{ name: a, source: ../m${n + 1} }]\nresources: [{ type: a_b, name: c, spec: {} }]\n`,
      ]),
    )
    const lines = issuesOf({ 'plumbline.yaml': 'workspace: a\nmodules: [{ name: a, source: m0 }]\n', ...deep })
    expect(lines.map(({ code }) => code)).toContain('longAddress')
    const long = 'ü'.repeat(200)
    const nested = told(
      `modules: [{ name: m, source: modules/zone, forEach: [${long}] }]\n`,
      `modules: [{ name: n, source: ../next, forEach: [${long}] }]\n`,
      { 'modules/next/module.yaml': `resources: [{ type: a_b, name: c, forEach: [${long}], spec: {} }]\n` },
    )
    expect(nested).toHaveLength(1)
    expect(nested[0]).toContain('longer than 900 bytes')
    // The address of the module alone is too long: its instance would vanish without a word.
    const tall = told(
      `modules: [{ name: m, source: modules/zone, forEach: [${long}] }]\n`,
      `modules: [{ name: n, source: ../next, forEach: [${long}] }]\n`,
      {
        'modules/next/module.yaml': `modules: [{ name: o, source: ../last, forEach: [${long}] }]\n`,
        'modules/last/module.yaml': 'resources: [{ type: a_b, name: c, spec: {} }]\n',
      },
    )
    expect(tall).toEqual([expect.stringContaining('longer than 900 bytes')])
  })

  test('refuses more instances than a function can hold', () => {
    const list = `[${Array.from({ length: 70 }, (_, n) => `k${n}`).join(', ')}]`
    const nested = `modules: [{ name: m, source: ../next, forEach: ${list} }]\n`
    const lines = told(`modules: [{ name: m, source: modules/zone, forEach: ${list} }]\n`, nested, {
      'modules/next/module.yaml': `resources: [{ type: a_b, name: c, forEach: ${list}, spec: {} }]\n`,
    })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('more than 250000 resources and modules')
  })
})

describe('a sensitive parameter', () => {
  const module = `parameters: { token: { type: string, sensitive: true } }
resources: [{ type: a_b, name: c, spec: { x: "\${var.token}" } }]
`
  const passing = (token: string) =>
    root(`modules: [{ name: a, source: modules/zone, with: { token: ${token} } }]\n`, module)
  test('accepts a secret', () => {
    expect(configurationOf(passing('{ secret: "env:T" }')).resources[0]?.attributes['x']).toEqual({ $secret: 'env:T' })
  })
  test('refuses the value of another resource, which may be in clear text', () => {
    const more = '\nresources: [{ type: a_b, name: o, spec: { plain: hunter2 } }]\n'
    for (const token of ['"${resource.a_b.o.id}"', '"x-${resource.a_b.o.id}"', '"${resource.a_b.o.plain}"']) {
      const files = passing(token)
      const issues = issuesOf({ ...files, 'plumbline.yaml': files['plumbline.yaml'] + more })
      expect(issues.map(({ code }) => code)).toEqual(['plainVariable'])
    }
  })
  test('refuses plain text, and does not repeat it', () => {
    const issues = issuesOf(passing('hunter2'))
    expect(issues.map(({ message }) => message)).toEqual([
      'variable "token" is sensitive and its value must be a secret reference',
    ])
    expect(JSON.stringify(issues)).not.toContain('hunter2')
  })
})
