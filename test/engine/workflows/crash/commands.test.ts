import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { hasEnded } from '../../../../core/engine/schema/stored/records.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { verifyLedger } from '../../../../core/engine/workflows/records/verify-ledger.ts'
import { lawCases } from '../../../builders/laws.ts'
import {
  type GuardedShape,
  guardedResource,
  startGuarded,
  type Thing,
} from '../../../builders/servers/guarded-things.ts'
import { driveThings } from '../../../builders/servers/things-api.ts'
import { type CrashPoint, withCrash } from '../../../builders/time/crash-point.ts'
import { actor, movableClock } from '../../../builders/workspaces/workspace.ts'

/*
 * A worker dies around one of its writes, on a server that has accepted it and shows nothing of it. What makes something is
 * not sent again: nobody can tell it from what was never sent. What does the same twice as once is.
 */

const workspace = 'things'
const spec: JsonObject = {
  name: 'x',
  kind: 'a',
  title: 'new',
  color: 'blue',
  mode: 'auto',
  rules: [{ key: 'd', value: '2' }],
}
const stored = (): Thing => ({
  main: { id: '1', name: 'x', kind: 'b', title: 'old', note: 'old', extra: 'x', state: 'on' },
  settings: { color: 'red', mode: 'auto' },
  rules: [{ key: 'a', value: '1' }],
})

type What = 'create' | 'update' | 'replace' | 'delete'
const wanted: Readonly<Record<What, Readonly<Record<string, JsonObject>>>> = {
  create: { x: spec },
  update: { x: { ...spec, kind: 'b' } },
  replace: { x: spec },
  delete: {},
}

const shape: GuardedShape = { send: 'changed', rules: 'each', lock: 'none', action: true, order: 'deleteFirst' }
const shapes: readonly (readonly [What, GuardedShape])[] = [
  ['create', shape],
  ['update', shape],
  ['update', { ...shape, send: 'full', rules: 'batch' }],
  ['update', { ...shape, send: 'jsonPatch', rules: 'all' }],
  ['replace', shape],
  ['replace', { ...shape, order: 'createFirst' }],
  ['delete', shape],
]

/** An approved apply of which nothing was sent yet, on a server of its own. */
const begin = async ([what, given]: readonly [What, GuardedShape]) => {
  const server = await startGuarded()
  const clock = movableClock()
  const drive = driveThings(server, guardedResource(given), what === 'create' ? {} : { x: spec }, {
    clock,
    store: memoryStore(clock),
  })
  if (what !== 'create') {
    server.things.set('1', stored())
    await drive.check()
  }
  drive.want(wanted[what])
  const { plan, digest } = await drive.check()
  const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'test', actor }, drive.deps)
  return { ...drive, server, clock, id, plan }
}

/** Runs until the point, then no more; the server accepts its nth write from 1 without showing anything of it. */
const dieAt = async ({ deps, server, id, clock }: Awaited<ReturnType<typeof begin>>, point: CrashPoint, n: number) => {
  const died = Promise.withResolvers<'died'>()
  const die = (): Promise<never> => {
    died.resolve('died')
    return new Promise(() => {})
  }
  server.behaviour.refuse = (count) => (count === n ? { status: 202 } : undefined)
  const end = await Promise.race([died.promise, runApply({ workspace, applyId: id }, withCrash(deps, point, die))])
  clock.forward(61_000)
  return end === 'died'
}

const lineOf = ({ method, url, body }: { method: string | undefined; url: string | undefined; body: string }): string =>
  `${method} ${url} ${body}`

const moments = [
  { at: 'intent', when: 'after' },
  { at: 'attempt', when: 'before' },
  { at: 'attempt', when: 'after' },
  { at: 'send', when: 'after' },
  { at: 'result', when: 'before' },
  { at: 'result', when: 'after' },
] as const

describe('the commands that a dead worker may have sent', () => {
  const cases = shapes.flatMap((each) => moments.map((moment) => ({ each, moment, name: each[0], ...moment })))
  it.each(lawCases(cases, 6))(
    'are resolved by the next worker: $name ($each.1.rules, $each.1.order), a death $when $at',
    async ({ each, moment }) => {
      for (let n = 1; ; n += 1) {
        const world = await begin(each)
        await using server = world.server
        if (!(await dieAt(world, { ...moment, n }, n))) return expect(n).toBeGreaterThan(1)
        const command = world.plan.commands[n - 1]
        const isOnce =
          command?.action === 'create' ||
          command?.action === 'call' ||
          (command?.footprint?.elements !== undefined && !/^(PUT|DELETE)$/.test(command.request.method))
        const mayBeOut =
          moment.at === 'send' || moment.at === 'result' || (moment.at === 'attempt' && moment.when === 'after')
        const writes = () => server.seen.filter(({ method }) => method !== 'GET').map((each) => lineOf(each))
        const last = moment.at === 'attempt' ? undefined : writes().at(-1)
        const ended = await runApply({ workspace, applyId: world.id, patient: true }, world.deps)
        expect(hasEnded(ended)).toBe(true)
        // Nothing that makes something reaches the server twice, whatever the ways on.
        const isNoted = moment.at === 'result' && moment.when === 'after'
        const outcome = ended.outcomes.find((each) => each.command === command?.id)
        if (isOnce && mayBeOut && !isNoted && outcome !== undefined) {
          const sent = writes().filter((write) => last !== undefined && write === last)
          expect(sent.length).toBeLessThan(2)
          expect(outcome).toMatchObject({
            status: 'unknown',
            detail: expect.stringMatching(/may have been sent|noted/),
          })
          expect(ended.error).toBeDefined()
        }
        if (!mayBeOut) expect(outcome?.detail ?? '').not.toContain('may have been sent')
        const entries = await world.ledger()
        const ids = (kind: string) =>
          new Set(entries.flatMap((entry) => (entry.kind === kind ? [entry.command?.['id']] : [])))
        expect(ids('intent').difference(ids('result'))).toEqual(new Set())
        expect(await verifyLedger({ workspace }, world.deps)).toMatchObject({ ok: true })
      }
    },
  )
})
