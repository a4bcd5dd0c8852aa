import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { spellings } from '../../../builders/generators/spellings.ts'
import { eachOf } from '../../../builders/long.ts'
import { aLoopback } from '../../../builders/servers/loopback.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* What a server says where it refuses a sign-in, or to tell who the caller is, comes along without any secret. */

const secrets = { 'env:ID': 'ow7er/é 1&"x"', 'env:SECRET': `c@n4ry/"é\\ +key&<x>'%41` }
const token = 't0ken "of" the/idp+=&1'
const canaries = [...Object.values(secrets), token]

const document = `
provider:
  id: t
  baseUrl: "{with.baseUrl}"
  with: { baseUrl: {}, id: { secret: true }, secret: { secret: true } }
  auth: { oauth2: { tokenUrl: "{with.baseUrl}/token", clientId: "{with.id}", clientSecret: "{with.secret}" } }
  errors: { message: detail }
  me: { read: { method: GET, path: /me }, as: { id: id } }
resources:
  t_item:
    operations:
      retrieve: { method: GET, path: "/users/{me.id}/items/{name}" }
      create: { method: PUT, path: "/users/{me.id}/items/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { preventDelete: true }
    parts: [{ name: main, read: retrieve, attributes: { name: { in: path, required: true }, key: { sensitive: true, writeOnly: true, immutable: true } } }]
`

/** What a check says and stores where `/token` and `/me` answer so. */
const checked = async (answers: Readonly<Record<string, readonly [status: number, body: JsonObject]>>) => {
  await using api = await aLoopback((request, response) => {
    const [status, body] = answers[request.url ?? ''] ?? [404, {}]
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  const { deps, secrets: kept } = testDeps({
    bundle: yaml(
      `workspace: w\nproviders: { t: { source: rest, definition: ./t.yaml, with: { baseUrl: "${api.url}", id: { secret: "env:ID" }, secret: { secret: "env:SECRET" } } } }\nresources: [{ type: t_item, name: a, spec: { name: one } }]`,
      { 't.yaml': document },
    ),
  })
  Object.assign(kept, secrets)
  const { run, plan } = await checkWorkspace({ workspace: 'w', trigger: 'cli', actor }, deps)
  return { told: plan?.unchecked[0]?.detail ?? '', all: JSON.stringify([run, plan]) }
}

const granted = [200, { access_token: token }] as const

describe('the words of a server', () => {
  it.each<[string, number, JsonObject, string]>([
    [
      'as OAuth2 has them',
      401,
      { error: 'invalid_client', error_description: 'The client is locked.' },
      '/token answered 401 (invalid_client): The client is locked.',
    ],
    ['as a message', 403, { message: 'Your plan has no API.' }, '/token answered 403: Your plan has no API.'],
    ['inside of an error', 400, { error: { message: 'No such tenant.' } }, '/token answered 400: No such tenant.'],
    ['by field', 400, { scope: ['is unknown'] }, '/token answered 400: scope: is unknown'],
    ['a code alone', 401, { error: 'invalid_client' }, '/token answered 401 (invalid_client)'],
  ])('come along where a sign-in is refused: %s', async (_, status, body, said) => {
    const { told } = await checked({ '/token': [status, body] })
    expect(told.endsWith(said) ? said : told).toBe(said)
  })

  it('come along where who the caller is could not be read, though the type has secrets', async () => {
    const { told } = await checked({ '/token': granted, '/me': [403, { detail: 'The token lacks "profile".' }] })
    expect(told).toMatch(/who the caller is could not be read: .*\/me answered 403.*The token lacks "profile"\./)
  })

  eachOf(it, 3)(Object.entries(spellings))('hold no secret that the server repeats: %s', async (_, spell) => {
    const words = (sent: readonly string[]) => sent.map((secret) => `you sent ${spell(secret)} to us`).join(', ')
    // A secret that a limit of length would cut in two.
    const long = (secret: string) => `${'x'.repeat(480)} ${spell(secret)}`
    for (const [path, body] of [
      ['/token', { error: 'invalid_client', error_description: words(Object.values(secrets)) }],
      ['/token', { error_description: long(secrets['env:SECRET']) }],
      ['/me', { detail: words(canaries) }],
      ['/me', { detail: long(token) }],
    ] as const) {
      const { told, all } = await checked({ '/token': granted, [path]: [401, body] })
      expect(told).toMatch(/you sent .*\(secret\)|xxx/s)
      for (const secret of canaries) {
        for (const part of [spell(secret), secret, secret.slice(0, 6)]) expect(all).not.toContain(part)
      }
    }
  })
})
