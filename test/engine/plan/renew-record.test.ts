import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { digest } from '../../../core/engine/json/digest.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { createSeal } from '../../../functions/adapters/seal.ts'
import { long } from '../../builders/long.ts'
import { check, desiredOf, factsOf, plan, present } from '../../builders/values/resources.ts'

/*
 * The key of the seals is another one: what is recorded under the old key is renewed, and nothing else is told than would
 * have been with the old one.
 */

const secretText = { type: 'string', sensitive: true } as const
const facts = factsOf({
  name: { type: 'string' },
  token: secretText,
  login: { type: 'object', attributes: { user: { type: 'string' }, password: secretText } },
  headers: { type: 'map', element: secretText },
  keys: { type: 'list', element: secretText },
  pins: { type: 'set', element: secretText },
  users: {
    type: 'set',
    key: ['name'],
    element: { type: 'object', attributes: { name: { type: 'string' }, hash: secretText, role: { type: 'string' } } },
  },
  sent: { type: 'string', writeOnly: true, sensitive: true, witness: 'trace' },
  trace: { type: 'string', computed: true, sensitive: true },
})

type Sealer = (value: Json) => string
/** As they were before seals named their key. */
const unnamed: Sealer = (value) =>
  `hmac-sha256:${createHmac('sha256', 'old').update(JSON.stringify(value)).digest('hex')}`
const named: Sealer = createSeal('another')
const today: Sealer = createSeal('today')

interface World {
  readonly name: string
  readonly user: string
  readonly role: string
  readonly secrets: readonly string[]
  readonly sent: string
}

/** As the target holds it, and as it is read: secrets by their seals. */
const observed = ({ name, user, role, secrets: [a = '', b = '', c = ''], sent }: World, seal: Sealer): JsonObject => {
  const sealed = (value: string) => ({ $sealed: seal(value) })
  return {
    name,
    token: sealed(a),
    login: { user, password: sealed(b) },
    headers: { one: sealed(a), two: sealed(c) },
    keys: [sealed(c), sealed(a), sealed(c)],
    pins: [sealed(a), sealed(`${b}#`)],
    users: [
      { name: 'ada', hash: sealed(b), role },
      { name: 'bo', hash: sealed(c), role: 'reader' },
    ],
    trace: sealed(`${sent} as stored`),
  }
}

/** The same as it is configured: secrets by reference, with the seal of their present value. */
const desired = (world: World, seal: Sealer) => {
  const asReference = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(asReference)
    if (typeof value !== 'object' || value === null) return value
    if ('$sealed' in value) return { $secret: 'env:X', digest: String((value as JsonObject)['$sealed']) }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asReference(inner)]))
  }
  const { trace: _, ...rest } = observed(world, seal)
  const sent = { $secret: 'env:SENT', digest: seal(world.sent) }
  return desiredOf({ ...(asReference(rest) as JsonObject), sent })
}

const at = (configured: World, found: World, seal: Sealer) => ({
  facts,
  desired: desired(configured, seal),
  observed: present(observed(found, seal)),
})

/** Recorded where all agree, and the write-only value was sent. */
const recordOf = (world: World, seal: Sealer) => {
  const { record } = check(at(world, world, seal))
  const trace = plan(at(world, world, seal)).before?.['trace'] as Json
  const sent = { '/sent': { digest: seal(world.sent), witness: digest(trace) } }
  const { neverAgreed: _, ...agreed } = record!
  return { ...agreed, sent }
}

const text = fc.constantFrom('x', 'y', 'z', 'hunter2')
const world: fc.Arbitrary<World> = fc.record({
  name: text,
  user: text,
  role: text,
  secrets: fc.tuple(text, text, text),
  sent: text,
})
const olds = fc.constantFrom(unnamed, named)
const withoutSeals = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null).replace(/hmac-sha256(:[0-9a-f]+)+/g, 'seal'))

describe('a record that was sealed with another key', () => {
  test('is renewed where nothing has changed, without a report', long, () => {
    void fc.assert(
      fc.property(world, olds, (same, old) => {
        const recorded = recordOf(same, old)
        const { planned, record } = check({ ...at(same, same, today), recorded })
        expect([planned.change, planned.drift]).toEqual([undefined, undefined])
        expect(record).toEqual(recordOf(same, today))
      }),
    )
  })

  test('reports changes of plain values as if the key were the same', long, () => {
    void fc.assert(
      fc.property(world, world, world, olds, (agreed, configured, found, old) => {
        const { secrets, sent } = agreed
        const [want, have] = [
          { ...configured, secrets, sent },
          { ...found, secrets, sent },
        ]
        const recorded = recordOf(agreed, old)
        const then = plan({ ...at(want, have, old), recorded })
        const now = plan({ ...at(want, have, today), recorded })
        expect(withoutSeals([now.change, now.drift])).toEqual(withoutSeals([then.change, then.drift]))
      }),
    )
  })

  test('reports each secret that differs from the configuration, then or later', () => {
    void fc.assert(
      fc.property(world, world, world, olds, (agreed, configured, found, old) => {
        const recorded = recordOf(agreed, old)
        const want = { ...agreed, secrets: configured.secrets }
        const have = { ...agreed, secrets: found.secrets }
        const first = check({ ...at(want, have, today), recorded })
        const differs = JSON.stringify(observed(want, today)) !== JSON.stringify(observed(have, today))
        expect(first.planned.change !== undefined).toBe(differs)
        // From then on the key is that of today: who moves a secret, or what is sent, is told as ever.
        const next = { ...agreed, secrets: found.secrets, sent: `${agreed.sent} and more` }
        const later = plan({ ...at(next, { ...have, sent: agreed.sent }, today), recorded: first.record! })
        expect(later.change?.causes.map(({ path }) => path.join('/'))).toContain('sent')
      }),
    )
  })
})
