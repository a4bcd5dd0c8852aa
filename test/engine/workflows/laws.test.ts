import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import type { Transport } from '../../../core/engine/transport/transport.ts'
import { lawRuns } from '../../builders/laws.ts'
import { driveDocument } from '../../builders/servers/things-api.ts'
import { aDocument, aType } from '../../semantics/world.ts'

/*
 * Laws of whole workspaces over checks and applies. An object has its name in its URL, so whose object a write meets is
 * known without the engine.
 */

const base = 'http://things.test'
const document = aDocument({ thing: aType('size: { type: number }') })

/** Objects by name, and the writes that they got. */
const open = () => {
  const live = new Map<string, Json>()
  const writes: { readonly method: string; readonly name: string }[] = []
  const send: Transport['send'] = async ({ method, url, body = null }) => {
    const name = decodeURIComponent(url.split('/').at(-1) ?? '')
    const found = live.get(name)
    if (method === 'GET') return { status: found === undefined ? 404 : 200, headers: {}, body: found ?? {} }
    writes.push({ method, name })
    if (method === 'DELETE') live.delete(name)
    else live.set(name, body)
    return { status: 200, headers: {}, body }
  }
  const drive = driveDocument({ url: base }, document, [], { transport: () => ({ send }) })
  const want = (resources: readonly JsonObject[], more: JsonObject = {}): void => {
    drive.want(resources, more)
    const { bundle } = drive.current
    drive.current.bundle = { ...bundle, files: { ...bundle.files, 'm/module.yaml': module } }
  }
  /** Checks and applies; what was written, once a second check agrees. */
  const converge = async () => {
    writes.splice(0)
    const { digest, plan } = await drive.check()
    expect(plan.unchecked).toEqual([])
    if (plan.commands.length > 0) expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect((await drive.check()).plan).toMatchObject({ inSync: true, changes: [], commands: [] })
    return writes.splice(0)
  }
  return { live, want, converge, check: drive.check, current: drive.current }
}

const module = `parameters: { name: {}, size: { type: number } }
resources: [{ type: api_thing, name: main, spec: { name: "\${var.name}", size: "\${var.size}" } }]
`.replace('name: {}', 'name: { type: string }')

type Home = 'root' | 'each' | 'module' | 'gone' | 'removed'

const addressIn: Readonly<Record<'root' | 'each' | 'module', (name: string) => string>> = {
  root: (name) => `api_thing.${name}`,
  each: (name) => `api_thing.many["${name}"]`,
  module: (name) => `module.m["${name}"].api_thing.main`,
}
const isHome = (home: Home | undefined): home is keyof typeof addressIn =>
  home !== undefined && home !== 'gone' && home !== 'removed'

interface Wanted {
  readonly home: Home
  readonly size: number
  readonly isTold: boolean
}

/** The configuration; `before`: what was declared before it. */
const write = (
  all: ReadonlyMap<string, Wanted>,
  before: ReadonlyMap<string, Wanted>,
  live: ReadonlyMap<string, Json>,
) => {
  const at = (home: Home) => [...all].filter(([, each]) => each.home === home)
  const sizes = (home: Home): JsonObject => Object.fromEntries(at(home).map(([name, { size }]) => [name, { size }]))
  const left = [...before].flatMap(([name, { home }]) => (isHome(home) ? [[name, addressIn[home](name)] as const] : []))
  const moved = left.flatMap(([name, from]) => {
    const { home, isTold } = all.get(name) ?? { home: 'gone', isTold: false }
    const to = isHome(home) ? addressIn[home](name) : from
    return isTold && to !== from ? [{ from, to }] : []
  })
  const removed = left.flatMap(([name, address]) =>
    all.get(name)?.home === 'removed' ? [{ address, reason: 'handed over' }] : [],
  )
  const adopted = [...all].flatMap(([name, { home, isTold }]) =>
    isHome(home) && isTold && live.has(name) && !isHome(before.get(name)?.home)
      ? [{ to: addressIn[home](name), id: { name } }]
      : [],
  )
  const value = (text: string) => ({ name: '${each.key}', size: `\${each.value.${text}}` })
  const some = (home: Home, made: JsonObject): JsonObject[] => (at(home).length === 0 ? [] : [made])
  return {
    resources: [
      ...at('root').map(([name, { size }]): JsonObject => ({ type: 'api_thing', name, spec: { name, size } })),
      ...some('each', { type: 'api_thing', name: 'many', forEach: sizes('each'), spec: value('size') }),
    ],
    more: {
      modules: some('module', { name: 'm', source: './m', forEach: sizes('module'), with: value('size') }),
      moved,
      removed,
      import: adopted,
    },
  }
}

const names = ['a', 'b', 'c', 'd', 'their1', 'their2']
const homes: readonly Home[] = ['root', 'root', 'each', 'module', 'module', 'gone', 'removed']
const step = fc.record({
  changes: fc.array(
    fc.tuple(
      fc.constantFrom(...names),
      fc.record({ home: fc.constantFrom(...homes), size: fc.nat(2), isTold: fc.boolean() }),
    ),
    { minLength: 1, maxLength: 4 },
  ),
  outside: fc.option(fc.tuple(fc.constantFrom(...names), fc.nat(5))),
})

