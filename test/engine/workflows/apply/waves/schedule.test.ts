import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../../core/engine/errors/errors.ts'
import type { Command } from '../../../../../core/engine/schema/command.ts'
import type { CommandOutcome } from '../../../../../core/engine/schema/stored/outcome.ts'
import {
  type ExecutionPorts,
  executeCommands,
} from '../../../../../core/engine/workflows/apply/execution/execute-commands.ts'
import { canRunBeside, oneByOne, type Traffic } from '../../../../../core/engine/workflows/apply/waves/schedule.ts'
import { lawRuns } from '../../../../builders/laws.ts'
import { aCommand } from '../../../../builders/values/commands.ts'

/* Random plans, in which each step of each command takes as long as fast-check likes. No clock. */

interface Planned {
  readonly commands: readonly Command[]
  readonly traffic: Traffic<Command>
  readonly failing: ReadonlySet<string>
}

const arbPlan: fc.Arbitrary<Planned> = fc
  .record({
    rows: fc.array(
      fc.record({
        resource: fc.nat(5),
        needs: fc.array(fc.nat(20), { maxLength: 2 }),
        claims: fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.constantFrom('alone', 'using', 'moving'), {
          maxKeys: 2,
        }),
        fails: fc.constantFrom(true, false, false, false),
      }),
      { minLength: 1, maxLength: 14 },
    ),
    widths: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })),
    most: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ rows, widths, most }) => {
    const counts = new Map<number, number>()
    const commands: Command[] = []
    const claims = new Map<string, ReadonlyMap<string, string>>()
    const failing = new Set<string>()
    for (const [place, { resource, needs, claims: more, fails }] of rows.entries()) {
      const n = (counts.get(resource) ?? 0) + 1
      counts.set(resource, n)
      const id = `thing.r${resource}#${n}`
      const others = needs.flatMap((each) => (place === 0 ? [] : (commands[each % place]?.id ?? [])))
      commands.push(aCommand(id, { dependsOn: n === 1 ? others : [`thing.r${resource}#${n - 1}`] }))
      claims.set(id, new Map([...Object.entries(more), [`thing.r${resource}`, 'alone']]))
      if (fails) failing.add(id)
    }
    const laneOf = ({ address }: Command) => {
      const odd = Number(address.at(-1)) % 2 === 1
      return { name: odd ? 'odd' : 'even', width: odd ? widths[1] : widths[0] }
    }
    return { commands, failing, traffic: { laneOf, claimsOf: ({ id }) => claims.get(id) ?? new Map(), most } }
  })

interface Seen {
  readonly intents: string[]
  readonly sent: string[]
  readonly results: CommandOutcome[]
  readonly applied: string[]
  readonly faults: string[]
}

const nothing = (): Seen => ({ intents: [], sent: [], results: [], applied: [], faults: [] })

/** Ports that note what must not be. After `dies` calls nothing works any more. */
const watching = (
  { commands, traffic, failing }: Planned,
  scheduler: fc.Scheduler | undefined,
  seen: Seen,
  dies = Number.POSITIVE_INFINITY,
): ExecutionPorts => {
  const running = new Map<string, Command>()
  let calls = 0
  const step = async (what: string): Promise<void> => {
    calls += 1
    if (calls > dies) throw new AppError('STORE_UNAVAILABLE', { detail: 'gone' })
    await scheduler?.schedule(Promise.resolve(), what)
    if (calls > dies) throw new AppError('STORE_UNAVAILABLE', { detail: 'gone' })
  }
  const begin = (command: Command): void => {
    for (const other of running.values()) {
      if (!canRunBeside(traffic.claimsOf(command), traffic.claimsOf(other)))
        seen.faults.push(`${command.id} beside ${other.id}`)
    }
    running.set(command.id, command)
    const { name, width } = traffic.laneOf(command)
    const inLane = [...running.values()].filter((each) => traffic.laneOf(each).name === name).length
    if (inLane > width || running.size > traffic.most) seen.faults.push(`too many: ${[...running.keys()]}`)
    const ended = new Set(seen.results.map((result) => result.command))
    for (const needed of command.dependsOn) if (!ended.has(needed)) seen.faults.push(`${command.id} before ${needed}`)
    const place = commands.indexOf(command)
    for (const other of commands.slice(0, place)) {
      const mustBeDone = !canRunBeside(traffic.claimsOf(command), traffic.claimsOf(other))
      if (mustBeDone && !ended.has(other.id)) seen.faults.push(`${command.id} overtakes ${other.id}`)
    }
  }
  return {
    intent: async (command) => {
      begin(command)
      await step(`intent ${command.id}`)
      seen.intents.push(command.id)
    },
    changedSince: async ({ id }) => void (await step(`look ${id}`)) as undefined,
    send: async ({ id }) => {
      if (!seen.intents.includes(id)) seen.faults.push(`${id} has no intent`)
      await step(`leave ${id}`)
      seen.sent.push(id)
      await step(`answer ${id}`)
      return { status: failing.has(id) ? 422 : 204, headers: {}, body: null }
    },
    isOut: () => false,
    sentBack: () => undefined,
    unsent: async () => {},
    result: async (command, outcome) => {
      await step(`result ${command.id}`)
      seen.results.push(outcome)
      running.delete(command.id)
    },
    applied: async (address) => {
      await step(`applied ${address}`)
      seen.applied.push(address)
    },
    shouldStop: () => false,
    excerpt: () => '',
    now: () => new Date(0),
    sleep: async () => {},
    waiting: async () => {},
    poll: async () => ({ status: 200, headers: {}, body: null }),
    polled: () => {},
  }
}

