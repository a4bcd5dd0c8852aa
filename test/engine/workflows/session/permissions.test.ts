import { expect, it } from 'vitest'
import { listPermissions, renderPermissions } from '../../../../core/index.ts'
import { wings } from '../../../builders/workspaces/wings.ts'
import { yaml } from '../../../builders/workspaces/workspace.ts'

const aType = (more: string) => `
  operations:
    retrieve: { method: GET, path: "/x/{name}" }
    create: { method: PUT, path: "/x/{name}" }
    close: { method: POST, path: "/x/{name}/close", permissions: { locks: admin } }
    update: { method: PATCH, path: "/x/{name}" }
    delete: { method: DELETE, path: "/x/{name}", permissions: {} }
  identity: { keys: [name] }
  lookup: { retrieve: true }
  lifecycle: { beforeDelete: [close] }
  ${more}
  parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: { in: path }, color: {} } }]`

const definition = `
provider: { id: api, baseUrl: https://api.example, permissionLevels: [pull, push, admin] }
resources:
 api_repo: ${aType('permissions: { read: { contents: pull }, write: { contents: push } }')}
 api_team: ${aType('permissions: { read: { members: pull }, write: { members: strange } }')}
 api_other: ${aType('permissions: { read: { never: pull } }')}
 api_silent: ${aType('').replace(', permissions: { locks: admin }', '').replace(', permissions: {}', '')}
`

const report = (types: readonly string[]) =>
  listPermissions(
    yaml(
      JSON.stringify({
        workspace: 'acme',
        providers: { api: { source: 'rest', definition: './api.yaml' } },
        resources: types.map((type) => ({ type, name: 'a', spec: { name: 'a' } })),
      }),
      { 'api.yaml': definition },
    ),
    wings,
  )

it('the needed permissions are the sum of those of the types in use', async () => {
  expect(await report(['api_team', 'api_repo'])).toEqual({
    workspace: 'acme',
    providers: [
      {
        provider: 'api',
        permissions: [
          { permission: 'contents', check: 'pull', apply: 'push', types: ['api_repo'] },
          { permission: 'locks', apply: 'admin', types: ['api_repo', 'api_team'] },
          { permission: 'members', check: 'pull', apply: 'strange', types: ['api_team'] },
        ],
        unknown: [],
      },
    ],
  })
})

it('types with unknown permissions are named, and a configuration without resources needs nothing', async () => {
  expect(renderPermissions(await report(['api_repo', 'api_silent']))).toBe(
    [
      'api',
      '  permission  check  apply  types',
      '  contents    pull   push   api_repo',
      '  locks       -      admin  api_repo',
      '  not known for api_silent',
      '',
    ].join('\n'),
  )
  expect(renderPermissions(await report([]))).toBe('no resources: nothing is needed\n')
})
