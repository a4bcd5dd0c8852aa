import { expect, it } from 'vitest'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { aLoopback } from '../../../builders/servers/loopback.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const secret = 'a-token-that-nobody-may-see'

const document = `
provider: { id: t, with: { baseUrl: {}, token: { secret: true } }, baseUrl: "{with.baseUrl}", auth: { header: { name: X-Token, secret: "{with.token}" } } }
resolvers:
  team: { list: { method: GET, path: /teams }, items: "", name: name }
resources:
  t_item:
    operations:
      retrieve: { method: GET, path: "/teams/{refs.team.key}/items/{name}" }
      create: { method: POST, path: "/teams/{refs.team.key}/items" }
      delete: { method: DELETE, path: "/teams/{refs.team.key}/items/{name}" }
    identity: { keys: [team, name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, attributes: { team: { in: path, ref: { resolver: team, emit: id } }, name: { immutable: true } } }]
`

it('a secret that the target repeats in what is referred to reaches no URL and no record', async () => {
  await using api = await aLoopback((request, response) => {
    const isList = request.url === '/teams'
    response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isList ? [{ id: '7', name: 'ours', key: secret }] : { error: 'none' }))
  })
  const { deps, secrets } = testDeps({
    bundle: yaml(
      `workspace: w\nproviders: { t: { source: rest, definition: ./t.yaml, with: { baseUrl: "${api.url}", token: { secret: "env:T" } } } }\nresources: [{ type: t_item, name: a, spec: { team: ours, name: one } }]`,
      { 't.yaml': document },
    ),
  })
  secrets['env:T'] = secret
  const { run, plan } = await checkWorkspace({ workspace: 'w', trigger: 'cli', actor }, deps)
  expect(run.status).toBe('incomplete')
  expect(plan?.unchecked).toMatchObject([{ address: 't_item.a', reason: 'bad_body' }])
  expect(JSON.stringify([run, plan])).not.toContain(secret)
  expect(api.seen.map(({ url }) => url)).toEqual(['/teams'])
})
