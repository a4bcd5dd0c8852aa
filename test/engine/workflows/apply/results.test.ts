import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../core/engine/errors/errors.ts'
import type { ResourceResult } from '../../../../core/engine/schema/stored/outcome.ts'
import type { Apply } from '../../../../core/engine/schema/stored/records.ts'
import { readLedger } from '../../../../core/engine/state/ledger.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { verifyLedger } from '../../../../core/engine/workflows/records/verify-ledger.ts'
import { renderApply } from '../../../../core/pages/render/plain/render-applies.ts'
import { renderLedger } from '../../../../core/pages/render/plain/render-ledger.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const document = `
provider: { id: net, baseUrl: "http://net.test", reads: { absent: [404] } }
resources:
  net_node:
    operations:
      retrieve: { method: GET, path: "/nodes/{name}" }
      create: { method: PUT, path: "/nodes/{name}" }
      update: { method: PUT, path: "/nodes/{name}" }
      delete: { method: DELETE, path: "/nodes/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: full }
        attributes: { name: { required: true, in: path }, weight: { type: number } }
`

interface Node {
  readonly name: string
  readonly weight: number
  readonly needs: readonly string[]
}

/** How the server treats the writes to a node: it refuses them, does not answer, or does them and does not answer. */
type Fault = 'refused' | 'unanswered' | 'lost'

const addressOf = (name: string): string => `net_node.${name}`

const network = () => {
  const live = new Map<string, number>()
  const faults = new Map<string, Fault>()
  const written: string[] = []
  const { deps, current } = testDeps({
    transport: () => ({
      send: async ({ method, url, body }) => {
        const name = url.split('/').at(-1) ?? ''
        const answer = () =>
          live.has(name)
            ? { status: 200, headers: {}, body: { name, weight: live.get(name) ?? 0 } }
            : { status: 404, headers: {}, body: {} }
        if (method === 'GET') return answer()
        written.push(name)
        const fault = faults.get(name)
        if (fault === 'refused') return { status: 422, headers: {}, body: { message: 'no' } }
        if (fault !== 'unanswered') {
          if (method === 'DELETE') live.delete(name)
          else live.set(name, (body as { readonly weight: number }).weight)
        }
        if (fault !== undefined) throw new AppError('REQUEST_FAILED', { method, url, detail: 'reset' })
        return { status: 200, headers: {}, body: {} }
      },
    }),
  })
  const declare = (nodes: readonly Node[]): void => {
    const resources = nodes.map(
      ({ name, weight, needs }) =>
        `  - { type: net_node, name: ${name}, spec: { name: ${name}, weight: ${weight} }, dependsOn: [${needs.map(addressOf).join(', ')}] }`,
    )
    const head =
      'workspace: net\norphans: delete\nproviders: { net: { source: rest, definition: ./net.provider.yaml } }\n'
    const text = `${head}resources:${resources.length === 0 ? ' []' : `\n${resources.join('\n')}`}\n`
    current.bundle = { ...yaml(text, { 'net.provider.yaml': document }) }
  }
  const check = async () => {
    const { plan } = await checkWorkspace({ workspace: 'net', trigger: 'cli', actor }, deps)
    if (plan === undefined) throw new Error('not planned')
    return plan
  }
  const apply = async (digest: string, stopAfter = Number.POSITIVE_INFINITY): Promise<Apply> => {
    const { id } = await requestApply({ workspace: 'net', mode: 'execute', digest, reason: 'r', actor }, deps)
    written.splice(0)
    const shouldStop = (): boolean => written.length >= stopAfter
    return runApply({ workspace: 'net', applyId: id, shouldStop }, deps)
  }
  const last = async (apply: Apply) =>
    (await Array.fromAsync(readLedger(deps.store, 'net'))).findLast(({ applyId }) => applyId === apply.id)
  return { live, faults, written, deps, declare, check, apply, last }
}

/** Nodes that are made first, what becomes of each of them, and the faults of the second apply. */
const anyStory = fc.integer({ min: 1, max: 9 }).chain((size) =>
  fc.record({
    nodes: fc.tuple(
      ...Array.from({ length: size }, (_, n) =>
        fc.record({
          needs: fc.subarray(
            Array.from({ length: n }, (_, i) => `n${i}`),
            { maxLength: Math.min(n, 3) },
          ),
          was: fc.boolean(),
          goes: fc.boolean(),
          /** It needs nothing any more. */
          letsGo: fc.boolean(),
          differs: fc.boolean(),
          fault: fc.option(fc.constantFrom<Fault>('refused', 'unanswered', 'lost'), { nil: undefined, freq: 2 }),
        }),
      ),
    ),
    stopAfter: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined, freq: 3 }),
  }),
)

interface Told {
  readonly needs: readonly string[]
  readonly was: boolean
  readonly goes: boolean
  readonly letsGo: boolean
  readonly differs: boolean
}

/** A node exists before if all that it needs does, and goes if anything goes that it still needs. */
const declaredIn = ({ nodes }: { readonly nodes: readonly Told[] }) => {
  const before: Node[] = []
  const after: Node[] = []
  const names = (some: readonly Node[]) => new Set(some.map(({ name }) => name))
  for (const [n, { needs: needed, was, goes, letsGo, differs }] of nodes.entries()) {
    const name = `n${n}`
    const existed = was && needed.every((each) => names(before).has(each))
    if (existed) before.push({ name, weight: 1, needs: needed })
    const needs = letsGo ? [] : needed
    if (!(existed && goes) && needs.every((each) => names(after).has(each)))
      after.push({ name, weight: existed && !differs ? 1 : 2, needs })
  }
  return { before, after }
}

const told = { needs: [], was: true, goes: false, letsGo: false, differs: false }
/** The update that lets go of a node fails, so the node stays. */
const lettingGo = {
  nodes: [
    { ...told, goes: true, fault: undefined },
    { ...told, needs: ['n0'], letsGo: true, differs: true, fault: 'refused' as const },
  ],
  stopAfter: undefined,
}

/** What stays needs less than before, and nothing else changes of it: the order of the deletes is the same in each plan. */
const lettingGoOnly = {
  nodes: [
    { ...told, fault: undefined },
    { ...told, needs: ['n0'], fault: undefined },
    { ...told, needs: ['n0'], letsGo: true, fault: undefined },
    { ...told, needs: ['n1'], goes: true, fault: undefined },
    { ...told, needs: ['n2'], goes: true, fault: undefined },
  ],
  stopAfter: undefined,
}

describe('the results of an apply', () => {
  it('law: name each resource of the plan once, and applying again sends exactly the rest', async () => {
    await fc.assert(
      fc.asyncProperty(anyStory, async (story) => {
        const { before, after } = declaredIn(story)
        const { live, faults, written, deps, declare, check, apply, last } = network()
        declare(before)
        const first = await check()
        if (first.commands.length > 0) await apply(first.digests.commands)
        declare(after)
        const plan = await check()
        if (plan.commands.length === 0) return
        for (const [n, { fault }] of story.nodes.entries()) if (fault !== undefined) faults.set(`n${n}`, fault)
        const ended = await apply(plan.digests.commands, story.stopAfter)
        const { resources = [], results } = ended
        const of = (result: ResourceResult['result']) => resources.filter((each) => each.result === result)
        const sent = new Set(written.map(addressOf))

        // A partition of the resources of the plan, in its order.
        expect(resources.map(({ address }) => address)).toEqual(plan.changes.map(({ address }) => address))
        const waits = new Map(
          plan.changes.map(({ address, action }) => [
            address,
            action === 'delete'
              ? before
                  .filter(({ needs }) => needs.map(addressOf).includes(address))
                  .map(({ name }) => addressOf(name))
                  .filter((each) => plan.changes.some((change) => change.address === each))
              : (after.find(({ name }) => addressOf(name) === address)?.needs ?? []).map(addressOf),
          ]),
        )
        // Each write comes after those that it waits for.
        const order = written.map(addressOf)
        for (const [at, address] of order.entries())
          for (const needed of waits.get(address) ?? []) expect(order.indexOf(needed)).toBeLessThan(at)
        const failed = new Set(of('failed').map(({ address }) => address))
        const failedBehind = (address: string): readonly string[] =>
          (waits.get(address) ?? []).flatMap((each) => [...(failed.has(each) ? [each] : []), ...failedBehind(each)])
        // Where deletes without a response took everything, the read after it does not believe that all is gone.
        const unread = (ended.left ?? []).filter(({ kind }) => kind === 'unchecked')
        for (const { detail } of unread) expect(detail).toContain('out_of_sight')
        const hidden = new Set(unread.map(({ address }) => address))
        for (const { address, result, because, verdict } of resources) {
          const [, name = ''] = address.split('.')
          if (result === 'failed') expect([sent.has(address), faults.has(name)]).toEqual([true, true])
          if (result === 'applied') expect([sent.has(address), faults.has(name)]).toEqual([true, false])
          if (result === 'skipped' || result === 'remaining') expect(sent.has(address)).toBe(false)
          // Skipped if and only if it waits for one that failed; whatever was not reached remains.
          if (result === 'skipped') expect(failedBehind(address)).toContain(because)
          else expect(because).toBeUndefined()
          if (story.stopAfter === undefined) expect(result === 'remaining').toBe(false)
          if (result === 'applied') expect(failedBehind(address)).toEqual([])
          const wanted = after.find((node) => node.name === name)?.weight
          expect(verdict).toBe(hidden.has(address) ? 'unknown' : live.get(name) === wanted ? 'in_sync' : 'differs')
        }

        // The counts agree in the record, the text and the ledger.
        const counted = {
          applied: of('applied').length,
          failed: of('failed').length,
          skipped: of('skipped').length,
          remaining: of('remaining').length,
        }
        expect(results).toEqual(counted)
        const { applied, skipped, remaining } = counted
        const words = `${applied} applied, ${failed.size} failed, ${skipped} skipped, ${remaining} remaining`
        expect(renderApply(ended)).toContain(`Resources: ${words}\n`)
        const isDoneYet = of('failed').some(({ verdict }) => verdict === 'in_sync')
        expect(renderApply(ended).includes('and yet it is as configured now')).toBe(isDoneYet)
        const entry = await last(ended)
        expect(entry).toMatchObject({ results: counted })
        expect(renderLedger(entry === undefined ? [] : [entry])).toContain(words)
        expect(await verifyLedger({ workspace: 'net' }, deps)).toMatchObject({ ok: true })

        if (hidden.size > 0) return
        // A new check plans what is not done, and nothing else is sent.
        faults.clear()
        const rest = await check()
        const open = resources.filter(({ verdict }) => verdict !== 'in_sync').map(({ address }) => address)
        expect(rest.changes.map(({ address }) => address).toSorted()).toEqual(open.toSorted())
        if (open.length === 0) return
        const again = await apply(rest.digests.commands)
        expect(written.map(addressOf).toSorted()).toEqual(open.toSorted())
        expect(again).toMatchObject({ status: 'succeeded', results: { applied: open.length, failed: 0 } })
        expect((await check()).inSync).toBe(true)
      }),
      { ...lawRuns(60), examples: [[lettingGo], [lettingGoOnly]] },
    )
  })
})
