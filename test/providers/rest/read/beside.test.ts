import { expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { aDocument, aListedType, aThing, aWorld, lists } from '../../../semantics/world.ts'

/* Lists beside a list: what is only invited counts as there, is never taken twice, and is never guessed. */

const type = aListedType(
  'size: { type: number, leftOut: true }\nwaiting: { type: boolean, computed: true, default: false }',
)
  .replace('read: retrieve', 'read: list')
  .replace('operations:\n', 'operations:\n  invited: { method: GET, path: /invited }\n')
  .replace(
    'lookup: { list: {}',
    'lookup: { list: { absent: [404], also: [{ op: invited, as: { id: number, name: who.name }, set: { waiting: true } }] }',
  )

/** A check of the things `a` and `b`: `a` is there, and `invited` is what the other list answers. */
const checked = async (invited: Json | number, things: readonly Json[] = [{ id: '1', name: 'a' }]) => {
  await using world = await aWorld({
    document: aDocument({ thing: type }),
    resources: [aThing('a'), aThing('b')],
    server: {
      route: (asked, state) => {
        if (asked.url === '/invited')
          return typeof invited === 'number'
            ? { status: invited, body: '{}' }
            : { status: 200, body: JSON.stringify(invited) }
        return asked.method === 'GET' && asked.url === '/things'
          ? { status: 200, body: JSON.stringify(things) }
          : lists(asked, state)
      },
    },
  })
  const { plan } = await world.check()
  return {
    changes: plan.changes.map(({ address, action }) => `${action} ${address}`),
    unchecked: plan.unchecked.map(({ address, reason }) => `${address} ${reason}`),
  }
}

interface Found {
  readonly changes: readonly string[]
  readonly unchecked: readonly string[]
}

const both = (reason: string): Found => ({ changes: [], unchecked: [`api_thing.a ${reason}`, `api_thing.b ${reason}`] })

it.each<[string, Json | number, Found]>([
  ['an item of the other list counts', [{ number: '2', who: { name: 'b' } }], { changes: [], unchecked: [] }],
  ['none is none', [], { changes: ['create api_thing.b'], unchecked: [] }],
  [
    'null stands for nobody',
    [{ number: '2', who: { name: null } }],
    { changes: ['create api_thing.b'], unchecked: [] },
  ],
  [
    'what both have is that of the first one',
    [
      { number: '1', who: { name: 'a' } },
      { number: '2', who: { name: 'b' } },
    ],
    { changes: [], unchecked: [] },
  ],
  ['an item without a member is no proof of anything', [{ number: '2' }], both('bad_body')],
  ['a failure is none either', 500, both('server_error')],
  ['and one that is not there, beside one that is', 404, both('out_of_sight')],
])('a second list beside the first one adds what only it knows: %s', async (_, invited, expected) => {
  expect(await checked(invited)).toEqual(expected)
})
