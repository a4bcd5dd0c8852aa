import { expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { driveShelves, startShelves, thing } from '../../../builders/servers/shelves.ts'

const refused = async (says: Json, more = '') => {
  await using api = await startShelves('counted')
  const { secrets, want, apply } = driveShelves(api.url, { more })
  secrets['env:S'] = 'long-enough-a-secret'
  api.behaviour.refuse = () => 400
  api.behaviour.says = says
  want(`${thing('a', 'a')}  - { type: shelf_thing, name: s, spec: { name: s, note: { secret: "env:S" } } }\n`)
  const { outcomes } = await apply()
  return outcomes[0]?.detail
}

it.each<[string, Json, string, string]>([
  [
    'fields',
    { name: ['is taken'], note: ['is short', 'is dull'] },
    '',
    'name: is taken; note: is short; note: is dull',
  ],
  [
    'a message and fields',
    { message: 'invalid', errors: { name: ['is taken'] } },
    ', errors: { message: [message] }',
    'invalid; name: is taken',
  ],
  ['neither', { code: 7 }, '', '{"code":7}'],
])('the outcome of a command repeats the words of a refusal: %s', async (_, says, more, told) => {
  expect(await refused(says, more)).toBe(told)
})

it('the outcome repeats no secret that the target puts into a field or its name', async () => {
  const told = await refused({ note: ['long-enough-a-secret is dull'], 'long-enough-a-secret': ['no'] })
  expect(told).toContain('note: ')
  expect(told).not.toContain('long-enough-a-secret')
})

it('the outcome of a command cuts long words', async () => {
  expect((await refused({ name: ['x'.repeat(5_000)] }))?.length).toBeLessThanOrEqual(500)
})
