import { describe, expect, it } from 'vitest'
import { errorTable } from '../../../../core/engine/errors/error-table.ts'
import { AppError, type ErrorCode } from '../../../../core/engine/errors/errors.ts'
import { getRun } from '../../../../core/engine/state/runs/runs.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { errorExamples } from '../../../../functions/api/openapi/error-examples.ts'
import { eachOf } from '../../../builders/long.ts'
import { startThings } from '../../../builders/servers/things-api.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* Whatever is thrown by the read of one resource, all others are checked, the run is stored, and somebody is told. */

const document = `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_box:
    operations:
      list: { method: GET, path: /boxes, pagination: { style: none } }
      retrieve: { method: GET, path: "/boxes/{name}" }
      create: { method: PUT, path: "/boxes/{name}" }
      update: { method: PATCH, path: "/boxes/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    discover: { op: list }
    lifecycle: { preventDelete: true }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: { in: path }, size: { type: number } } }]
`

const checkThrowing = async (thrown: unknown) => {
  await using server = await startThings()
  server.state.set('/boxes/good', '{"name":"good","size":1}')
  const box = (name: string) => ({ type: 'api_box', name, spec: { name, size: 2 } })
  const { deps, alerts } = testDeps({
    bundle: yaml(
      JSON.stringify({
        workspace: 'w',
        unmanaged: 'report',
        providers: { api: { source: 'rest', definition: './api.yaml', with: { baseUrl: server.url } } },
        resources: [box('good'), box('bad')],
      }),
      { 'api.yaml': document },
    ),
    wire: (inner) => ({
      send: async (request, signal) => {
        if (request.url.endsWith('/boxes/good')) return inner.send(request, signal)
        throw thrown
      },
    }),
  })
  const { run, plan } = await checkWorkspace({ workspace: 'w', trigger: 'cli', actor }, deps)
  expect(await getRun(deps.store, 'w', run.id)).toMatchObject({ status: 'incomplete' })
  expect(plan?.changes.map(({ address }) => address)).toEqual(['api_box.good'])
  expect(plan?.unchecked.map(({ address }) => address)).toContain('api_box.bad')
  expect(alerts.length).toBeGreaterThan(0)
}

/** It ends the whole run, because a person wanted that. */
const codes = (Object.keys(errorTable) as ErrorCode[]).filter((code) => code !== 'INTERRUPTED')

describe('a check of which one read throws', () => {
  eachOf(it, 16)(codes)('tells everything else, and that: %s', (code) =>
    checkThrowing(new AppError(code, errorExamples[code] as never)),
  )

  it.each([
    ['an error of the language', new TypeError('x is not a function')],
    ['a text', 'no'],
    ['nothing', undefined],
  ])('tells everything else, and that: %s', (_, thrown) => checkThrowing(thrown))
})