const sorted = (list: readonly string[]): readonly string[] => list.toSorted()

describe('commands that run at the same time', () => {
  it('end as they would one after the other; none overtakes what it meets, or exceeds a limit', async () => {
    await fc.assert(
      fc.asyncProperty(arbPlan, fc.scheduler(), async (plan, scheduler) => {
        const [alone, beside] = [nothing(), nothing()]
        const expected = await executeCommands(plan.commands, [], watching(plan, undefined, alone), oneByOne)
        const work = executeCommands(plan.commands, [], watching(plan, scheduler, beside), plan.traffic)
        const found = await scheduler.waitFor(work)
        expect(beside.faults).toEqual([])
        expect(found).toEqual(expected)
        expect(sorted(beside.sent)).toEqual(sorted(alone.sent))
        expect(sorted(beside.applied)).toEqual(sorted(alone.applied))
      }),
      lawRuns(300),
    )
  })

  it('start exactly one after the other, in the order of the plan, where the limit is 1', async () => {
    await fc.assert(
      fc.asyncProperty(arbPlan, fc.scheduler(), async (plan, scheduler) => {
        const [alone, beside] = [nothing(), nothing()]
        await executeCommands(plan.commands, [], watching(plan, undefined, alone), oneByOne)
        const traffic = { ...plan.traffic, most: 1 }
        await scheduler.waitFor(
          executeCommands(plan.commands, [], watching({ ...plan, traffic }, scheduler, beside), traffic),
        )
        expect(beside).toEqual(alone)
      }),
      lawRuns(100),
    )
  })

  it('stop after the death of their worker, and the next worker sends each of the rest once', async () => {
    await fc.assert(
      fc.asyncProperty(arbPlan, fc.scheduler(), fc.integer({ min: 1, max: 60 }), async (plan, scheduler, dies) => {
        const all = nothing()
        await executeCommands(plan.commands, [], watching(plan, undefined, all), oneByOne)
        const seen = nothing()
        const first = executeCommands(plan.commands, [], watching(plan, scheduler, seen, dies), plan.traffic)
        const end = await scheduler.waitFor(
          first.then(
            () => 'done',
            () => 'died',
          ),
        )
        const noted = new Set(seen.results.map(({ command }) => command))
        // What the next worker finds out of those that left, as a read of the target shows it.
        const found = seen.sent
          .filter((id) => !noted.has(id))
          .map(
            (command): CommandOutcome => ({
              command,
              status: plan.failing.has(command) ? 'failed' : 'found_done',
            }),
          )
        expect(seen.faults).toEqual([])
        if (end === 'done') return
        seen.results.push(...found)
        const again = executeCommands(plan.commands, [...seen.results], watching(plan, scheduler, seen), plan.traffic)
        const last = await scheduler.waitFor(again)
        expect(last.finished).toBe(true)
        expect(seen.faults).toEqual([])
        expect(sorted(seen.sent)).toEqual(sorted(all.sent))
        expect(new Set(seen.sent).size).toBe(seen.sent.length)
      }),
      lawRuns(300),
    )
  })

  it('wait for their operations at the same time', async () => {
    const wait = [
      {
        request: { method: 'GET', url: 'http://127.0.0.1/operations/1', effect: 'read' as const },
        when: { statuses: [202] },
        state: '/state',
        ok: ['OK'],
        error: [],
        absent: [],
        intervalSeconds: 1,
        backoff: 1,
        timeoutSeconds: 1_000_000,
      },
    ]
    const commands = ['thing.a#1', 'thing.b#1'].map((id) => aCommand(id, { wait }))
    const traffic = { ...oneByOne, laneOf: () => ({ name: '', width: 2 }), most: 2 }
    const waiting = new Set<string>()
    let polls = 0
    let time = 0
    const found = await executeCommands(
      commands,
      [],
      {
        ...watching({ commands, traffic, failing: new Set() }, undefined, nothing()),
        send: async () => ({ status: 202, headers: {}, body: null }),
        now: () => new Date(time),
        sleep: async (milliseconds) => {
          time += milliseconds
        },
        waiting: async ({ id }) => void waiting.add(id),
        poll: async () => {
          polls += 1
          if (polls > 100) throw new AppError('INTERNAL', { detail: 'the other one never began to wait' })
          return { status: 200, headers: {}, body: { state: waiting.size === 2 ? 'OK' : 'BUSY' } }
        },
      },
      traffic,
    )
    expect(found.outcomes.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
  })

  it('are all still to be sent where the time is over before they leave, and none starts after that', async () => {
    const commands = ['thing.a#1', 'thing.b#1', 'thing.c#1'].map((id) => aCommand(id))
    const traffic = { ...oneByOne, laneOf: () => ({ name: '', width: 2 }), most: 2 }
    const seen = nothing()
    const noted: string[] = []
    const found = await executeCommands(
      commands,
      [],
      {
        ...watching({ commands, traffic, failing: new Set() }, undefined, seen),
        send: () => Promise.reject(new AppError('DEADLINE_REACHED', { of: 'this apply', seconds: 1 })),
        unsent: async ({ id }) => void noted.push(id),
      },
      traffic,
    )
    expect(found).toMatchObject({ finished: false, outcomes: [], waiting: [], unsent: ['thing.a#1', 'thing.b#1'] })
    expect(noted.toSorted()).toEqual(found.unsent)
    expect(seen.intents).toEqual(found.unsent)
  })
})
