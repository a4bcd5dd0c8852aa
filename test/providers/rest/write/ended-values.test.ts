import { expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { anApi, planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

/* What an object has in one mode alone (`appliesWhen`): who changes the mode may lose it, whatever request changes it. */

const documentOf = (more: string): string => `
provider: { id: api, baseUrl: "http://api.test" }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: PUT, path: "/things/{name}" }
      update: { method: PATCH, path: "/things/{name}" }
      open: { method: POST, path: "/things/{name}/open", body: none }
      close: { method: POST, path: "/things/{name}/close", body: none }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { preventDelete: true }
${more}
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes:
          name: { in: path }
          mode: {}
          chosen: { type: list, element: {}, leftOut: true, appliesWhen: { mode: [selected] } }
          limit: { default: "0", appliesWhen: { mode: [selected] } }`

const calls = `    actions:
      open: { on: [mode], when: { mode: [all] }, op: open }
      close: { on: [mode], when: { mode: [selected] }, op: close }`

const gradesOf = async (there: Record<string, Json>, spec: Record<string, Json>, more = '') => {
  const api = anApi({ 'GET /things/x': { body: { name: 'x', ...there } } })
  const { commands } = await planOne(
    typeOf(providerOf(documentOf(more), {}), 'api_thing'),
    { spec: { name: 'x', ...spec } },
    api,
  )
  return commands.map(({ grade, loses }) => [grade, loses])
}

const selected = { mode: 'selected', chosen: ['a', 'b'], limit: '5' }

it.each([
  ['a write', ''],
  ['a call', calls],
])('is told to be lost by %s', async (_, more) => {
  expect(await gradesOf(selected, { mode: 'all' }, more)).toEqual([['lossy', ['/chosen/*', '/limit']]])
})

it.each<[string, Record<string, Json>, Record<string, Json>]>([
  ['it has nothing of it', { mode: 'selected', chosen: [], limit: '0' }, { mode: 'all' }],
  ['it comes into this mode', { mode: 'all', chosen: ['a'] }, { mode: 'selected' }],
  ['it stays in the mode', selected, { mode: 'selected', chosen: ['a'] }],
])('nothing is said where %s', async (_, there, spec) => {
  expect(await gradesOf(there, spec)).toEqual([['reversible', undefined]])
})
