import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noHistory, type ReadHistory } from '../../../../core/engine/state/runs/reads.ts'
import { chooseReads, type ReadCandidate } from '../../../../core/engine/workflows/session/read/choose-reads.ts'
import { lawRuns } from '../../../builders/laws.ts'

const aResource = (n: number, dependsOn: readonly string[] = []): ReadCandidate => ({
  address: `t.r${n}`,
  provider: `p${n % 2}`,
  type: 't',
  dependsOn,
})
const noLimit = { providers: new Map<string, number>() }

const world = fc
  .record({
    count: fc.integer({ min: 1, max: 25 }),
    costs: fc.array(fc.nat(6), { minLength: 25, maxLength: 25 }),
    needs: fc.array(fc.option(fc.nat(24), { nil: undefined }), { minLength: 25, maxLength: 25 }),
    all: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
    one: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
    failing: fc.array(fc.nat(24)),
  })
  .map(({ count, costs, needs, all, one, failing }) => ({
    // A resource needs an earlier one, so there is no cycle.
    resources: Array.from({ length: count }, (_, n) => {
      const need = needs[n]
      return aResource(n, need !== undefined && n > 0 ? [`t.r${need % n}`] : [])
    }),
    costs,
    budget: { providers: new Map(one === undefined ? [] : [['p0', one]]), ...(all === undefined ? {} : { all }) },
    failing: new Set(failing.map((n) => `t.r${n}`)),
  }))

describe('a check with a limit of requests', () => {
  it('reads each resource within a limited number of checks, whatever fails and costs', () => {
    fc.assert(
      fc.property(world, ({ resources, costs, budget, failing }) => {
        let history: ReadHistory = noHistory
        const read = new Set<string>()
        for (let check = 1; check <= resources.length; check += 1) {
          const { left } = chooseReads(resources, history, budget)
          const chosen = resources.filter(({ address }) => !left.has(address))
          expect(chosen.length).toBeGreaterThan(0)
          // What is read has all that it refers to.
          for (const { dependsOn } of chosen) expect(dependsOn.filter((address) => left.has(address))).toEqual([])
          const entries = chosen.map(({ address }) => {
            read.add(address)
            const n = Number(address.slice(3))
            return [address, [check, failing.has(address) ? 1 : (costs[n] ?? 0), 0]] as const
          })
          history = { ...history, resources: { ...history.resources, ...Object.fromEntries(entries) } }
        }
        expect(read.size).toBe(resources.length)
      }),
      lawRuns(300),
    )
  })

  it('reads all resources without a limit, and those that fit with one', () => {
    const resources = Array.from({ length: 10 }, (_, n) => aResource(n))
    const known = Object.fromEntries(resources.map(({ address }, n) => [address, [100 - n, 2, 1] as const]))
    const history = { ...noHistory, resources: known }
    const timeOf = (_: string, requests: number) => 100 * requests
    expect(chooseReads(resources, history, noLimit, timeOf)).toEqual({
      left: new Set(),
      forecast: { counted: 20, free: 10, chosen: 10, of: 10, checks: 1, seconds: 2 },
    })
    const { left, forecast } = chooseReads(resources, history, { ...noLimit, all: 7 }, timeOf)
    expect([...left]).toEqual(resources.slice(0, 7).map(({ address }) => address))
    expect(forecast).toEqual({ counted: 6, free: 3, chosen: 3, of: 10, checks: 4, budget: 7, seconds: 1 })
  })

  it('reads also resources that cost nothing, when nothing is left', () => {
    const resources = Array.from({ length: 10 }, (_, n) => aResource(n))
    const known = Object.fromEntries(resources.map(({ address }, n) => [address, [n, n === 0 ? 5 : 0, 1] as const]))
    const { left } = chooseReads(resources, { ...noHistory, resources: known }, { ...noLimit, all: 0 })
    expect(left.size).toBe(0)
  })

  it('reads as many of one provider as its own limit allows', () => {
    const resources = Array.from({ length: 10 }, (_, n) => aResource(n))
    const { left, forecast } = chooseReads(resources, noHistory, { providers: new Map([['p1', 2]]) })
    expect([...left]).toEqual(['t.r5', 't.r7', 't.r9'])
    expect(forecast.budget).toBe(2)
  })
})
