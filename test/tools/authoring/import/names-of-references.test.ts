import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { AppError } from '../../../../core/engine/errors/errors.ts'
import type { Request } from '../../../../core/engine/schema/command.ts'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { importObjects } from '../../../../core/tools/authoring/import/import-objects.ts'
import { testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const document = `
provider: { id: api, baseUrl: "http://api.test", reads: { absent: [404] } }
resolvers:
  flavor: { list: { method: GET, path: /flavors, query: { name: "{value}" } }, retrieve: { method: GET, path: "/flavors/{value}" } }
resources:
  api_project:
    operations:
      list: { method: GET, path: /projects }
      retrieve: { method: GET, path: "/projects/{uuid}" }
      create: { method: POST, path: /projects }
      delete: { method: DELETE, path: "/projects/{uuid}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { uuid: uuid }
    discover: { op: list }
    parts: [{ name: main, read: retrieve, attributes: { name: { required: true, immutable: true }, url: { computed: true } } }]
  api_vm:
    operations:
      list: { method: GET, path: /vms }
      retrieve: { method: GET, path: "/vms/{uuid}" }
      create: { method: POST, path: /vms }
      delete: { method: DELETE, path: "/vms/{uuid}" }
    identity: { keys: [project, name] }
    lookup: { list: {}, match: [project, name] }
    serverId: { uuid: uuid }
    discover: { op: list }
    parts:
      - name: main
        read: retrieve
        attributes:
          name: { required: true, immutable: true }
          project: { required: true, immutable: true, ref: { type: api_project, emit: url } }
          flavor: { immutable: true, ref: { resolver: flavor, emit: url, scope: { project: "{refs.project.uuid}" } } }
          beside: { immutable: true, type: set, element: { ref: { type: api_project, emit: uuid } } }
`

const projectUrl = (uuid: string): string => `http://api.test/projects/${uuid}`
const projects: readonly JsonObject[] = [
  { uuid: 'p-1', name: 'Shop', url: projectUrl('p-1') },
  { uuid: 'p-2', name: 'Bank', url: projectUrl('p-2') },
]
const flavor = (uuid: string, name: string, project: string): JsonObject => ({
  uuid,
  name,
  project,
  url: `http://api.test/flavors/${uuid}`,
})
const vm = {
  uuid: 'v-1',
  name: 'web',
  project: projectUrl('p-1'),
  flavor: 'http://api.test/flavors/f-1',
  beside: ['p-2', 'p-1'],
}

const importing = async (types: readonly string[], flavors: readonly JsonObject[] | Error, declared = '') => {
  const kinds: Readonly<Record<string, readonly JsonObject[]>> = {
    projects,
    flavors: flavors instanceof Error ? small : flavors,
    vms: [vm],
  }
  const send = async ({ url }: Request) => {
    const { pathname, searchParams } = new URL(url)
    const [, kind = '', uuid] = pathname.split('/')
    if (kind === 'flavors' && uuid === undefined && flavors instanceof Error) throw flavors
    const rows = kinds[kind] ?? []
    const all = rows.filter((row) =>
      [...searchParams].every(([name, value]) => row[name] === undefined || row[name] === value),
    )
    const body: Json | undefined = uuid === undefined ? [...all] : rows.find((row) => row['uuid'] === uuid)
    return { status: body === undefined ? 404 : 200, headers: {}, body: body ?? {} }
  }
  const bundle = yaml(
    `workspace: w\nproviders: { api: { source: rest, definition: ./api.yaml } }\nresources:\n${declared || '  []'}\n`,
    { 'api.yaml': document },
  )
  const { deps } = testDeps({ bundle, transport: () => ({ send }) })
  const report = await importObjects({ workspace: 'w', types: types.map((type) => ({ type })), where: {} }, deps)
  return { ...report, specs: Object.fromEntries(report.resources.map(({ address, spec }) => [address, spec])) }
}

const quiet = { unlisted: [], unread: [], differing: [], unchecked: [], issues: [] }

const small = [flavor('f-1', 'm1.small', 'p-1'), flavor('f-2', 'm1.large', 'p-1'), flavor('f-3', 'm1.small', 'p-2')]

describe('the reference of an imported resource', () => {
  it('names the resource that is imported with it', async () => {
    const { specs, ...report } = await importing(['api_project', 'api_vm'], small)
    expect(report).toMatchObject(quiet)
    expect(specs['api_vm.web_Shop']).toEqual({
      name: 'web',
      project: '${resource.api_project.Shop.url}',
      flavor: 'm1.small',
      beside: expect.arrayContaining(['${resource.api_project.Shop.uuid}', '${resource.api_project.Bank.uuid}']),
    })
  })

  it('uses the name of an object that is not imported', async () => {
    const { specs, text, ...report } = await importing(['api_vm'], small)
    expect(report).toMatchObject(quiet)
    expect(parse(text).resources[0].name).toBe('web_Shop')
    expect(specs['api_vm.web_Shop']).toEqual({
      name: 'web',
      project: 'Shop',
      flavor: 'm1.small',
      beside: expect.arrayContaining(['Shop', 'Bank']),
    })
  })

  it('names the declared resource', async () => {
    const declared = '  - { type: api_project, name: mine, spec: { name: Shop } }'
    const { specs, ...report } = await importing(['api_vm'], small, declared)
    expect(report).toMatchObject(quiet)
    expect(specs['api_vm.web_Shop']?.['project']).toBe('${resource.api_project.mine.url}')
    expect(specs['api_vm.web_Shop']?.['flavor']).toBe('m1.small')
  })

  it.each<[string, readonly JsonObject[] | Error]>([
    ['two have it', [...small, flavor('f-4', 'm1.small', 'p-1')]],
    ['nothing has it any more', []],
    ['it would be a reference', [flavor('f-1', '${x}', 'p-1')]],
    [
      'it cannot be read',
      new AppError('REQUEST_FAILED', { method: 'GET', url: 'http://api.test/flavors', detail: 'ECONNRESET' }),
    ],
    ['it would be a write', new AppError('WRITE_IN_CHECK', { method: 'POST', url: 'http://api.test/flavors' })],
  ])('stays as it is where no name finds the object again: %s', async (_, flavors) => {
    const { specs } = await importing(['api_vm'], flavors)
    expect(specs['api_vm.web_Shop']?.['flavor']).toBe('http://api.test/flavors/f-1')
    expect(specs['api_vm.web_Shop']?.['project']).toBe('Shop')
  })
})
