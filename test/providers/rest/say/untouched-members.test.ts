import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { renderText } from '../../../../core/pages/render/formats/text/render-text.ts'
import { reportOfPlan } from '../../../../core/pages/render/report/report-of-plan.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* Of an element that changes, the plan shows what changes: not what nobody named and what stays. */

const resource = (facts: string) => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: "/things/{name}" }
  update: { method: PUT, path: "/things/{name}" }
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - name: main
    read: retrieve
    write: { op: update, send: full }
    attributes:
      name: { required: true, immutable: true }
      rules:
        ${facts}
        element:
          type: object
          attributes:
            port: { type: number }
            host: {}
            on: { type: boolean, default: true }
            off: { type: boolean, default: false }
            note: {}
            id: { type: number, computed: true }
`

const checkOf = async (facts: string, there: Json, rules: Json) => {
  await using server = await startThings()
  server.state.set('/things/one', JSON.stringify({ name: 'one', rules: there }))
  const { check, apply } = driveThings(server, resource(facts), { one: { name: 'one', rules } })
  const { plan, digest } = await check()
  const { status } = await apply(digest)
  const after = JSON.parse(server.state.get('/things/one') ?? '{}') as { rules: Json }
  return { page: renderText(reportOfPlan(plan)), status, after: after.rules, inSync: (await check()).plan.inSync }
}

const rowsOf = (page: string): readonly string[] =>
  page
    .split('\n')
    .flatMap((line) => /^ +([~+-] (?:port|on|off|note|id|host) .*)$/.exec(line)?.[1]?.replace(/ +/g, ' ') ?? [])

const one = { port: 1, host: 'one.example.org', on: true, id: 7, extra: 'y' }
const two = { port: 2, host: 'two.example.org', on: true, off: false, id: 8 }

describe('a plan shows of an element what changes', () => {
  it.each([
    ['a list', 'type: list'],
    ['a set', 'type: set'],
    ['a set with a key', '{ type: set, key: [host] }'],
  ])('alone, and no default or computed member that stays, in %s', async (_, facts) => {
    const own = facts.replace(/^\{ | \}$/g, '').replace(', ', '\n        ')
    const rules = [
      { port: 5, host: 'one.example.org' },
      { port: 2, host: 'two.example.org' },
    ]
    const { page, status, inSync } = await checkOf(own, [one, two], rules)
    expect(rowsOf(page)).toEqual(['~ port 1 -> 5'])
    expect([status, inSync]).toEqual(['succeeded', true])
  })

  it('and members that nobody named stay in the list as they were', async () => {
    const { after } = await checkOf('type: list', [one], [{ port: 5, host: 'one.example.org' }])
    expect(after).toEqual([{ port: 5, host: 'one.example.org', id: 7, extra: 'y' }])
  })

  it('with the default of a member that goes back to it, and a member without one that goes', async () => {
    const there = [{ ...one, on: false, off: false, note: 'x' }]
    const { page, after } = await checkOf('type: list', there, [{ port: 1, host: 'one.example.org', off: true }])
    expect(rowsOf(page)).toEqual(['~ on false -> true', '~ off false -> true', '- note "x"'])
    expect(after).toEqual([{ port: 1, host: 'one.example.org', off: true, id: 7, extra: 'y' }])
  })
})
