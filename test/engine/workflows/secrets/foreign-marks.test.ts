import { expect, it } from 'vitest'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { eachOf } from '../../../builders/long.ts'
import { aLoopback } from '../../../builders/servers/loopback.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'
import { aThing, aWorld } from '../../../semantics/world.ts'

const provider = `
provider: { id: marks, with: { baseUrl: {} }, baseUrl: "{with.baseUrl}" }
resources:
  marks_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: PUT, path: "/things/{name}" }
      update: { method: PATCH, path: "/things/{name}" }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: full }
        attributes: { name: { in: path }, size: { type: number }, open: { type: any }, closed: { type: any, sensitive: true } }
`
const looksLikeMarks = { $secret: 'env:HOME', $literal: { inner: [{ $after: 'marks_thing.one', pointer: '/size' }] } }

it.each(['open', 'closed'])(
  'a value of an API that looks like an internal mark is sent back unchanged, where it is %s',
  async (attribute) => {
    const thing = { name: 'one', size: 1, [attribute]: looksLikeMarks }
    await using api = await aLoopback((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(thing))
    })
    const text = `
workspace: marks
providers: { marks: { source: rest, definition: ./marks.yaml, with: { baseUrl: "${api.url}" } } }
resources: [{ type: marks_thing, name: one, spec: { name: one, size: 2 } }]
`
    const { deps } = testDeps({ bundle: yaml(text, { 'marks.yaml': provider }) })
    const { run } = await checkWorkspace({ workspace: 'marks', trigger: 'cli', actor }, deps)
    const digest = run.digests?.commands ?? ''
    const { id } = await requestApply({ workspace: 'marks', mode: 'execute', digest, reason: 'larger', actor }, deps)
    await runApply({ workspace: 'marks', applyId: id }, deps)
    const sent = api.seen.filter(({ method }) => method === 'PATCH').map(({ body }) => JSON.parse(body))
    expect(sent).toEqual([{ size: 2, [attribute]: looksLikeMarks }])
  },
)

const names = ['$secret', '$sealed', '$after', '$ref', '$concat', '$entries', '$literal', '$number', '$live']

eachOf(it, 3)(names)('data with the member %s is data, on both sides and on the way back', async (name) => {
  const theirs = { a: [{ [name]: 'api_thing.a#main', with: { '': 1 } }] }
  const [former, ours] = [
    { [name]: 1, of: [{ [name]: {} }] },
    { [name]: 'env:HOME', at: '/hidden' },
  ]
  const live = { hidden: 'known to the server alone', open: { theirs, ours: former } }
  await using world = await aWorld({
    attributes: 'open: { type: map, manage: declared, element: { type: any } }',
    resources: [aThing('a', { open: { ours } })],
    live: { a: live },
  })
  const { plan, apply } = await world.checkAndApply()
  expect(plan.commands).toMatchObject([{ grade: 'reversible' }])
  expect(apply).toMatchObject({ status: 'succeeded' })
  expect(world.bodyOf('a')).toMatchObject({ ...live, open: { theirs, ours } })
  expect((await world.check()).plan).toMatchObject({ inSync: true })
  world.clock.forward(60_000)
  const undo = await planUndoOf({ workspace: 'things', applyId: apply.id, trigger: 'cli', actor }, world.deps)
  world.clock.forward(1_000)
  expect(await world.apply(undo.plan.digests.commands)).toMatchObject({ status: 'succeeded' })
  expect(world.bodyOf('a')).toMatchObject(live)
})
