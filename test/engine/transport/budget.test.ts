import { describe, expect, it } from 'vitest'
import { budgeted, createBudget, withBudgets } from '../../../core/engine/transport/limits/budget.ts'
import { memo } from '../../../core/engine/transport/memo.ts'
import type { Transport } from '../../../core/engine/transport/transport.ts'
import { checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import { aGet, anAnswer } from '../../builders/values/transports.ts'
import { actor, movableClock, testDeps, yaml } from '../../builders/workspaces/workspace.ts'

const giving = (bytes: number, before: () => void = () => undefined): Transport & { sent: number } => {
  const transport = {
    sent: 0,
    send: async () => {
      transport.sent += 1
      before()
      return { ...anAnswer(200, {}), bytes }
    },
  }
  return transport
}

describe('the limit of bytes', () => {
  it('ends reading at the answer that exceeds it, and nothing is sent after it', async () => {
    const inner = giving(4)
    const way = budgeted(inner, createBudget('a list', { bytes: 10 }))
    await way.send(aGet())
    await way.send(aGet())
    await expect(way.send(aGet())).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
      payload: { of: 'a list', limit: '10 bytes' },
    })
    await expect(way.send(aGet())).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' })
    expect(inner.sent).toBe(3)
  })

  it('can be shared by several transports', async () => {
    const budget = createBudget('this', { bytes: 10 })
    await budgeted(giving(8), budget).send(aGet())
    await expect(budgeted(giving(8), budget).send(aGet())).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' })
  })

  it('counts for each list alone, also where answers are reused', async () => {
    const way = withBudgets(memo(giving(8)), movableClock())
    for (const each of [way, way.afresh ?? way]) {
      const one = each.within?.('a list', { bytes: 10, seconds: 1 }) ?? each
      await one.send(aGet())
      await expect(one.send(aGet())).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' })
    }
  })
})

describe('a check with limits', () => {
  const document = (reads: string) => `
provider: { id: things, baseUrl: "http://api.test", reads: { absent: [404]${reads} }, pagination: { style: page, param: page, pages: pages } }
resources:
  api_thing:
    operations: { list: { method: GET, path: /things }, create: { method: POST, path: /things }, delete: { method: DELETE, path: "/things/{name}" } }
    identity: { keys: [name] }
    lookup: { list: { items: items }, match: [name] }
    parts: [{ name: main, read: list, attributes: { name: { required: true, immutable: true } } }]
  api_other:
    operations: { retrieve: { method: GET, path: "/others/{name}" }, create: { method: POST, path: /others }, delete: { method: DELETE, path: "/others/{name}" } }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, attributes: { name: { required: true, immutable: true } } }]
`
  const workspace = (limits: string) => `
workspace: big
${limits}
providers: { api: { source: rest, definition: ./api.yaml } }
resources:
  - { type: api_other, name: small, spec: { name: small } }
  - { type: api_thing, name: last, dependsOn: [api_other.small], spec: { name: t9 } }
  - { type: api_other, name: after, dependsOn: [api_thing.last], spec: { name: after } }
`
  const run = async (limits: string, reads: string, tick = 0) => {
    const clock = movableClock()
    const send: Transport['send'] = async ({ url }) => {
      clock.forward(tick)
      const { pathname, searchParams } = new URL(String(url))
      const page = Number(searchParams.get('page'))
      const body =
        pathname === '/things'
          ? { items: [{ name: `t${page}` }], pages: 9 }
          : { name: pathname.split('/').at(-1) ?? '' }
      return { ...anAnswer(200, body), bytes: 1_000 }
    }
    const { deps, alerts } = testDeps({
      clock,
      bundle: yaml(workspace(limits), { 'api.yaml': document(reads) }),
      transport: () => ({ send }),
    })
    const checked = await checkWorkspace({ workspace: 'big', trigger: 'cli', actor }, deps)
    return {
      ...checked,
      alerts,
      unchecked: checked.plan?.unchecked.map(({ address, reason }) => `${address} ${reason}`),
    }
  }

  it('reads everything that is within its limits', async () => {
    expect((await run('', '')).run.status).toBe('in_sync')
  })

  it.each([
    ['bytes of a list', '', ', list: { bytes: 5000 }', 0, 'budget'],
    ['seconds of a list', '', ', list: { seconds: 5 }', 1_000, 'deadline'],
  ])('leaves a list beyond its %s unchecked, and reads on', async (_, limits, reads, tick, reason) => {
    const { run: stored, unchecked, alerts } = await run(limits, reads, tick)
    expect(stored.status).toBe('incomplete')
    expect(unchecked).toContain(`api_thing.last ${reason}`)
    expect(unchecked).not.toContain(`api_other.small ${reason}`)
    expect(alerts).toHaveLength(1)
  })

  it.each([
    ['bytes', 'limits: { bytes: 5000 }', 0, 'budget'],
    ['time', 'limits: { time: 5s }', 1_000, 'deadline'],
  ])('leaves the rest unchecked beyond its own %s, is stored, and reports that', async (_, limits, tick, reason) => {
    const { run: stored, plan, unchecked, alerts } = await run(limits, '', tick)
    expect(stored.status).toBe('incomplete')
    expect(plan?.changes).toEqual([])
    expect(unchecked).toEqual(expect.arrayContaining([`api_thing.last ${reason}`, `api_other.after ${reason}`]))
    expect(alerts).toHaveLength(1)
  })
})
