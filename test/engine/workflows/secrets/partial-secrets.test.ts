import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { readLedger } from '../../../../core/engine/state/ledger.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import type { Store } from '../../../../core/engine/state/store/store.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { aLoopback } from '../../../builders/servers/loopback.ts'
import { renderPlan } from '../../../builders/values/rendered.ts'
import { actor, movableClock, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/*
 * What nobody declares of a `partial` value may be anything, the hash of a password too: nothing of it is stored, planned,
 * logged or told, whether the attribute is computed or not; what references name is read through them, and nothing beside it.
 */

const document = `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} }, pagination: { style: none } }
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: POST, path: /things }
      update: { method: PATCH, path: "/things/{name}" }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes:
          name: { required: true }
          note: { leftOut: true, type: any }
          made: { type: any, partial: true, computed: true, leftOut: true }
          extra: { type: any, partial: true, leftOut: true }
`

const canary = '$2b$12$c4n4ry'
const name = fc.constantFrom('a', 'b', 'c', 'hash', '0', 'constructor')
/** Anything, with what nobody may keep at every leaf. */
const hidden: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.nat(99).map((number) => `${canary}${number}`),
    fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 3 }),
    fc.array(tie('value'), { minLength: 1, maxLength: 2 }),
  ),
})).value
const hiddenObject = fc.dictionary(name, hidden, { maxKeys: 3 }) as fc.Arbitrary<JsonObject>

/** `open` at the end of the steps, each in the middle of what is hidden. */
const around = (steps: readonly string[], open: Json, beside: JsonObject): Json =>
  steps.reduceRight<Json>((inner, step) => ({ ...beside, [step]: inner }), open)

const recording = (inner: Store) => {
  const stored: unknown[] = []
  const write: Store['write'] = (writes) => {
    stored.push(...writes)
    return inner.write(writes)
  }
  return { stored, store: { ...inner, write } }
}

const serverOf = async (objects: Map<string, JsonObject>) => {
  const server = await aLoopback((request, response) => {
    const sent = JSON.parse(server.seen.at(-1)?.body || '{}') as JsonObject
    const own = request.method === 'POST' ? String(sent['name']) : (request.url ?? '').split('/')[2]
    if (own !== undefined && request.method !== 'GET') objects.set(own, { ...objects.get(own), ...sent })
    const found = own === undefined ? [...objects.values()] : objects.get(own)
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found ?? {}))
  })
  return server
}

interface World {
  readonly attribute: 'made' | 'extra'
  readonly steps: readonly string[]
  readonly open: Json
  readonly beside: JsonObject
  readonly later: JsonObject
}

/** Checks, applies, and checks again after all that is hidden moved; everything that came out of it. */
const runOver = async ({ attribute, steps, open, beside, later }: World) => {
  const value = around(steps, open, beside)
  const a: JsonObject = { name: 'a', note: 'n', made: beside, extra: beside, [attribute]: value }
  const objects = new Map([['a', a]])
  await using server = await serverOf(objects)
  const { stored, store } = recording(memoryStore(movableClock()))
  const reference = ['${resource.api_thing.a', attribute, ...steps].join('.')
  const configuration = (note: string) =>
    yaml(
      JSON.stringify({
        workspace: 'things',
        providers: { api: { source: 'rest', definition: './a.provider.yaml', with: { baseUrl: server.url } } },
        resources: [
          { type: 'api_thing', name: 'a', spec: { name: 'a', note } },
          { type: 'api_thing', name: 'b', spec: { name: 'b', note: `${reference}}` } },
        ],
      }),
      { 'a.provider.yaml': document },
    )
  const { deps, alerts } = testDeps({ bundle: configuration('m'), store })
  const out: unknown[] = []
  const check = async () => {
    const checked = await checkWorkspace({ workspace: 'things', trigger: 'cli', actor }, deps)
    out.push(checked)
    if (checked.plan !== undefined)
      out.push(renderPlan(checked.plan, { format: 'text' }), renderPlan(checked.plan, { format: 'json' }))
    return checked
  }
  const { plan } = await check()
  const digest = plan?.digests.commands ?? ''
  const { id } = await requestApply({ workspace: 'things', mode: 'execute', digest, reason: 'r', actor }, deps)
  out.push(await runApply({ workspace: 'things', applyId: id }, deps))
  const made = objects.get('b')?.['note']
  objects.set('a', {
    ...objects.get('a'),
    made: later,
    extra: later,
    [attribute]: around(steps, open, later),
    note: 'x',
  })
  await check()
  out.push(alerts, await Array.fromAsync(readLedger(deps.store, 'things')), stored)
  return { made, told: out.map((each) => `${JSON.stringify(each)}\n${inspect(each, { depth: null })}`).join('\n') }
}

describe('a value of which only a part is declared', () => {
  const steps = fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 3 })
  const open = fc.oneof(fc.constantFrom<Json>('open-text', 7, true), fc.constant<Json>(['open-1', 'open-2']))
  const attribute = fc.constantFrom<'made' | 'extra'>('made', 'extra')

  it(
    'gives the part that a reference names, and stores nothing else',
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.record({ attribute, steps, open, beside: hiddenObject, later: hiddenObject }),
          async (world) => {
            const { made, told } = await runOver(world)
            expect(made).toEqual(world.open)
            expect(told).not.toContain(canary)
          },
        ),
        lawRuns(15),
      ),
    120_000,
  )

  it(
    'passes on a whole object that a reference names, and stores nothing of it',
    () =>
      fc.assert(
        fc.asyncProperty(fc.record({ attribute, steps, open: hiddenObject, beside: hiddenObject }), async (world) => {
          fc.pre(Object.keys(world.open as JsonObject).length > 0)
          const { made, told } = await runOver({ ...world, later: world.beside })
          expect(made).toEqual(world.open)
          expect(told).not.toContain(canary)
        }),
        lawRuns(10),
      ),
    120_000,
  )
})
