import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { aDocument, aType, aWorld } from '../../../semantics/world.ts'

/* Several types for one URL: each writes its own attributes of one object, and none may destroy it under another one. */

const types = ['size', 'color', 'shape'] as const
type TypeName = (typeof types)[number]

const document = aDocument(
  Object.fromEntries(
    types.map((name) => [
      name,
      aType(
        `${name}: {}\nkind: { immutable: true }`,
        'lifecycle: { onImmutable: replace, replace: { order: deleteFirst } }',
      )
        .replace('update: { method: PUT', 'update: { method: PATCH')
        .replace('send: object', 'send: changed'),
    ]),
  ),
)

interface Declared {
  readonly type: TypeName
  readonly object: 'a' | 'b'
  readonly kind: 'x' | 'y'
  readonly value: string
  readonly state: 'declared' | 'absent' | 'left' | 'never'
}

const labelOf = ({ type, object }: Declared): string => `${type}_${object}`

const declaration = fc.uniqueArray(
  fc.record<Declared>({
    type: fc.constantFrom(...types),
    object: fc.constantFrom('a', 'b'),
    kind: fc.constantFrom('x', 'y'),
    value: fc.constantFrom('1', '2'),
    state: fc.constantFrom('declared', 'declared', 'declared', 'absent', 'left', 'never'),
  }),
  { selector: labelOf, minLength: 1 },
)

const resourceOf = (each: Declared, absent: boolean): JsonObject => ({
  type: `api_${each.type}`,
  name: labelOf(each),
  ...(absent ? { absent } : {}),
  spec: absent ? { name: each.object } : { name: each.object, [each.type]: each.value, kind: each.kind },
})

describe('types that share a URL', () => {
  it('law: never delete an object that another type declares, alone or for a replacement', async () => {
    const seen = { blocked: 0, sent: 0 }
    await fc.assert(
      fc.asyncProperty(declaration, async (all) => {
        const there = { name: '', size: '1', color: '1', shape: '1', kind: 'x' }
        await using world = await aWorld({
          document,
          resources: all
            .filter(({ state }) => state !== 'never')
            .map((each) => resourceOf({ ...each, kind: 'x' }, false)),
          live: { a: { ...there, name: 'a' }, b: { ...there, name: 'b' } },
        })
        await world.check()
        world.want(
          all.flatMap((each) =>
            each.state === 'left' || each.state === 'never' ? [] : [resourceOf(each, each.state === 'absent')],
          ),
        )
        const { plan, digest } = await world.check()
        for (const command of plan.commands.filter(({ action }) => action === 'delete')) {
          const [type, object] = command.address.replace('api_', '').split('.')[1]?.split('_') ?? []
          const others = all.filter((each) => each.state === 'declared' && each.object === object && each.type !== type)
          expect(others).toEqual([])
        }
        const blocked = plan.changes.filter((change) => change.blocked?.reason === 'also_declared')
        for (const { address } of blocked) expect(plan.commands.map((each) => each.address)).not.toContain(address)
        seen.blocked += blocked.length
        if (plan.commands.length === 0) return
        seen.sent += 1
        await world.apply(digest)
        for (const { object } of all.filter((each) => each.state === 'declared')) {
          expect(world.bodyOf(object)).not.toBeNull()
        }
      }),
      lawRuns(150),
    )
    expect(Math.min(seen.blocked, seen.sent)).toBeGreaterThan(5)
  })

  it('name the object that a replacement would destroy', async () => {
    const of = (type: TypeName, kind: 'x' | 'y'): JsonObject =>
      resourceOf({ type, object: 'a', kind, value: '1', state: 'declared' }, false)
    await using world = await aWorld({
      document,
      resources: [of('size', 'y'), of('color', 'x')],
      live: { a: { name: 'a', size: '1', color: '1', kind: 'x' } },
    })
    const { plan } = await world.check()
    expect(plan.commands).toEqual([])
    expect(plan.changes).toMatchObject([
      {
        address: 'api_size.size_a',
        action: 'replace',
        blocked: {
          reason: 'also_declared',
          detail: expect.stringContaining('would destroy the object of api_color.color_a, which has another type'),
        },
      },
    ])
  })
})
