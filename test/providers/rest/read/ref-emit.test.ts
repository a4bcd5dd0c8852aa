import { expect, it } from 'vitest'
import { checkProvider } from '../../../../core/tools/authoring/check-provider.ts'
import { configureText } from '../../../builders/workspaces/rest.ts'

const document = (emit: string, team: string): string => `
provider: { id: api, baseUrl: "http://api.test", pagination: { style: none } }
resources:
  api_team:
    operations:
      list: { method: GET, path: /teams }
      retrieve: { method: GET, path: "/teams/{name}" }
      create: { method: PUT, path: "/teams/{name}" }
      delete: { method: DELETE, path: "/teams/{name}" }
    identity: { keys: [name] }
    ${team}
    parts: [{ name: main, read: list, attributes: { name: { path: title, send: title, immutable: true } } }]
  api_member:
    operations:
      retrieve: { method: GET, path: "/members/{name}" }
      create: { method: PUT, path: "/members/{name}" }
      delete: { method: DELETE, path: "/members/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, attributes: { name: { in: path }, team: { immutable: true, ref: { type: api_team, emit: ${emit} } } } }]
`
const byKey = 'lookup: { retrieve: true }'
const followed =
  'lookup: { list: { op: list }, match: [name], ids: { id: team_id }, follow: retrieve }\n    serverId: { id: id }'
const told = (text: string): readonly string[] => {
  const own = text.replace('read: list,', 'read: retrieve,')
  expect(configureText(own, {}).ok).toBe(true)
  const { findings } = checkProvider({ name: 'api.yaml', text: own })
  return findings.flatMap(({ code, severity, message }) => (code === 'nameAlone' ? [] : [`${severity} ${message}`]))
}

it.each<[string, string, string]>([
  ['its key', 'title', byKey],
  ['its URL', 'self_url', byKey],
  ['what a list shows', 'slug', `${byKey}\n    discover: { op: list }`],
  ['its id', 'id', followed],
])('the value that a reference writes is also recognised in a read: %s', (_, emit, team) => {
  expect(told(document(emit, team))).toEqual([])
})

it.each<[string, string, string]>([
  ['nothing lists them', 'slug', byKey],
  ['an id that nothing is read by', 'id', byKey],
  ['the list is of another collection', 'slug', followed],
])('a reference with an unrecognisable value is reported, and works by name: %s', (_, emit, team) => {
  expect(told(document(emit, team))).toEqual([
    `warning nothing finds a api_team by the "${emit}" that this reference gives for it`,
  ])
})