describe('whatever is moved between root, forEach and module, removed, imported or changed outside', () => {
  it('law: only declared objects are written, only what was declared before is deleted, a move alone sends nothing, and the plan is empty after it', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const { live, want, converge } = open()
        for (const name of ['their1', 'their2']) live.set(name, { size: 9 })
        let before: ReadonlyMap<string, Wanted> = new Map()
        for (const { changes, outside } of steps) {
          const all = new Map([...before, ...changes])
          if (outside !== null && live.has(outside[0])) live.set(outside[0], { size: outside[1] })
          const was = new Map(live)
          const { resources, more } = write(all, before, live)
          want(resources, more)
          const written = await converge()
          for (const name of names) {
            const [now, then] = [all.get(name), before.get(name)]
            const own = written.filter((each) => each.name === name).map(({ method }) => method)
            const sent = isHome(now?.home)
              ? JSON.stringify(was.get(name)) === JSON.stringify({ size: now?.size })
                ? []
                : ['PUT']
              : now?.home === 'gone' && isHome(then?.home)
                ? ['DELETE']
                : []
            expect(own, name).toEqual(sent)
            if (isHome(now?.home)) expect(live.get(name)).toEqual({ size: now?.size })
            else if (sent.length === 0) expect(live.get(name)).toEqual(was.get(name))
          }
          before = all
        }
      }),
      lawRuns(60),
    ))
})

describe('a workspace with dependencies', () => {
  const graph = fc.array(fc.record({ needs: fc.array(fc.nat(20), { maxLength: 3 }), there: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  })

  it('law: writes come after what they wait for, deletes in reverse, and the plan is empty after each', () =>
    fc.assert(
      fc.asyncProperty(graph, async (given) => {
        const { live, want, converge } = open()
        const nodes = given.map(({ needs, there }, n) => {
          if (there) live.set(`n${n}`, { size: 0 })
          return { name: `n${n}`, on: n === 0 ? [] : [...new Set(needs.map((each) => `n${each % n}`))] }
        })
        const declared = nodes.map(({ name, on }): JsonObject => {
          const dependsOn = on.map((each) => `api_thing.${each}`)
          return { type: 'api_thing', name, spec: { name, size: 1 }, dependsOn }
        })
        want(declared.toReversed())
        const written = (await converge()).map(({ name }) => name)
        expect(written.toSorted()).toEqual(nodes.map(({ name }) => name).toSorted())
        want([])
        const deleted = await converge()
        expect(deleted.every(({ method }) => method === 'DELETE')).toBe(true)
        const gone = deleted.map(({ name }) => name)
        for (const { name, on } of nodes) {
          for (const needed of on) {
            expect(written.indexOf(needed)).toBeLessThan(written.indexOf(name))
            expect(gone.indexOf(name)).toBeLessThan(gone.indexOf(needed))
          }
        }
        expect(live.size).toBe(0)
      }),
      lawRuns(40),
    ))
})

describe('the way in which a configuration is written', () => {
  const sizes = fc.uniqueArray(
    fc.record({ name: fc.constantFrom(...names), size: fc.nat(3), live: fc.option(fc.nat(3)) }),
    {
      selector: ({ name }) => name,
      minLength: 1,
    },
  )
  const resourcesOf = (all: readonly { readonly name: string; readonly size: number }[]): JsonObject[] =>
    all.map(({ name, size }, n) => {
      const dependsOn = n === 0 ? [] : [`api_thing.${all[0]?.name}`]
      return { type: 'api_thing', name, spec: { name, size }, dependsOn }
    })
  const started = (all: readonly { readonly name: string; readonly live: number | null }[]) => {
    const world = open()
    for (const { name, live } of all) if (live !== null) world.live.set(name, { size: live })
    return world
  }

  it('law: changes no digest if only the order of the resources differs', () =>
    fc.assert(
      fc.asyncProperty(sizes, fc.nat(), async (all, turn) => {
        const resources = resourcesOf(all)
        const at = turn % resources.length
        const worlds = [resources, [...resources.slice(at), ...resources.slice(0, at)].toReversed()].map((each) => {
          const world = started(all)
          world.want(each)
          return world.check()
        })
        const [one, other] = await Promise.all(worlds)
        expect(other?.plan.digests).toEqual(one?.plan.digests)
      }),
      lawRuns(40),
    ))

  it('law: makes no difference between a module with one instance and its resources written out', () =>
    fc.assert(
      fc.asyncProperty(sizes, async (all) => {
        const [plain, inside] = [started(all), started(all)]
        plain.want(resourcesOf(all))
        inside.want([], { modules: [{ name: 'm', source: './m' }] })
        const { bundle } = inside.current
        const text = JSON.stringify({ resources: resourcesOf(all) })
        inside.current.bundle = { ...bundle, files: { ...bundle.files, 'm/module.yaml': text } }
        const [one, other] = [await plain.check(), await inside.check()]
        const outside = JSON.parse(JSON.stringify(other.plan.commands).replaceAll('module.m.', ''))
        expect(outside).toEqual(JSON.parse(JSON.stringify(one.plan.commands)))
        expect(other.plan.counts).toEqual(one.plan.counts)
      }),
      lawRuns(40),
    ))
})
