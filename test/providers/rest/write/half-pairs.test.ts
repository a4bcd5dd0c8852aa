import { expect, it } from 'vitest'
import { aDocument, aThing, aType, aWorld } from '../../../semantics/world.ts'

/* Half of a surrogate pair at a place that nobody names goes back as it came, and stops no other resource. */

const attributes = `
size: { type: number }
steps: { type: set, key: [name], element: { type: object, attributes: { name: { required: true }, args: {} } } }
`

const step = (args: string) => ({ name: 'x', args, vendor: '\ud800', 'odd\udfff': [1] })

it.each(['object', 'full', 'changed'])('with send: %s', async (send) => {
  await using site = await aWorld({
    document: aDocument({ thing: aType(attributes).replace('send: object', `send: ${send}`) }),
    live: { a: { name: 'a', size: 1, steps: [step('1')], other: '\udc00' }, b: { name: 'b', size: 1 } },
    resources: [aThing('a', { steps: [{ name: 'x', args: '2' }] }), aThing('b', { size: 2 })],
  })
  const { plan, apply } = await site.checkAndApply()
  expect(plan.unchecked).toEqual([])
  expect(apply.status).toBe('succeeded')
  expect(site.bodyOf('a')).toMatchObject({ size: 1, steps: [step('2')], other: '\udc00' })
  expect(site.bodyOf('b')).toMatchObject({ size: 2 })
})
